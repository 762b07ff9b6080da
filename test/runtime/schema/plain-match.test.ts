import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozenSnapshot, snapshotJsonValue } from '#dist/runtime/core/json.js';
import type { JsonSchemaNode } from '#dist/runtime/schema/json-schema.js';
import { isPlainMatch } from '#dist/runtime/schema/plain-match.js';
import { walkSubset } from '#dist/runtime/schema/subset-walk.js';
import { validateJsonSchemaValue } from '#dist/runtime/schema/validate-value.js';

const walk = (schema: JsonSchemaNode, value: unknown) => walkSubset(schema, value, 'value');

const key = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__');
const scalarSchema: fc.Arbitrary<JsonSchemaNode> = fc.constantFrom<JsonSchemaNode>(
  { type: 'string' },
  { type: 'number' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'null' },
  { type: 'string', enum: ['x', 'y'] },
  { type: 'integer', const: 1 },
  {},
);

const { schema: anySchema } = fc.letrec<{ schema: JsonSchemaNode }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalarSchema,
    fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
    fc.constant<JsonSchemaNode>({ type: 'array' }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 2, maxLength: 3 }) }),
    fc
      .record({
        keys: fc.uniqueArray(key, { maxLength: 3 }),
        children: fc.array(tie('schema'), { minLength: 3, maxLength: 3 }),
        required: fc.array(fc.nat(2), { maxLength: 2 }),
        closed: fc.boolean(),
      })
      .map(({ keys, children, required, closed }): JsonSchemaNode => {
        const properties = Object.fromEntries(keys.map((name, index) => [name, children[index]!]));
        return {
          type: 'object',
          properties,
          required: [
            ...new Set(required.filter((index) => index < keys.length).map((index) => keys[index]!)),
          ],
          ...(closed && { additionalProperties: false }),
        };
      }),
  ),
}));

/** Values that a schema may or may not describe, lossy and exotic ones among them. */
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<unknown>('x', 'z', 0, 1, 1.5, -0, Number.NaN, true, null, undefined, 1n),
    fc.constantFrom<unknown>(
      new Map(),
      Array(1),
      Object.assign([1], { extra: 1 }),
      { [Symbol('s')]: 1 },
      Object.create(null),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** A value made after a schema, so that matches are common. */
function fitting(schema: JsonSchemaNode, pick: number): unknown {
  if (schema.oneOf !== undefined) return fitting(schema.oneOf[pick % schema.oneOf.length]!, pick);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, child]) => [name, fitting(child, pick + 1)]),
      );
    case 'array':
      return pick % 2 === 0 ? [] : [fitting(schema.items ?? {}, pick + 1)];
    case 'string':
      return 'text';
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return pick;
  }
}

describe('the quick way through validation', () => {
  it('V13, V15, V18: what it accepts the walker accepts, whatever the value', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        if (isPlainMatch(schema, value)) expect(walk(schema, value)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('V13, V18: of plain values it accepts exactly what the walker accepts', () => {
    fc.assert(
      fc.property(anySchema, fc.nat(5), anyValue, fc.boolean(), (schema, pick, other, fits) => {
        const value = snapshotJsonValue(fits ? fitting(schema, pick) : other);
        if (value === undefined) return;
        expect(isPlainMatch(schema, value)).toBe(walk(schema, value).length === 0);
      }),
      { numRuns: 3_000 },
    );
  });

  it('P42, V13, V18: of a frozen snapshot it accepts the same, without a look at whether it is lossless', () => {
    fc.assert(
      fc.property(anySchema, fc.nat(5), anyValue, fc.boolean(), (schema, pick, other, fits) => {
        const value = frozenSnapshot(fits ? fitting(schema, pick) : other);
        if (value === undefined) return;
        expect(isPlainMatch(schema, value, true)).toBe(walk(schema, value).length === 0);
        // The second time it is remembered.
        for (const _ of [1, 2]) expect(validateJsonSchemaValue(schema, value)).toEqual(walk(schema, value));
      }),
      { numRuns: 3_000 },
    );
  });

  it('V18: that a frozen snapshot matched one schema says nothing of another one, and a mutable value is looked at again', () => {
    const text: JsonSchemaNode = { type: 'object', properties: { a: { type: 'string' } } };
    const number: JsonSchemaNode = { type: 'object', properties: { a: { type: 'number' } } };
    const snapshot = frozenSnapshot({ a: 'x' });
    const lines = [text, number, text, number].map(
      (schema) => validateJsonSchemaValue(schema, snapshot).length,
    );
    expect(lines).toEqual([0, 1, 0, 1]);
    const mutable: { a: unknown } = { a: 'x' };
    expect(validateJsonSchemaValue(text, mutable)).toEqual([]);
    mutable.a = 1;
    expect(validateJsonSchemaValue(text, mutable)).toEqual(['value.a: wanted a string, received 1']);
  });

  it('V13: what it cannot tell is left to the walker: containers of another realm, null prototypes and great depth', () => {
    const schema: JsonSchemaNode = {
      oneOf: [{ type: 'object', properties: { a: { type: 'integer' } } }, { type: 'integer' }],
    };
    for (const value of [runInNewContext('({ a: 1 })'), Object.assign(Object.create(null), { a: 1 })]) {
      expect(isPlainMatch(schema, value)).toBe(false);
      expect(validateJsonSchemaValue(schema, value)).toEqual([]);
    }
    let deep: unknown = 1;
    let deepSchema: JsonSchemaNode = { type: 'integer' };
    for (let level = 0; level < 5_000; level += 1) {
      deep = [deep];
      deepSchema = { type: 'array', items: deepSchema };
    }
    expect(isPlainMatch(deepSchema, deep)).toBe(false);
    expect(validateJsonSchemaValue(deepSchema, deep)).toEqual([]);
  });

  it('V18: an alternative that it cannot tell does not count as unmatched', () => {
    const both: JsonSchemaNode = { oneOf: [{ type: 'object' }, { type: 'object', properties: {} }] };
    const schema: JsonSchemaNode = { oneOf: [{ type: 'integer' }, { type: 'array', items: both }] };
    for (const value of [[Object.create(null)], [{}]]) {
      expect(validateJsonSchemaValue(schema, value)).toEqual([
        'value: wanted a match of exactly one of 2 alternatives, received a match of 0',
      ]);
    }
  });

  it('V13: it never throws, and a schema that was never asserted still throws in the walker', () => {
    const hostile = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error('trap');
        },
      },
    );
    expect(isPlainMatch({ type: 'object' }, hostile)).toBe(false);
    expect(isPlainMatch({ type: 'alien' } as never, 1)).toBe(false);
    expect(() => validateJsonSchemaValue({ type: 'alien' } as never, 1)).toThrow(TypeError);
  });
});
