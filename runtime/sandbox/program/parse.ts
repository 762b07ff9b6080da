import { createRequire } from 'node:module';
import type { ParserOptions } from '@babel/parser';
import { endOfContent } from './lines.js';
import { metered, ParseBudgetError, strictlyMetered } from './metered-text.js';
import { syntaxText } from './syntax-text.js';
import { type TreeNode, walk } from './tree.js';

// Imported, a CommonJS file of this size is first searched for its exports, which costs five times as much as loading it.
const { parse: parseText } = createRequire(import.meta.url)(
  '@babel/parser',
) as typeof import('@babel/parser');

/** A place in the text and what is wrong there. */
export interface SyntaxProblem {
  /** What is wrong, without a name in front and without a full stop. */
  readonly reason: string;
  /** UTF-16 offset in the text that was parsed. */
  readonly offset: number;
  /** One sentence: what to write instead. */
  readonly hint?: string;
}

/** A parsed text, or the first thing that is wrong with it. */
export type ParseOutcome =
  | { readonly ok: true; readonly program: TreeNode }
  | { readonly ok: false; readonly problem: SyntaxProblem };

const COMMON = {
  // A function body has the grammar of a script: `<!--` is a comment, functions may be declared twice.
  sourceType: 'script',
  strictMode: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  attachComment: false,
} as const satisfies ParserOptions;

const AS_TYPESCRIPT: ParserOptions = {
  ...COMMON,
  // The last two are parsed to be refused by name.
  plugins: ['typescript', 'decorators-legacy', 'decoratorAutoAccessors'],
};

const AS_JAVASCRIPT: ParserOptions = { ...COMMON };

const AS_MARKUP: ParserOptions = { ...COMMON, plugins: ['typescript', 'jsx'] };

/**
 * Parses a text as the body of a strict async function in TypeScript.
 *
 * Total: a text that nests too deeply is a problem too.
 *
 * @param lead - Parsed in front of the text; offsets count from the text all the same.
 */
export const parseTypeScript = (text: string, lead = ''): ParseOutcome =>
  run(text, lead, AS_TYPESCRIPT, metered);

/** Parses a text as the body of a strict async function in plain JavaScript; as {@link parseTypeScript}. */
export const parseJavaScript = (text: string, lead = ''): ParseOutcome =>
  run(text, lead, AS_JAVASCRIPT, asIs);

/** Parses a text that parsed before, and refuses it if that takes more than a few readings of it. */
export const parseStrictly = (text: string, lead = ''): ParseOutcome =>
  run(text, lead, AS_TYPESCRIPT, strictlyMetered);

/** Whether a text that is no TypeScript would be a program, or one function, if markup in it were allowed. */
export const isMarkup = (text: string): boolean =>
  MARKUP_END.test(text) && (run(text, '', AS_MARKUP, metered).ok || run(text, '_=', AS_MARKUP, metered).ok);

/** Each piece of markup ends in one of these. */
const MARKUP_END = /<\/|\/>/;

// Without types there is nothing to go back over.
const asIs = (text: string): string => text;

const run = (
  text: string,
  lead: string,
  options: ParserOptions,
  readable: (text: string) => string,
): ParseOutcome => {
  // Where the parser tries one reading and goes back it throws: a stack for each would cost more than the reading.
  const { stackTraceLimit } = Error;
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    const file = parseText(readable(lead + text), options) as unknown as { readonly program: TreeNode };
    if (lead !== '') moveBack(file.program, lead.length);
    return { ok: true, program: file.program };
  } catch (thrown) {
    return { ok: false, problem: problemOf(text, lead.length, thrown) };
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
};

const moveBack = (program: TreeNode, by: number): void =>
  walk(program, (node) => {
    const place = node as { start: number; end: number };
    place.start -= by;
    place.end -= by;
    return undefined;
  });

interface ParserError {
  readonly reasonCode: string;
  readonly message: string;
  readonly pos: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

const isParserError = (thrown: unknown): thrown is ParserError =>
  thrown instanceof SyntaxError &&
  typeof (thrown as Partial<ParserError>).pos === 'number' &&
  typeof (thrown as Partial<ParserError>).reasonCode === 'string';

const problemOf = (text: string, leadLength: number, thrown: unknown): SyntaxProblem => {
  if (isParserError(thrown)) {
    const offset = Math.max(0, thrown.pos - leadLength);
    return { ...syntaxText(text, thrown, offset), offset: Math.min(offset, endOfContent(text)) };
  }
  const reason =
    thrown instanceof ParseBudgetError
      ? 'the program nests generics and brackets in a way that takes too long to read'
      : 'the program is nested too deeply to be read';
  return { reason, offset: deepestBracket(text), hint: 'Split the nested part into variables.' };
};

/** Where the brackets of a text nest deepest, strings and comments included: near enough to point at. */
const deepestBracket = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let offset = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > deepest) {
        deepest = depth;
        offset = at;
      }
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return offset;
};
