import type { Arena } from './arena.js';
import type { NodeId, PropertyNode, TypeNode } from './type-node.js';
import { isAtom, JSON_TYPE, unionOf } from './union.js';

/** How deep two types are merged before they are left as `A & B`. */
const MERGE_DEPTH = 8;
/** Above this many properties two objects are left as `A & B`. */
const MERGE_PROPERTIES = 1000;
/** Above this many branches a union is not distributed over. */
const MERGE_BRANCHES = 64;

type ObjectNode = Extract<TypeNode, { kind: 'object' }>;

/** The intersection of some types: merged where it can be, else `A & B`. */
export function intersectionOf(arena: Arena, ids: readonly NodeId[]): NodeId {
  let result: NodeId | undefined;
  for (const id of ids) result = result === undefined ? id : pair(arena, result, id, 0);
  return result ?? arena.atom(JSON_TYPE);
}

function pair(arena: Arena, left: NodeId, right: NodeId, depth: number): NodeId {
  if (arena.shape(left) === arena.shape(right)) return arena.node(left).kind === 'documented' ? left : right;
  for (const top of [JSON_TYPE, 'unknown']) {
    if (isAtom(arena, left, top)) return right;
    if (isAtom(arena, right, top)) return left;
  }
  if (isAtom(arena, left, 'never') || isAtom(arena, right, 'never')) return arena.atom('never');
  const a = arena.bare(left);
  const b = arena.bare(right);
  const one = arena.node(a);
  const two = arena.node(b);
  if (one.kind === 'atom' && two.kind === 'atom') return narrower(arena, a, b, one.text, two.text);
  const families = [family(arena, a), family(arena, b)];
  if (families[0] !== undefined && families[1] !== undefined && families[0] !== families[1]) {
    return arena.atom('never');
  }
  if (isAnyObject(arena, one) && isObjectLike(arena, b)) return right;
  if (isAnyObject(arena, two) && isObjectLike(arena, a)) return left;
  if (depth < MERGE_DEPTH) {
    const merged = merge(arena, a, b, one, two, depth + 1);
    if (merged !== undefined) return merged;
  }
  return arena.add({ kind: 'intersection', members: [...parts(one, a), ...parts(two, b)] });
}

function merge(
  arena: Arena,
  a: NodeId,
  b: NodeId,
  one: TypeNode,
  two: TypeNode,
  depth: number,
): NodeId | undefined {
  if (one.kind === 'object' && two.kind === 'object') return mergeObjects(arena, one, two, depth);
  if (one.kind === 'array' && two.kind === 'array') {
    return arena.add({ kind: 'array', item: pair(arena, one.item, two.item, depth) });
  }
  if (one.kind === 'array' && two.kind === 'tuple' && isAtom(arena, one.item, JSON_TYPE)) return b;
  if (one.kind === 'tuple' && two.kind === 'array' && isAtom(arena, two.item, JSON_TYPE)) return a;
  if (one.kind === 'union' && isFlat(arena, one.members, two, b)) {
    return unionOf(
      arena,
      one.members.map((member) => pair(arena, member, b, depth)),
    );
  }
  if (two.kind === 'union' && isFlat(arena, two.members, one, a)) {
    return unionOf(
      arena,
      two.members.map((member) => pair(arena, a, member, depth)),
    );
  }
  return undefined;
}

/** Distributing pays only where each branch then falls away or stays as it is, so that nothing is repeated. */
function isFlat(arena: Arena, members: readonly NodeId[], other: TypeNode, otherId: NodeId): boolean {
  if (members.length > MERGE_BRANCHES) return false;
  const kept = members.filter((member) => {
    const first = family(arena, arena.bare(member));
    const second = family(arena, otherId);
    return first === undefined || second === undefined || first === second;
  });
  if (other.kind === 'atom') return true;
  if (other.kind === 'union') return kept.every((member) => arena.node(arena.bare(member)).kind === 'atom');
  return kept.length <= 1;
}

function mergeObjects(arena: Arena, one: ObjectNode, two: ObjectNode, depth: number): NodeId | undefined {
  if (one.index !== undefined || two.index !== undefined) return undefined;
  if (one.properties.length + two.properties.length > MERGE_PROPERTIES) return undefined;
  const never = arena.atom('never');
  const others = new Map(two.properties.map((property) => [property.key, property]));
  const properties: PropertyNode[] = one.properties.map((property) => {
    const other = others.get(property.key);
    if (other === undefined) return two.extra === 'closed' ? { ...property, type: never } : property;
    others.delete(property.key);
    const doc = property.doc ?? other.doc;
    return {
      key: property.key,
      optional: property.optional && other.optional,
      type: pair(arena, property.type, other.type, depth),
      ...(doc === undefined ? {} : { doc }),
    };
  });
  for (const property of others.values()) {
    properties.push(one.extra === 'closed' ? { ...property, type: never } : property);
  }
  const extras = [one.extra, two.extra];
  const extra = extras.includes('closed') ? 'closed' : extras.includes('open') ? 'open' : 'undeclared';
  return arena.add({ kind: 'object', properties, extra });
}

function narrower(arena: Arena, a: NodeId, b: NodeId, one: string, two: string): NodeId {
  if (familyOfAtom(one) !== familyOfAtom(two)) return arena.atom('never');
  if (one === familyOfAtom(one)) return b;
  return two === familyOfAtom(two) ? a : arena.atom('never');
}

function familyOfAtom(text: string): string {
  if (text.startsWith('"')) return 'string';
  if (text === 'true' || text === 'false') return 'boolean';
  return /^-?[0-9]/.test(text) ? 'number' : text;
}

/** What kind of JSON value a type holds, when it holds only one kind. */
function family(arena: Arena, id: NodeId): string | undefined {
  const node = arena.node(id);
  if (node.kind === 'atom') return familyOfAtom(node.text);
  if (node.kind === 'array' || node.kind === 'tuple') return 'array';
  return node.kind === 'object' || node.kind === 'record' ? 'object' : undefined;
}

function isAnyObject(arena: Arena, node: TypeNode): boolean {
  return node.kind === 'record' && isAtom(arena, node.value, JSON_TYPE);
}

function isObjectLike(arena: Arena, id: NodeId): boolean {
  const node = arena.node(id);
  if (node.kind === 'union') return node.members.every((member) => isObjectLeaf(arena, member));
  if (node.kind === 'intersection') return node.members.some((member) => isObjectLeaf(arena, member));
  return isObjectLeaf(arena, id);
}

function isObjectLeaf(arena: Arena, id: NodeId): boolean {
  const node = arena.node(arena.bare(id));
  if (node.kind === 'intersection') return true;
  return node.kind === 'object' || node.kind === 'record' || node.kind === 'ref';
}

const parts = (node: TypeNode, id: NodeId): readonly NodeId[] =>
  node.kind === 'intersection' ? node.members : [id];
