import type { Arena } from './arena.js';
import { NodeFlag } from './flags.js';
import { isRecord, type JsonRecord, own, strings } from './schema-reader.js';
import {
  childrenOf,
  type ExtraProperties,
  type NodeId,
  type PropertyNode,
  type TypeDoc,
} from './type-node.js';
import { isAtom, JSON_TYPE, unionOf } from './union.js';

/** What an object schema says about properties that it does not name. */
function extraOf(schema: JsonRecord): { extra: ExtraProperties; schema?: unknown } {
  const value = own(schema, 'additionalProperties');
  if (value === false) return { extra: 'closed' };
  if (value === true || (isRecord(value) && Object.keys(value).length === 0)) return { extra: 'open' };
  return isRecord(value) ? { extra: 'undeclared', schema: value } : { extra: 'undeclared' };
}

/** An object schema, read: what must be built of it, and what it says about its properties. */
export interface ObjectParts {
  readonly named: readonly string[];
  /** The schemas of the named properties, then those of all others. */
  readonly schemas: readonly unknown[];
  readonly isRequired: (key: string) => boolean;
  /** Required properties that are not declared. */
  readonly added: readonly string[];
  readonly extra: ExtraProperties;
  readonly hasProperties: boolean;
}

/** Reads the keywords of `type: object`. */
export function objectParts(schema: JsonRecord): ObjectParts {
  const declared = own(schema, 'properties');
  const hasProperties = isRecord(declared);
  const named = hasProperties ? Object.keys(declared) : [];
  const schemas: unknown[] = [];
  for (const key of named) schemas.push((declared as JsonRecord)[key]);
  const wanted = strings(own(schema, 'required'));
  const patterned = own(schema, 'patternProperties');
  if (isRecord(patterned)) for (const key of Object.keys(patterned)) schemas.push(patterned[key]);
  const { extra, schema: extraSchema } = extraOf(schema);
  if (extraSchema !== undefined) schemas.push(extraSchema);
  return {
    named,
    schemas,
    isRequired: membership(wanted),
    added: undeclaredOf(wanted, declared),
    extra,
    hasProperties,
  };
}

/**
 * The type of an object schema whose parts are built, in the order of their schemas.
 *
 * @param isRoot whether this is a tool's arguments: `properties: {}` is then `{}`, not a record.
 */
export function objectType(
  arena: Arena,
  { named, isRequired, added, extra, hasProperties }: ObjectParts,
  isRoot: boolean,
  built: readonly NodeId[],
): NodeId {
  const indexTypes = built.slice(named.length);
  const hasIndex = indexTypes.length > 0;
  if (hasIndex && extra === 'open') indexTypes.push(arena.atom(JSON_TYPE));
  const properties: PropertyNode[] = [];
  for (let i = 0; i < named.length; i += 1)
    properties.push(property(arena, named[i]!, !isRequired(named[i]!), built[i]!));
  if (added.length > 0) {
    const undeclared = extra === 'closed' && !hasIndex ? arena.atom('never') : arena.atom(JSON_TYPE);
    for (const key of added) properties.push(property(arena, key, false, undeclared));
  }
  if (properties.length === 0) {
    if (hasIndex) return arena.add({ kind: 'record', value: unionOf(arena, indexTypes) });
    if (isRoot && hasProperties) return arena.add({ kind: 'object', properties, extra });
    return arena.add({ kind: 'record', value: arena.atom(extra === 'closed' ? 'never' : JSON_TYPE) });
  }
  if (!hasIndex) return arena.add({ kind: 'object', properties, extra });
  const absent = properties.some(({ optional }) => optional) ? [arena.atom('undefined')] : [];
  const index = indexType(arena, [...indexTypes, ...properties.map(({ type }) => type)], absent);
  return arena.add({ kind: 'object', properties, index, extra });
}

/** A list is read faster than a set is made, as long as it is short. */
function membership(keys: readonly string[]): (key: string) => boolean {
  if (keys.length <= 8) return (key) => keys.includes(key);
  const set = new Set(keys);
  return (key) => set.has(key);
}

/** The required properties that are not declared, each once. */
function undeclaredOf(wanted: readonly string[], declared: unknown): string[] {
  const missing = wanted.filter((key) => !isRecord(declared) || !Object.hasOwn(declared, key));
  return missing.length < 2 ? missing : [...new Set(missing)];
}

/** To TypeScript a value with an optional tuple position, or an index that may be absent, is no JsonValue. */
const isJson = new NodeFlag((node, child) => {
  if (node.kind === 'ref') return false;
  if (node.kind === 'atom') return node.text !== 'undefined' && node.text !== 'unknown';
  if (node.kind === 'tuple' && node.min < node.items.length) return false;
  return childrenOf(node).every(child);
});

/** A type wide enough for everything that an object holds. */
function indexType(arena: Arena, types: readonly NodeId[], absent: readonly NodeId[]): NodeId {
  const index = unionOf(arena, types);
  const rest = isAtom(arena, index, JSON_TYPE) ? types.filter((type) => !isJson.of(arena, type)) : [];
  const members = [index, ...rest, ...absent];
  return members.length === 1 ? index : arena.add({ kind: 'union', members });
}

function property(arena: Arena, key: string, optional: boolean, id: NodeId): PropertyNode {
  const node = arena.node(id);
  if (node.kind !== 'documented') return { key, optional, type: id };
  const doc: TypeDoc = node.doc;
  return { key, optional, type: node.type, doc };
}
