import type { JsonValue } from '../../core/json-value.js';
import { memberPath } from '../path.js';

/** An object of a schema document. */
export type RawSchema = { readonly [key: string]: JsonValue };

const SINGLE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const MAPS = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * Whether a JSON value is an object.
 *
 * @example
 * isRecord([]) // false
 */
export function isRecord(value: JsonValue | undefined): value is RawSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An own member of a JSON object.
 *
 * @example
 * ownMember({ a: 1 }, 'toString') // undefined
 */
export function ownMember(record: RawSchema, key: string): JsonValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * The schema objects right below one, whichever edition they belong to, each with its path.
 *
 * @example
 * [...subschemas({ items: { type: 'string' } }, 'schema')] // [['schema.items', { type: 'string' }]]
 */
export function* subschemas(schema: RawSchema, path: string): Generator<readonly [string, RawSchema]> {
  for (const key of SINGLE) {
    const value = ownMember(schema, key);
    if (isRecord(value)) yield [memberPath(path, key), value];
  }
  for (const key of LISTS) {
    const value = ownMember(schema, key);
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) {
      if (isRecord(item)) yield [memberPath(memberPath(path, key), index), item];
    }
  }
  for (const key of MAPS) {
    const value = ownMember(schema, key);
    if (!isRecord(value)) continue;
    for (const [name, item] of Object.entries(value)) {
      if (isRecord(item)) yield [memberPath(memberPath(path, key), name), item];
    }
  }
}
