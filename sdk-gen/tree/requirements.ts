import type { Arena } from './arena.js';
import { intersectionOf } from './intersection.js';
import type { NodeId, TypeNode } from './type-node.js';
import { isAtom, JSON_TYPE, unionOf } from './union.js';

/** Above this many properties a base object is not written once per branch. */
const REPEATED_PROPERTIES = 8;

type ObjectNode = Extract<TypeNode, { kind: 'object' }>;

/**
 * The intersection of types, with "at least one of these properties" (branches that only require) put into the object
 * that they belong to.
 */
export function withRequirements(arena: Arena, ids: readonly NodeId[]): NodeId {
  if (ids.length === 1) return ids[0]!;
  const choices = ids.filter((id) => isChoice(arena, id));
  const base = intersectionOf(
    arena,
    ids.filter((id) => !choices.includes(id)),
  );
  let result = base;
  for (const choice of choices) result = applyChoice(arena, result, choice);
  return result;
}

function applyChoice(arena: Arena, base: NodeId, choice: NodeId): NodeId {
  const object = arena.node(base);
  const union = arena.node(choice);
  if (union.kind !== 'union' || object.kind !== 'object' || object.index !== undefined) {
    return intersectionOf(arena, [base, choice]);
  }
  const branches = union.members.map((id) => arena.node(arena.bare(id)) as ObjectNode);
  if (object.properties.length <= REPEATED_PROPERTIES) {
    return unionOf(
      arena,
      union.members.map((member) => intersectionOf(arena, [base, arena.bare(member)])),
    );
  }
  const types = new Map(object.properties.map(({ key, type }) => [key, type]));
  const requirements = branches.map((branch) =>
    arena.add({
      kind: 'object',
      extra: 'undeclared',
      properties: branch.properties.map((property) => ({
        ...property,
        type: types.get(property.key) ?? property.type,
      })),
    }),
  );
  return arena.add({ kind: 'intersection', members: [base, unionOf(arena, requirements)] });
}

/** A union whose branches say only which properties must be there. */
function isChoice(arena: Arena, id: NodeId): boolean {
  const node = arena.node(id);
  return node.kind === 'union' && node.members.every((member) => isRequirement(arena, arena.bare(member)));
}

function isRequirement(arena: Arena, id: NodeId): boolean {
  const node = arena.node(id);
  return (
    node.kind === 'object' &&
    node.extra === 'undeclared' &&
    node.index === undefined &&
    node.properties.every(({ type, optional }) => !optional && isAtom(arena, type, JSON_TYPE))
  );
}
