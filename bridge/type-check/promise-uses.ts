import { Kind, type SyntaxTree, type TreeNode } from './syntax-tree.js';

/** A spot where a promise is surely a mistake although no rule of types says so. */
export interface PromiseUse {
  /** Whose type is asked. */
  readonly node: TreeNode;
  /** What is wrong when it is a promise. */
  readonly words: string;
}

const CONDITION = 'A promise is always true: await it';
const TEXT = 'A promise has no text: await it';
/** Functions that make text or numbers of what they are given. */
const TEXT_MAKERS = /^(?:JSON\s*\.\s*stringify|String|Number|parseInt|parseFloat)$/;

/** The spots of a program at which a promise would be a mistake: as text, as an operand of `+`, as a condition. */
export function promiseUses(tree: SyntaxTree, text: string): PromiseUse[] {
  const uses: PromiseUse[] = [];
  const source = (node: TreeNode): string => text.slice(tree.pos(node), tree.end(node)).trim();
  for (const node of tree.ofKind(Kind.TemplateSpan)) push(uses, tree.children(node)[0], TEXT);
  for (const node of tree.ofKind(Kind.Call)) {
    const [callee, first] = tree.children(node);
    if (callee !== undefined && TEXT_MAKERS.test(source(callee))) push(uses, first, TEXT);
  }
  for (const node of tree.ofKind(Kind.Binary)) {
    const [left, operator, right] = tree.children(node);
    if (operator === undefined || source(operator) !== '+') continue;
    push(uses, left, TEXT);
    push(uses, right, TEXT);
  }
  for (const condition of conditions(tree, source)) push(uses, condition, CONDITION);
  return uses;
}

/** Calls that decide something. A variable may hold a promise or nothing, so that asking for it is right. */
function conditions(tree: SyntaxTree, source: (node: TreeNode) => string): TreeNode[] {
  const found: (TreeNode | undefined)[] = [];
  for (const node of tree.ofKind(Kind.If, Kind.While, Kind.Conditional)) found.push(tree.children(node)[0]);
  for (const node of tree.ofKind(Kind.Do)) found.push(tree.children(node)[1]);
  for (const node of tree.ofKind(Kind.PrefixUnary)) {
    if (source(node).startsWith('!')) found.push(tree.children(node)[0]);
  }
  return found.flatMap((node) => {
    const inner = node === undefined ? undefined : unwrapped(tree, node);
    if (inner === undefined || tree.kind(inner) !== Kind.Call) return [];
    const callee = tree.children(inner)[0]!;
    // `cache.get(key)` gives a promise or nothing; a tool and a function of the program always give one.
    const isOwn = tree.kind(callee) === Kind.Identifier || /^tools\s*[.[]/.test(source(callee));
    return isOwn ? [inner] : [];
  });
}

function unwrapped(tree: SyntaxTree, node: TreeNode): TreeNode {
  let inner: TreeNode | undefined = node;
  let last = node;
  while (inner !== undefined && tree.kind(inner) === Kind.Parenthesized) {
    last = inner;
    inner = tree.children(inner)[0];
  }
  return inner ?? last;
}

function push(uses: PromiseUse[], node: TreeNode | undefined, words: string): void {
  if (node !== undefined) uses.push({ node, words });
}
