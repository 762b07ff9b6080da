/** A node of the parsed program: a type, UTF-16 offsets, and whatever else its type has. */
export interface TreeNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What a walk knows of the place of a node. */
export interface Place {
  readonly parent: TreeNode | undefined;
  /** The field of the parent that holds the node. */
  readonly field: string;
  /** The node lies inside a function of the program, arrows included. */
  readonly inFunction: boolean;
  /** The node lies where `arguments` belongs to something of the program: a function that is no arrow, a class body. */
  readonly inOwnArguments: boolean;
}

/** Whether a value of a node's field is itself a node. */
export const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The node in a field, if there is one. */
export const nodeAt = (node: TreeNode, field: string): TreeNode | undefined => {
  const value = node[field];
  return isNode(value) ? value : undefined;
};

/** The nodes in a field that holds a list; holes are left out. */
export const nodesAt = (node: TreeNode, field: string): TreeNode[] => {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** Two nodes in three are one of these, or a name. */
const LEAVES = new Set([
  'StringLiteral',
  'NumericLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'BigIntLiteral',
  'RegExpLiteral',
  'TemplateElement',
  'ThisExpression',
]);

/** Calls `visit` for each child node, in the order of the node's fields. */
export const eachChild = (node: TreeNode, visit: (child: TreeNode, field: string) => void): void => {
  if (node.type === 'Identifier') {
    eachIn(node['decorators'], 'decorators', visit);
    eachIn(node['typeAnnotation'], 'typeAnnotation', visit);
    return;
  }
  if (LEAVES.has(node.type)) return;
  for (const field of Object.keys(node)) eachIn(node[field], field, visit);
};

const eachIn = (value: unknown, field: string, visit: (child: TreeNode, field: string) => void): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) if (isNode(item)) visit(item, field);
  } else if (typeof (value as { type?: unknown }).type === 'string') visit(value as TreeNode, field);
};

/** Whether a node is one of TypeScript's own, a type or not. */
export const isTypeScript = (node: TreeNode): boolean =>
  node.type.charCodeAt(0) === 84 && node.type.charCodeAt(1) === 83;

/** The expression inside of casts, `!` and type arguments. */
export const withoutCasts = (node: TreeNode | undefined): TreeNode | undefined => {
  let kept = node;
  while (kept && isTypeScript(kept)) kept = nodeAt(kept, 'expression');
  return kept;
};

/** Whether a node is a function of any kind, methods included. */
export const isFunction = (node: TreeNode): boolean =>
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ObjectMethod' ||
  node.type === 'ClassMethod' ||
  node.type === 'ClassPrivateMethod';

const ownsArguments = (node: TreeNode): boolean =>
  node.type === 'ClassBody' || (node.type !== 'ArrowFunctionExpression' && isFunction(node));

/**
 * Visits every node before its children, without recursion: a chain of ten thousand calls is a deep tree.
 *
 * @param visit - Returns `false` to leave the children out.
 */
export const walk = (root: TreeNode, visit: (node: TreeNode, place: Place) => boolean | undefined): void => {
  const nodes: TreeNode[] = [root];
  const places: Place[] = [{ parent: undefined, field: '', inFunction: false, inOwnArguments: false }];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const place = places.pop()!;
    if (visit(node, place) === false) continue;
    const parent = node;
    const inFunction = place.inFunction || isFunction(node);
    const inOwnArguments = place.inOwnArguments || ownsArguments(node);
    const first = nodes.length;
    let shared: Place | undefined;
    eachChild(node, (child, field) => {
      if (shared?.field !== field) shared = { parent, field, inFunction, inOwnArguments };
      nodes.push(child);
      places.push(shared);
    });
    reverseFrom(nodes, first);
    reverseFrom(places, first);
  }
};

/** A node with its place. */
export interface PlacedNode {
  readonly node: TreeNode;
  readonly place: Place;
  /** Its children were left out. */
  readonly isLeaf: boolean;
}

/**
 * Every node before its children, in the order of a walk, for those who read the same tree more than once.
 *
 * @param isLeaf - Says of which nodes the children are left out.
 */
export const flatten = (root: TreeNode, isLeaf: (node: TreeNode) => boolean): PlacedNode[] => {
  const flat: PlacedNode[] = [];
  walk(root, (node, place) => {
    const left = isLeaf(node);
    flat.push({ node, place, isLeaf: left });
    return !left;
  });
  return flat;
};

const reverseFrom = (list: unknown[], first: number): void => {
  for (let low = first, high = list.length - 1; low < high; low++, high--) {
    const kept = list[low];
    list[low] = list[high];
    list[high] = kept;
  }
};
