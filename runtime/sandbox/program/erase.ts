import { Blanks } from './blanks.js';
import { nodeAt, nodesAt, type Place, type PlacedNode, type TreeNode } from './tree.js';
import { hasLineBreak, isWordUnit, skipTrivia } from './trivia.js';

const MODIFIERS = new Set(['public', 'private', 'protected', 'readonly', 'abstract', 'override', 'declare']);

/**
 * The text with its types blanked out: every token that stays keeps its place.
 *
 * Some casts and generics cannot be blanked without changing what stays around them; whoever calls checks the outcome
 * against the tree.
 *
 * @param nodes - The tree of the text; types are its leaves.
 * @param spared - Statements that get their end from somebody else, so that no `;` may be put into them.
 * @returns `undefined` when the tree holds no TypeScript.
 */
export const eraseTypes = (
  text: string,
  nodes: readonly PlacedNode[],
  spared: readonly TreeNode[] = [],
): string | undefined => {
  const blanks = new Blanks(text);
  const ends: TreeNode[] = [];
  for (const { node, place, isLeaf } of nodes) {
    if (isLeaf) blankWhole(blanks, node, place);
    else {
      eraseAt(blanks, node, place);
      if (endsByLineBreak(node, place) && !spared.includes(node)) ends.push(node);
    }
  }
  if (blanks.isEmpty) return undefined;
  // A statement whose written end was a type must not run into the next line.
  for (const node of ends) blanks.close(node.end);
  return blanks.apply();
};

const blankWhole = (blanks: Blanks, node: TreeNode, { parent, field }: Place): void => {
  const standsAlone =
    field === 'body' ||
    field === 'consequent' ||
    field === 'alternate' ||
    parent?.type === 'ExportNamedDeclaration';
  // An empty statement keeps the neighbours apart, and a body where one must be.
  blanks.add(node.start, node.end, standsAlone ? ';' : '');
};

const endsByLineBreak = (node: TreeNode, { field }: Place): boolean => {
  switch (node.type) {
    case 'ExpressionStatement':
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return true;
    case 'VariableDeclaration':
      return field === 'body' || field === 'consequent' || field === 'alternate' || field === 'declaration';
    default:
      return false;
  }
};

const eraseAt = (blanks: Blanks, node: TreeNode, place: Place): void => {
  const { text } = blanks;
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      blanks.add(behindParentheses(text, nodeAt(node, 'expression')!.end), node.end);
      return;
    case 'TSNonNullExpression':
      blanks.add(node.end - 1, node.end);
      return;
    case 'TSTypeAssertion':
      blanks.add(node.start, skipTrivia(text, nodeAt(node, 'typeAnnotation')!.end) + 1);
      return;
    case 'VariableDeclarator':
      if (node['definite'] === true) mark(blanks, node.start + nameLength(nodeAt(node, 'id')!));
      return;
    case 'Identifier':
      if (node['name'] === 'this' && place.field === 'params') receiver(blanks, node);
      else if (node['optional'] === true) mark(blanks, node.start + nameLength(node));
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      classHead(blanks, node);
      return;
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      member(blanks, node);
      return;
    case 'ArrowFunctionExpression':
      arrow(blanks, node);
      return;
  }
};

const nameLength = (name: TreeNode): number => {
  const annotation = nodeAt(name, 'typeAnnotation');
  return name.type === 'Identifier'
    ? String(name['name']).length
    : (annotation?.start ?? name.end) - name.start;
};

/** Blanks the `?` or `!` that comes next. */
const mark = (blanks: Blanks, offset: number): void => {
  const at = skipTrivia(blanks.text, offset);
  const sign = blanks.text[at];
  if (sign === '?' || sign === '!') blanks.add(at, at + 1);
};

/** The first offset behind an expression and the parentheses that close around it. */
const behindParentheses = (text: string, offset: number): number => {
  let at = skipTrivia(text, offset);
  while (text[at] === ')') at = skipTrivia(text, at + 1);
  return at;
};

/** A `this` parameter goes with the comma behind it. */
const receiver = (blanks: Blanks, node: TreeNode): void => {
  const next = skipTrivia(blanks.text, node.end);
  blanks.add(node.start, blanks.text[next] === ',' ? next + 1 : node.end);
};

const classHead = (blanks: Blanks, node: TreeNode): void => {
  const { text } = blanks;
  if (node['abstract'] === true && text.startsWith('abstract', node.start))
    blanks.add(node.start, node.start + 'abstract'.length);
  const interfaces = nodesAt(node, 'implements');
  const last = interfaces.at(-1);
  if (!last) return;
  const before =
    nodeAt(node, 'superTypeParameters') ??
    nodeAt(node, 'superClass') ??
    nodeAt(node, 'typeParameters') ??
    nodeAt(node, 'id');
  const start = before ? behindParentheses(text, before.end) : text.indexOf('implements', node.start);
  blanks.add(start, last.end);
};

const member = (blanks: Blanks, node: TreeNode): void => {
  const { text } = blanks;
  const key = nodeAt(node, 'key')!;
  let first = true;
  for (let at = skipTrivia(text, node.start); at < key.start; at = skipTrivia(text, at)) {
    const start = at;
    while (at < key.start && isWordUnit(text.charCodeAt(at))) at++;
    if (at === start) {
      if (text[at] !== '*') break;
      at++;
    } else if (MODIFIERS.has(text.slice(start, at))) blanks.add(start, at, first ? ';' : '');
    else first = false;
  }
  let behind = skipTrivia(text, key.end);
  while (node['computed'] === true && (text[behind] === ')' || text[behind] === ']'))
    behind = skipTrivia(text, behind + 1);
  if (node['optional'] === true || node['definite'] === true) mark(blanks, behind);
};

/** Neither `async`, `return` and the like, nor `=>`, may be parted from the parameters by a line break that a type held. */
const arrow = (blanks: Blanks, node: TreeNode): void => {
  const { text } = blanks;
  const generics = nodeAt(node, 'typeParameters');
  if (generics) {
    const open = skipTrivia(text, generics.end);
    if (hasLineBreak(text, generics.start, open)) {
      blanks.add(generics.start, generics.end, '(');
      blanks.add(open, open + 1);
    }
  }
  const result = nodeAt(node, 'returnType');
  if (!result || !hasLineBreak(text, result.start, result.end)) return;
  let close = skipTrivia(
    text,
    nodesAt(node, 'params').at(-1)?.end ?? skipTrivia(text, generics?.end ?? node.start),
  );
  while (close < result.start && text[close] !== ')') close = skipTrivia(text, close + 1);
  if (text[close] !== ')' || close >= result.start) return;
  blanks.add(close, close + 1);
  blanks.add(result.start, result.end, '', ')');
};
