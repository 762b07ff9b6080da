import type { Refusal } from './survey.js';
import { nodeAt, nodesAt, type PlacedNode, type TreeNode, walk } from './tree.js';

/**
 * A name that one declaration of an `enum` or `namespace` takes from another one of the same name: what it means there is
 * lost when each is rewritten by itself, where the outer name of that spelling would be read instead.
 *
 * Scopes are not told apart: a name that is also a parameter is refused too, which one declaration for all avoids.
 */
export const mergedRefusal = (nodes: readonly PlacedNode[]): Refusal | undefined => {
  for (const declarations of declarationsByName(nodes)) {
    const members = declarations.map(membersOf);
    for (const [index, declaration] of declarations.entries()) {
      const own = members[index]!;
      const others = new Set(members.flatMap((names, at) => (at === index ? [] : [...names])));
      const taken = firstReference(declaration, (name) => others.has(name) && !own.has(name));
      if (taken) return refusalOf(declaration, taken);
    }
  }
  return undefined;
};

const refusalOf = (declaration: TreeNode, taken: TreeNode): Refusal => {
  const kind = declaration.type === 'TSEnumDeclaration' ? 'enum' : 'namespace';
  const name = String(nodeAt(declaration, 'id')?.['name']);
  return {
    offset: taken.start,
    reason: `\`${String(taken['name'])}\` is declared in another part of ${kind} "${name}", which is not available here`,
    instead: 'merged',
  };
};

/** The declarations of enums and of namespaces that share a name with another one of their kind. */
const declarationsByName = (nodes: readonly PlacedNode[]): TreeNode[][] => {
  const found = new Map<string, TreeNode[]>();
  for (const { node, isLeaf } of nodes) {
    if (isLeaf || (node.type !== 'TSEnumDeclaration' && node.type !== 'TSModuleDeclaration')) continue;
    const key = `${node.type} ${String(nodeAt(node, 'id')?.['name'])}`;
    const same = found.get(key);
    if (same) same.push(node);
    else found.set(key, [node]);
  }
  return [...found.values()].filter((same) => same.length > 1);
};

const membersOf = (declaration: TreeNode): Set<string> => {
  const names = new Set<string>();
  const add = (id: TreeNode | undefined) => {
    if (id) names.add(String(id['name'] ?? id['value']));
  };
  for (const member of nodesAt(declaration, 'members')) add(nodeAt(member, 'id'));
  const body = nodeAt(declaration, 'body');
  // `namespace A.B` holds one namespace.
  if (body?.type === 'TSModuleDeclaration') add(nodeAt(body, 'id'));
  for (const statement of body ? nodesAt(body, 'body') : []) {
    const declared = nodeAt(statement, 'declaration') ?? statement;
    add(nodeAt(declared, 'id'));
    for (const one of nodesAt(declared, 'declarations')) addBound(one, add);
  }
  return names;
};

/** Every name of a pattern; defaults count too, which only spares them. */
const addBound = (declarator: TreeNode, add: (id: TreeNode) => void): void => {
  const id = nodeAt(declarator, 'id');
  if (!id) return;
  walk(id, (node) => {
    if (node.type === 'Identifier') add(node);
    return undefined;
  });
};

const firstReference = (declaration: TreeNode, isTaken: (name: string) => boolean): TreeNode | undefined => {
  let first: TreeNode | undefined;
  walk(declaration, (node, { parent, field }) => {
    if (first || node.type.startsWith('TSType') || node.type === 'TSInterfaceDeclaration') return false;
    const isKey = (field === 'property' || field === 'key') && parent?.['computed'] !== true;
    const isName = field === 'id' || field === 'label' || (isKey && parent?.['shorthand'] !== true);
    if (node.type === 'Identifier' && !isName && isTaken(String(node['name']))) first = node;
    return undefined;
  });
  return first;
};
