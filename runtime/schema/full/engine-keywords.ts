import type { JsonValue } from '../../core/json-value.js';

/** Our keyword for `enum` and `const` when they hold arrays or objects. */
export const LITERALS_KEYWORD = 'literals';

/** Our keyword for a `required` property whose name is empty: the engine takes that name for "nothing is missing". */
export const EMPTY_NAME_KEYWORD = 'requiresEmptyName';

/**
 * The JSON text of a value with the keys of every object sorted: equal values have equal texts.
 *
 * @throws {RangeError} when the value is nested deeper than the stack
 * @example
 * canonicalJson({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as { readonly [key: string]: JsonValue };
  const members = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key]!)}`);
  return `{${members.join(',')}}`;
}

/**
 * Whether no two items are equal; linear in the size of the array.
 *
 * @example
 * hasUniqueItems([{ a: 1, b: 2 }, { b: 2, a: 1 }]) // false
 */
export function hasUniqueItems(items: readonly JsonValue[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonicalJson(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/**
 * A test for being equal to one of several values.
 *
 * @example
 * literalsTest([[1], { a: 2 }])({ a: 2 }) // true
 */
export function literalsTest(literals: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(literals.map(canonicalJson));
  return (value) => texts.has(canonicalJson(value));
}
