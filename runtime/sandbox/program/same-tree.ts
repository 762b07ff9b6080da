import { isTypeOnly } from './survey.js';
import { eachChild, isTypeScript, nodeAt, type TreeNode } from './tree.js';
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
    if (one.type !== other.type && kindOf(one) !== kindOf(other)) return false;
    if (one.start !== other.start && placeOf(one, text) !== placeOf(other, text)) return false;
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
  for (let at = 1; at < children.length; at++) {
    if (isBefore(children[at]!, children[at - 1]!)) return children.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }
  return children;
};

const isBefore = (one: TreeNode, other: TreeNode): boolean =>
  one.start < other.start || (one.start === other.start && one.end < other.end);

/** The node that stays of a node when its types are gone. */
const runtimePart = (node: TreeNode): TreeNode | undefined => {
  let kept = node;
  for (;;) {
    if (kept.type === 'EmptyStatement' || isTypeOnly(kept)) return undefined;
    if (!isTypeScript(kept)) return kept;
    const inner = nodeAt(kept, 'expression');
    if (!inner) return kept;
    kept = inner;
  }
};
