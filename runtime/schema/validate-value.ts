import { isFrozenSnapshot } from '../core/json.js';
import { isMatchNoted, noteMatch } from '../core/snapshot-mark.js';
import type { JsonSchemaNode } from './json-schema.js';
import { isPlainMatch } from './plain-match.js';
import { walkSubset } from './subset-walk.js';

/**
 * Finds out in what a value differs from a schema of the subset.
 *
 * Total for any value: what throws when it is looked at is not lossless JSON. An object's diagnostics come in this order:
 * missing required properties, what is wrong with declared ones, undeclared ones; defaults are never applied. A container
 * without any of these must also be lossless JSON as a whole. Depth is no limit.
 *
 * @param schema must have been asserted, and must not change afterwards
 * @param path what the value is called; an empty one leaves properties bare and calls the value itself `arguments`
 * @default path 'value'
 * @returns one line per mismatch, each with its path; empty when the value is valid
 * @throws {TypeError} only when a schema that was never asserted has an unknown `type`
 * @example
 * validateJsonSchemaValue({ type: 'array', items: { type: 'string' } }, ['a', 1])
 * // ['value[1]: wanted a string, received 1']
 */
export function validateJsonSchemaValue(schema: JsonSchemaNode, value: unknown, path = 'value'): string[] {
  if (isMatchNoted(value, schema)) return [];
  if (!isPlainMatch(schema, value, isFrozenSnapshot(value))) return walkSubset(schema, value, path);
  noteMatch(value, schema);
  return [];
}
