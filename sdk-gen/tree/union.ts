import type { Arena } from './arena.js';
import type { NodeId } from './type-node.js';

/** The type of any JSON value. */
export const JSON_TYPE = 'JsonValue';

/** The union of some types: branches of one shape once, `never` left out, and nothing beside a type that holds all. */
export function unionOf(arena: Arena, ids: readonly NodeId[]): NodeId {
  if (ids.length === 1) return ids[0]!;
  const members: NodeId[] = [];
  const shapes = new Set<number>();
  for (const id of ids) {
    const bare = arena.node(arena.bare(id));
    if (bare.kind === 'atom') {
      if (bare.text === 'unknown') return id;
      if (bare.text === 'never') continue;
    }
    if (shapes.has(arena.shape(id))) continue;
    shapes.add(arena.shape(id));
    members.push(id);
  }
  const any = members.find((id) => isAtom(arena, id, JSON_TYPE));
  if (any !== undefined) return any;
  if (members.length === 0) return arena.atom('never');
  return members.length === 1 ? members[0]! : arena.add({ kind: 'union', members });
}

/** Tells whether a node is that one word, documentation aside. */
export function isAtom(arena: Arena, id: NodeId, text: string): boolean {
  const node = arena.node(arena.bare(id));
  return node.kind === 'atom' && node.text === text;
}
