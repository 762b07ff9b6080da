import { isJsonValue } from '../core/json.js';
import { isDenseArray, ownStringKeys } from '../core/plain.js';
import type { JsonSchemaNode } from './json-schema.js';
import { isScalarOf } from './scalar.js';
import { type ArrayNode, childNode, type ObjectNode, readNode, type SubsetNode } from './subset-node.js';

/** Deeper values are left to the walker, which needs no stack. */
const MAX_DEPTH = 64;

/** Thrown where only the walker can tell: a false answer could make an alternative look unmatched. */
const UNSURE = new Error('left to the walker');

/**
 * Whether a value surely matches a schema of the subset: the quick way for what is shallow, plain and right.
 *
 * `true` means that the walker would find nothing. `false` means nothing at all: the walker has to look. Total.
 *
 * @param schema must have been asserted, and must not change afterwards
 * @param isSnapshot whether the value came out of `frozenSnapshot`, so that it need not be found lossless again
 * @default isSnapshot false
 */
export function isPlainMatch(schema: JsonSchemaNode, value: unknown, isSnapshot = false): boolean {
  try {
    return matches(readNode(schema), value, isSnapshot, 0);
  } catch {
    return false;
  }
}

function matches(node: SubsetNode, value: unknown, isSnapshot: boolean, depth: number): boolean {
  switch (node.kind) {
    case 'scalar':
      return (
        isScalarOf(node.type, value) &&
        (node.choices === undefined || node.choices.includes(value)) &&
        (node.literal === undefined || node.literal === value)
      );
    case 'object':
      return matchesObject(node, value, isSnapshot, depth);
    case 'array':
      return matchesArray(node, value, isSnapshot, depth);
    case 'any':
      return isSnapshot || isJsonValue(value);
    case 'union': {
      if (depth > MAX_DEPTH) throw UNSURE;
      let matched = 0;
      for (const branch of node.branches) {
        if (matches(childNode(branch), value, isSnapshot, depth + 1)) matched += 1;
      }
      return matched === 1;
    }
  }
}

function matchesObject(node: ObjectNode, value: unknown, isSnapshot: boolean, depth: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (depth > MAX_DEPTH) throw UNSURE;
  if (!isSnapshot && Object.getPrototypeOf(value) !== Object.prototype) throw UNSURE;
  const keys = Object.keys(value);
  if (!isSnapshot && ownStringKeys(value)?.length !== keys.length) return false;
  for (const name of node.required) if (!Object.hasOwn(value, name)) return false;
  for (const key of keys) {
    const index = node.declared.get(key);
    if (index === undefined && node.closed) return false;
    const slot = (value as { readonly [key: string]: unknown })[key];
    const isMatch =
      index === undefined
        ? isSnapshot || isJsonValue(slot)
        : matches(childNode(node.properties[index]!), slot, isSnapshot, depth + 1);
    if (!isMatch) return false;
  }
  return true;
}

function matchesArray({ items }: ArrayNode, value: unknown, isSnapshot: boolean, depth: number): boolean {
  if (!Array.isArray(value)) return false;
  if (depth > MAX_DEPTH) throw UNSURE;
  if (items === undefined) return isSnapshot || isJsonValue(value);
  if (!isSnapshot && !isDenseArray(value)) return false;
  const node = childNode(items);
  const list: readonly unknown[] = value;
  const { length } = list;
  for (let index = 0; index < length; index += 1) {
    if (!matches(node, list[index], isSnapshot, depth + 1)) return false;
  }
  return list.length === length;
}
