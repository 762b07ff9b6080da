import type { JsonValue } from '../runtime/core/json-value.js';

/**
 * JSON text in which the order of keys does not matter: objects are written with their keys sorted, at every level.
 *
 * @example
 * canonicalJson({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonicalJson(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const sorted = Object.keys(part)
      .sort()
      .map((key) => [key, (part as Record<string, unknown>)[key]] as const);
    return Object.fromEntries(sorted);
  });
}
