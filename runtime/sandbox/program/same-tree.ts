import { isTypeOnly } from './survey.js';
import { eachChild, nodeAt, type TreeNode } from './tree.js';
import { skipTrivia } from './trivia.js';

/**
 * Whether a program and its text without types are the same program: the same nodes, nested alike, at the same places.
 *
 * It is what makes blanking safe: a cast that held operators together, or a line break that only a type bridged, shows as
 * another tree.
 *
 * @param typed - The tree of the text with types.
 * @param erased - The tree of `text`, parsed as plain JavaScript.
 * @param text - The text without types.
 */
export const isSameTree = (typed: TreeNode, erased: TreeNode, text: string): boolean => {
  const left: TreeNode[] = [typed];
  const right: TreeNode[] = [erased];
  while (left.length > 0) {
    const one = left.pop()!;
    const other = right.pop()!;
    if (kindOf(one) !== kindOf(other)) return false;
    if (placeOf(one, text) !== placeOf(other, text)) return false;
    const ones = childrenOf(one);
    const others = childrenOf(other);
    if (ones.length !== others.length) return false;
    for (const child of ones) left.push(child);
    for (const child of others) right.push(child);
  }
  return true;
};

// With types, the parser ends an optional chain at `!` where the language does not.
const KINDS = new Map([
  ['OptionalMemberExpression', 'MemberExpression'],
  ['OptionalCallExpression', 'CallExpression'],
]);

const kindOf = (node: TreeNode): string => KINDS.get(node.type) ?? node.type;

/** Where a node starts in the text without types: behind what was blanked there. */
const placeOf = (node: TreeNode, text: string): number => {
  let at = skipTrivia(text, node.start);
  while (text[at] === ';') at = skipTrivia(text, at + 1);
  return at;
};

const childrenOf = (node: TreeNode): TreeNode[] => {
  const children: TreeNode[] = [];
  eachChild(node, (child, field) => {
    const kept = runtimePart(child);
    if (kept && !(field === 'params' && kept['name'] === 'this')) children.push(kept);
  });
  // With types the parser fills the fields of some nodes in another order.
  if (children.length > 1) children.sort((a, b) => a.start - b.start || a.end - b.end);
  return children;
};

/** The node that stays of a node when its types are gone. */
const runtimePart = (node: TreeNode): TreeNode | undefined => {
  let kept = node;
  for (;;) {
    if (kept.type === 'EmptyStatement' || isTypeOnly(kept)) return undefined;
    if (!kept.type.startsWith('TS')) return kept;
    const inner = nodeAt(kept, 'expression');
    if (!inner) return kept;
    kept = inner;
  }
};
