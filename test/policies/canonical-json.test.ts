import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#dist/policies/canonical-json.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';

/** The same value with the keys of every object turned round. */
function turned(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => turned(item as JsonValue));
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>)
      .reverse()
      .map(([key, part]) => [key, turned(part)]),
  );
}

describe('canonicalJson', () => {
  it('Q16: the text is JSON of the same value, and the same text whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const value = JSON.parse(JSON.stringify(raw)) as JsonValue;
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(turned(value))).toBe(text);
      }),
    );
  });

  it('Q16: keys of any name and any depth are written', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"10":2,"9":3},"a":[]}') as JsonValue)).toBe(
      '{"__proto__":{"10":2,"9":3},"a":[],"b":1}',
    );
    let deep: JsonValue = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(canonicalJson(deep)).toHaveLength(40_001);
  });
});
