import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapshotJsonValue } from '#dist/runtime/core/json.js';
import { assertSupportedJsonSchema } from '#dist/runtime/schema/assert-schema.js';
import type { JsonSchemaNode } from '#dist/runtime/schema/json-schema.js';
import { walkSubset } from '#dist/runtime/schema/subset-walk.js';
import { validateArgs } from '#dist/runtime/schema/validate-args.js';
import { validateJsonSchemaValue } from '#dist/runtime/schema/validate-value.js';
import { jsonValue } from './arbitrary-schema.ts';

/** The violations by an asserted schema. */
function violationsOf(schema: object, value: unknown, path?: string): string[] {
  assertSupportedJsonSchema(schema);
  return path === undefined
    ? validateJsonSchemaValue(schema, value)
    : validateJsonSchemaValue(schema, value, path);
}

const pathsOf = (schema: object, value: unknown) =>
  violationsOf(schema, value).map((line) => line.split(': ')[0]);

const raise = (): never => {
  throw new Error('trap');
};

const open = { type: 'object' };
const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };

describe('any value', () => {
  it('V13, E31: what throws when it is looked at is one lossless violation at the nearest node', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const getter = Object.defineProperty({ b: 1 }, 'a', { enumerable: true, get: raise });
    const trapped = new Proxy({ a: 'x' }, { getPrototypeOf: raise });
    const schemas = [open, closed, {}, { type: 'array' }, { oneOf: [closed, { type: 'array' }] }];
    for (const value of [revoked.proxy, getter, trapped, new Proxy([1], { ownKeys: raise })]) {
      for (const schema of schemas) expect(violationsOf(schema, value)).toHaveLength(1);
    }
    const lossless = /lossless JSON/;
    expect(violationsOf(closed, getter)[0]).toMatch(/^value: /);
    expect(violationsOf(open, trapped)[0]).toMatch(lossless);
    expect(violationsOf({}, revoked.proxy)[0]).toMatch(lossless);
    const nested = {
      type: 'object',
      properties: { list: { type: 'array', items: closed }, last: { type: 'null' } },
    };
    expect(violationsOf(nested, { list: [{ a: 'x' }, getter], last: 1 })).toEqual([
      expect.stringMatching(/^value\.list\[1\]: wanted lossless JSON/),
      'value.last: wanted null, received 1',
    ]);
  });

  it('V13: a throw replaces what was found before it in the same node', () => {
    const value = Object.defineProperty({ a: 1 }, 'late', { enumerable: true, get: raise });
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    expect(violationsOf(schema, value)).toEqual([expect.stringMatching(/^value: wanted lossless JSON/)]);
  });

  it('V13: only a type that no assertion would have passed throws', () => {
    expect(() => validateJsonSchemaValue({ type: 'date' } as never, 1)).toThrow(TypeError);
    expect(() => validateJsonSchemaValue({ oneOf: [{ type: 'date' }, {}] } as never, 1)).toThrow(TypeError);
    expect(() => validateJsonSchemaValue({ type: 'array', items: { type: 'x' } } as never, [1])).toThrow(
      TypeError,
    );
  });

  it('V13: nothing that fast-check can make throws', () => {
    const schemas: JsonSchemaNode[] = [
      {},
      { type: 'object' },
      { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      { oneOf: [{ type: 'integer' }, { type: 'array' }, { type: 'object', additionalProperties: false }] },
    ];
    fc.assert(
      fc.property(
        fc.anything({ withSparseArray: true, withBigInt: true, withDate: true, withMap: true }),
        (value) => {
          const isLossless = snapshotJsonValue(value) !== undefined;
          expect(violationsOf(schemas[0]!, value).length === 0).toBe(isLossless);
          for (const schema of schemas) if (!isLossless) expect(violationsOf(schema, value)).not.toEqual([]);
        },
      ),
    );
  });
});

describe('objects', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
    required: ['c', 'a'],
    additionalProperties: false,
  };

  it('V14: missing first, in the order of required; then declared, in the order of the schema; then undeclared', () => {
    expect(violationsOf(schema, { z: 1, b: 'x', y: 2 })).toEqual([
      'value.c: is required',
      'value.a: is required',
      'value.b: wanted a number, received "x"',
      'value.z: is not a declared property',
      'value.y: is not a declared property',
    ]);
  });

  it('V14, E26: present but undefined is missing when required, and not lossless when not', () => {
    expect(pathsOf(schema, { a: undefined, c: true })).toEqual(['value.a']);
    expect(violationsOf(schema, { a: 'x', c: true, b: undefined })).toEqual([
      'value: wanted an object of lossless JSON',
    ]);
  });

  it('V15: only a container without other violations is checked for being lossless', () => {
    expect(violationsOf(open, { x: undefined })).toEqual(['value: wanted an object of lossless JSON']);
    expect(violationsOf(open, new Map())).toEqual(['value: wanted an object of lossless JSON']);
    expect(violationsOf(open, Object.defineProperty({}, 'hidden', { value: 1 }))).toHaveLength(1);
    expect(violationsOf(open, { [Symbol('tag')]: 1 })).toHaveLength(1);
    expect(violationsOf({ type: 'array' }, [undefined])).toEqual([
      'value: wanted a dense array of lossless JSON',
    ]);
    expect(violationsOf(closed, { a: 1, x: undefined })).toEqual([
      'value.a: wanted a string, received 1',
      'value.x: is not a declared property',
    ]);
    const nested = { type: 'object', properties: { a: { type: 'number' }, b: open } };
    expect(pathsOf(nested, { a: 'x', b: { deep: undefined } })).toEqual(['value.a', 'value.b']);
    expect(pathsOf(nested, { a: 1, b: { deep: undefined } })).toEqual(['value.b']);
    expect(pathsOf(nested, { a: 1, b: { deep: [1] }, c: Number.NaN })).toEqual(['value']);
  });

  it('V16, E25: only own properties count, so constructor and toString are simply absent', () => {
    const inherited = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
      required: ['toString'],
      additionalProperties: false,
    };
    expect(violationsOf(inherited, {})).toEqual(['value.toString: is required']);
    expect(violationsOf(inherited, { toString: 'own' })).toEqual([]);
    const proto = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    expect(violationsOf(proto, {})).toEqual(['value.__proto__: is required']);
    expect(violationsOf(proto, JSON.parse('{"__proto__":"x"}'))).toEqual([]);
    expect(violationsOf(proto, JSON.parse('{"__proto__":1}'))).toHaveLength(1);
  });

  it('V23: an inherited keyword of a schema says nothing', () => {
    const schemaWithProto = Object.assign(Object.create({ oneOf: [{ type: 'null' }, {}], enum: ['x'] }), {
      type: 'string',
    });
    expect(validateJsonSchemaValue(schemaWithProto, 'y')).toEqual([]);
  });

  it('V27, V22, E34: objects are open by default, items are free by default, defaults are not applied', () => {
    const value = {};
    const withDefault = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
    expect(violationsOf(withDefault, value)).toEqual([]);
    expect(value).toEqual({});
    expect(violationsOf({ ...withDefault, required: ['a'] }, value)).toHaveLength(1);
    expect(violationsOf(open, { any: [1, { thing: null }] })).toEqual([]);
    expect(violationsOf({ type: 'object', additionalProperties: true }, { any: 1 })).toEqual([]);
    expect(violationsOf({ type: 'array' }, [1, 'x', null, {}, []])).toEqual([]);
  });

  it('V10, E20: containers of another realm are fine', () => {
    const foreign: unknown = runInNewContext('({ a: "x", list: [1, { b: null }] })');
    expect(violationsOf({ type: 'object', properties: { list: { type: 'array' } } }, foreign)).toEqual([]);
  });

  it('V14: only objects are objects', () => {
    for (const value of [null, [], 'x', 1, undefined, () => 1]) {
      expect(violationsOf(open, value)).toEqual([
        expect.stringMatching(/^value: wanted an object, received /),
      ]);
    }
  });
});

describe('arrays', () => {
  const strings = { type: 'array', items: { type: 'string' } };

  it('V17: items are checked one by one; holes are passed over, and then the array is not dense', () => {
    expect(violationsOf(strings, ['a', 1, 'b', null])).toEqual([
      'value[1]: wanted a string, received 1',
      'value[3]: wanted a string, received null',
    ]);
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expect(violationsOf(strings, ['a', , 'b'])).toEqual(['value: wanted a dense array of lossless JSON']);
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expect(violationsOf(strings, ['a', , 5])).toEqual(['value[2]: wanted a string, received 5']);
    expect(violationsOf(strings, Object.assign(['a'], { extra: 1 }))).toHaveLength(1);
    expect(violationsOf(strings, [undefined])).toEqual(['value[0]: wanted a string, received undefined']);
    expect(violationsOf({ type: 'array', items: {} }, [undefined])).toEqual([
      'value[0]: wanted lossless JSON, received undefined',
    ]);
  });

  it('V17: an array of four thousand million holes takes no time', () => {
    const sparse = Object.assign(new Array(4_294_967_295), { 7: 1 });
    expect(violationsOf(strings, sparse)).toEqual(['value[7]: wanted a string, received 1']);
  });

  it('V24, E32: wide arrays do not pass through call arguments', () => {
    const wide = new Array(200_000).fill(1);
    expect(violationsOf(strings, wide)).toHaveLength(200_000);
  });

  it('V17: only arrays are arrays', () => {
    for (const value of [{}, 'ab', null, { length: 0 }]) {
      expect(violationsOf(strings, value)).toEqual([
        expect.stringMatching(/^value: wanted an array, received /),
      ]);
    }
  });
});

describe('unions', () => {
  const numbers = { oneOf: [{ type: 'number' }, { type: 'integer' }] };

  it('V18, E28: exactly one branch matches, and the message says how many did', () => {
    expect(violationsOf(numbers, 1)).toEqual([
      'value: wanted a match of exactly one of 2 alternatives, received a match of 2',
    ]);
    expect(violationsOf(numbers, 1.5)).toEqual([]);
    expect(violationsOf(numbers, 'x')).toEqual([
      'value: wanted a match of exactly one of 2 alternatives, received a match of 0',
    ]);
    expect(violationsOf({ oneOf: [{}, {}, {}] }, 1)[0]).toMatch(/received a match of 3$/);
  });

  it('V18: what is wrong inside a branch does not surface, nor does it stop the rest', () => {
    const schema = {
      type: 'object',
      properties: { u: { oneOf: [closed, { type: 'array', items: closed }] }, v: { type: 'null' } },
    };
    expect(pathsOf(schema, { u: { a: 1, b: 2 }, v: 1 })).toEqual(['value.u', 'value.v']);
    expect(pathsOf(schema, { u: [{ a: 'x' }, { a: 1 }], v: null })).toEqual(['value.u']);
    expect(violationsOf(schema, { u: [{ a: 'x' }, {}], v: null })).toEqual([]);
    expect(pathsOf({ oneOf: [open, { type: 'null' }] }, { x: undefined })).toEqual(['value']);
  });

  it('V24, I10: 5 000 unions in each other are walked without a stack', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) schema = { oneOf: [{ type: 'null' }, schema] };
    expect(violationsOf(schema, 'bottom')).toEqual([]);
    expect(violationsOf(schema, 5)).toHaveLength(1);
    let list: object = { type: 'integer' };
    let value: unknown = 'no integer';
    for (let level = 0; level < 5_000; level += 1) {
      list = { type: 'array', items: list };
      value = [value];
    }
    expect(violationsOf(list, value)).toEqual([
      `value${'[0]'.repeat(5_000)}: wanted an integer, received "no integer"`,
    ]);
  });
});

describe('scalars', () => {
  it('V19: a number has two messages, an integer one', () => {
    expect(violationsOf({ type: 'number' }, '1')).toEqual(['value: wanted a number, received "1"']);
    for (const value of [Number.NaN, Infinity, -0]) {
      expect(violationsOf({ type: 'number' }, value)[0]).toMatch(
        /^value: wanted a finite number other than -0, received /,
      );
    }
    for (const value of [1.5, -0, Number.NaN, '1', null]) {
      expect(violationsOf({ type: 'integer' }, value)[0]).toMatch(/^value: wanted an integer, received /);
    }
    expect(violationsOf({ type: 'integer' }, 1e21)).toEqual([]);
  });

  it('V19: strings, booleans and null are what they say', () => {
    expect(violationsOf({ type: 'string' }, '')).toEqual([]);
    expect(violationsOf({ type: 'string' }, Object('boxed'))).toHaveLength(1);
    expect(violationsOf({ type: 'boolean' }, 0)).toEqual(['value: wanted true or false, received 0']);
    expect(violationsOf({ type: 'null' }, undefined)).toEqual(['value: wanted null, received undefined']);
  });

  it('V20: enum is checked before const', () => {
    const schema = { type: 'string', enum: ['a', 'b'], const: 'a' };
    expect(violationsOf(schema, 'c')).toEqual(['value: wanted one of "a", "b", received "c"']);
    expect(violationsOf(schema, 'b')).toEqual(['value: wanted "a", received "b"']);
    expect(violationsOf(schema, 'a')).toEqual([]);
    expect(violationsOf({ type: 'null', const: null }, null)).toEqual([]);
  });

  it('V20: a long list of choices is cut', () => {
    const choices = Array.from({ length: 500 }, (_, index) => `choice ${index}`);
    const [line] = violationsOf({ type: 'string', enum: choices }, 'x'.repeat(10_000));
    expect(line).toContain('… (500 in all)');
    expect(line!.length).toBeLessThan(600);
  });
});

describe('paths', () => {
  it('V21: value validation starts with its label', () => {
    const schema = { type: 'object', properties: { 'odd key': { type: 'array', items: closed } } };
    expect(violationsOf(schema, { 'odd key': [{ a: 1 }] }, 'result')).toEqual([
      'result["odd key"][0].a: wanted a string, received 1',
    ]);
    expect(violationsOf(schema, 5, 'result')[0]).toMatch(/^result: /);
  });

  it('V21, V22: parameters have bare paths, and the whole is called arguments', () => {
    const spec = {
      path: { type: 'string', required: true },
      config: {
        type: 'object',
        additionalProperties: false,
        properties: { host: { type: 'string', required: true } },
      },
      servers: {
        type: 'array',
        items: { type: 'object', additionalProperties: true, properties: { host: { type: 'string' } } },
      },
    } as const;
    expect(validateArgs(spec, { config: {}, servers: [{}, { host: 1 }], extra: 'allowed' })).toEqual([
      'path: is required',
      'config.host: is required',
      'servers[1].host: wanted a string, received 1',
    ]);
    expect(validateArgs(spec, { path: 'x', extra: undefined })).toEqual([
      'arguments: wanted an object of lossless JSON',
    ]);
  });

  it('V25: what is no object is exactly one violation', () => {
    for (const args of [null, 'x', [], 5, undefined]) {
      expect(validateArgs({ path: { type: 'string', required: true } }, args)).toEqual([
        expect.stringMatching(/^arguments: wanted an object, received /),
      ]);
    }
  });
});

describe('oracle', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'constructor');
  const node = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom({}, { type: 'null' }, { type: 'boolean' }, { type: 'string' }, { type: 'number' }),
      fc.constantFrom(
        { type: 'integer', enum: [1, 2, 3] },
        { type: 'string', const: 'a' },
        { type: 'integer' },
        { type: 'array' },
      ),
      fc.record({ type: fc.constant('array'), items: tie('node') }),
      fc.record({ oneOf: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
      fc
        .record({
          properties: fc.dictionary(key, tie('node'), { maxKeys: 3 }),
          isOpen: fc.boolean(),
          pick: fc.nat(7),
        })
        .map(({ properties, isOpen, pick }) => ({
          type: 'object',
          properties,
          required: Object.keys(properties).filter((_, index) => ((pick >> index) & 1) === 1),
          additionalProperties: isOpen,
        })),
    ),
  })).node;

  it('V14, V17, V18, V19, V20, V27: ajv and both of our ways accept the same values', () => {
    const ajv = new Ajv({ strict: false, ownProperties: true, addUsedSchema: false });
    fc.assert(
      fc.property(node, fc.array(jsonValue, { minLength: 1, maxLength: 5 }), (schema, values) => {
        assertSupportedJsonSchema(schema);
        const matches = ajv.compile(schema);
        for (const value of values) {
          const expected = matches(value);
          const violations = walkSubset(schema, value, 'value');
          expect({ value, valid: violations.length === 0, violations }).toEqual({
            value,
            valid: expected,
            violations,
          });
          expect(validateJsonSchemaValue(schema, value)).toEqual(violations);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
