import { Arena } from '../tree/arena.js';
import type { ToolTree } from '../tree/tool-tree.js';
import type { NodeId, PropertyNode, TypeNode } from '../tree/type-node.js';
import { JSON_TYPE } from '../tree/union.js';

/** A tool's types as the checker reads them. */
export interface CheckedTypes {
  readonly arena: Arena;
  readonly args: NodeId;
  readonly result: NodeId;
}

/**
 * Copies a tool's tree for the checker: what is not known is `any`, documentation is gone, and an object is closed unless
 * its schema says otherwise.
 */
export function checkedTypes(tree: ToolTree): CheckedTypes {
  const arena = new Arena(false);
  const ids: NodeId[] = [];
  for (const node of tree.arena.nodes) ids.push(copy(arena, node, (id) => ids[id]!));
  for (const { body, hint } of tree.arena.declarations) arena.declarations.push({ body: ids[body]!, hint });
  return { arena, args: ids[tree.args]!, result: ids[tree.result]! };
}

function copy(arena: Arena, node: TypeNode, at: (id: NodeId) => NodeId): NodeId {
  switch (node.kind) {
    case 'atom':
      return arena.atom(node.text === JSON_TYPE || node.text === 'unknown' ? 'any' : node.text);
    case 'documented':
      return at(node.type);
    case 'union':
    case 'intersection':
      return arena.add({ kind: node.kind, members: node.members.map(at) });
    case 'array':
      return arena.add({ kind: 'array', item: at(node.item) });
    case 'tuple': {
      const rest = node.rest === undefined ? {} : { rest: at(node.rest) };
      return arena.add({ kind: 'tuple', items: node.items.map(at), min: node.min, ...rest });
    }
    case 'record':
      return arena.add({ kind: 'object', properties: [], index: at(node.value), extra: 'undeclared' });
    case 'object':
      return checkedObject(arena, node, at);
    case 'ref':
      return arena.add({ kind: 'ref', declaration: node.declaration });
  }
}

function checkedObject(
  arena: Arena,
  node: Extract<TypeNode, { kind: 'object' }>,
  at: (id: NodeId) => NodeId,
): NodeId {
  const any = arena.atom('any');
  const properties = node.properties.map((property) => checkedProperty(property, at, any));
  const isSealed = node.extra === 'closed' && properties.length === 0;
  const declared = node.index === undefined ? undefined : at(node.index);
  const index = isSealed ? arena.atom('never') : node.extra === 'open' ? any : declared;
  return arena.add({
    kind: 'object',
    properties,
    extra: 'undeclared',
    ...(index === undefined ? {} : { index }),
  });
}

function checkedProperty(property: PropertyNode, at: (id: NodeId) => NodeId, any: NodeId): PropertyNode {
  const { key, optional, type } = property;
  // To TypeScript every object already has `constructor`, `toString` … as functions: leaving one out must stay right.
  return { key, optional, type: optional && key in Object.prototype ? any : at(type) };
}
