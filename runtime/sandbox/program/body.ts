import { parseTypeScript, type SyntaxProblem } from './parse.js';
import { isTypeOnly } from './survey.js';
import { isFunction, nodeAt, nodesAt, type TreeNode } from './tree.js';
import { isWordUnit, skipTrivia } from './trivia.js';

/** A text that parses as the body of an async function. */
export interface Body {
  /** As long as the source, with what marks a function for export overwritten. */
  readonly text: string;
  /** What has to stand in front of the text to make it parse: an anonymous function is no statement. */
  readonly lead: '' | typeof LEAD;
  readonly program: TreeNode;
  /** The function that the text exported by default; `marker` is the stretch of the word `default`. */
  readonly exported?: { readonly name: string } | { readonly marker: { start: number; end: number } };
}

/** Turns any value into a statement without touching its precedence; it never reaches the engine. */
const LEAD = '_=';
const KEYWORD = 'default';

interface Accepted {
  readonly ok: true;
  readonly body: Body;
}

/** Reads a text as a program: a body, one anonymous function, or a body that ends in a default export. */
export const readBody = (
  source: string,
): { ok: true; body: Body } | { ok: false; problem: SyntaxProblem } => {
  const text = firstComment(source);
  const parsed = parseTypeScript(text);
  if (!parsed.ok) return anonymousFunction(text) ?? parsed;
  const exported = defaultExport(parsed.program);
  const changed = exported && withoutExport(text, parsed.program, exported);
  return changed ?? { ok: true, body: plain(text, parsed.program) };
};

/** `#!` and `-->` start a comment in front of everything, where the wrapper will stand; `//` does everywhere. */
const firstComment = (source: string): string => {
  if (source.startsWith('#!')) return `//${source.slice(2)}`;
  const start = skipTrivia(source, 0);
  return source.startsWith('-->', start) ? `${source.slice(0, start)}// ${source.slice(start + 3)}` : source;
};

const plain = (text: string, program: TreeNode): Body => ({ text, lead: '', program });

/** `async function () { … }` as the whole text. */
const anonymousFunction = (text: string): Accepted | undefined => {
  const start = skipTrivia(text, 0);
  let end = start;
  while (isWordUnit(text.charCodeAt(end))) end++;
  const word = text.slice(start, end);
  if (word !== 'async' && word !== 'function') return undefined;
  const parsed = parseTypeScript(text, LEAD);
  if (!parsed.ok) return undefined;
  const statements = runtimeStatements(parsed.program);
  const first = statements[0];
  const operand = first && nodeAt(nodeAt(first, 'expression') ?? first, 'right');
  if (statements.length !== 1 || !operand || !isFunction(operand)) return undefined;
  return { ok: true, body: { text, lead: LEAD, program: parsed.program } };
};

/** The statements that do something at run time. */
export const runtimeStatements = (block: TreeNode): TreeNode[] =>
  nodesAt(block, 'body').filter((node) => node.type !== 'EmptyStatement' && !isTypeOnly(node));

const defaultExport = (program: TreeNode): TreeNode | undefined => {
  const found = nodesAt(program, 'body').filter((node) => node.type === 'ExportDefaultDeclaration');
  return found.length === 1 && !isTypeOnly(found[0]!) ? found[0] : undefined;
};

const withoutExport = (text: string, program: TreeNode, node: TreeNode): Accepted | undefined => {
  const declared = nodeAt(node, 'declaration')!;
  if (declared.type === 'ClassDeclaration') return undefined;
  const name = declared.type === 'FunctionDeclaration' ? nodeAt(declared, 'id') : undefined;
  const statements = runtimeStatements(program);
  const rest = statements.slice(statements.indexOf(node) + 1);
  // A value is returned where it stands: nothing may be left to do behind it.
  if (!name && rest.some(({ type }) => type !== 'FunctionDeclaration')) return undefined;
  // Parentheses around the value start before it, so the keywords are looked for.
  const end = skipTrivia(text, node.start + 'export'.length) + KEYWORD.length;
  const start = end - KEYWORD.length;
  const blank = text.slice(node.start, start).replace(/[^\r\n]/g, ' ');
  const mark = (name ? '' : LEAD).padEnd(KEYWORD.length);
  const without = `${text.slice(0, node.start)}${blank}${mark}${text.slice(end)}`;
  const parsed = parseTypeScript(without);
  if (!parsed.ok) return undefined;
  const exported = name ? { name: String(name['name']) } : { marker: { start, end } };
  return { ok: true, body: { ...plain(without, parsed.program), exported } };
};
