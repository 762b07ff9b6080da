import { isFunction, nodeAt, nodesAt, type TreeNode, walk } from './tree.js';

/** The last function that a program declares at its top and mentions nowhere else. */
export const uncalledFunction = (program: TreeNode): string | undefined => {
  const declared = new Map<string, TreeNode>();
  for (const node of nodesAt(program, 'body')) {
    const id = node.type === 'FunctionDeclaration' ? nodeAt(node, 'id') : undefined;
    if (id) declared.set(String(id['name']), node);
    for (const one of node.type === 'VariableDeclaration' ? nodesAt(node, 'declarations') : []) {
      const init = nodeAt(one, 'init');
      const name = nodeAt(one, 'id');
      if (init && name?.type === 'Identifier' && isFunction(init)) declared.set(String(name['name']), one);
    }
  }
  if (declared.size === 0) return undefined;
  walk(program, (node) => {
    if (node.type !== 'Identifier') return undefined;
    const name = String(node['name']);
    const own = declared.get(name);
    // A function that only calls itself is not called.
    if (own && (node.start < own.start || node.start >= own.end)) declared.delete(name);
    return undefined;
  });
  return [...declared.keys()].at(-1);
};
