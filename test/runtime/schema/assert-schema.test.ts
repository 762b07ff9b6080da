import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { JsonSchemaError } from '#dist/runtime/core/errors.js';
import { assertObjectJsonSchema, assertSupportedJsonSchema } from '#dist/runtime/schema/assert-schema.js';

function violationsOf(
  schema: unknown,
  assert: (schema: unknown) => void = assertSupportedJsonSchema,
): readonly string[] {
  try {
    assert(schema);
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSchemaError);
    return (error as JsonSchemaError).violations;
  }
  return [];
}

const pathsOf = (schema: unknown) => violationsOf(schema).map((line) => line.split(':')[0]);

describe('assertSupportedJsonSchema', () => {
  it('V1: every keyword of the subset is accepted', () => {
    expect(
      violationsOf({
        type: 'object',
        title: 't',
        description: 'd',
        default: { rows: [] },
        examples: [1, 'x', null],
        properties: {
          text: { type: 'string', enum: ['a', 'b'], const: 'a' },
          count: { type: 'integer', const: 3 },
          ratio: { type: 'number', enum: [0.5, 1] },
          flag: { type: 'boolean', enum: [true] },
          none: { type: 'null', const: null },
          rows: { type: 'array', items: { type: 'array' } },
          either: { oneOf: [{ type: 'string' }, {}], description: 'x' },
          any: { title: 'anything' },
        },
        required: ['text', 'any'],
        additionalProperties: false,
      }),
    ).toEqual([]);
    expect(violationsOf({})).toEqual([]);
  });

  it('V1, E27: anything else is a violation, never accepted and ignored', () => {
    const keywords = [
      'anyOf',
      'allOf',
      'not',
      'pattern',
      'minimum',
      'maxLength',
      '$ref',
      'format',
      'nullable',
      '$schema',
      'x-y',
      'toString',
    ];
    for (const key of keywords) {
      expect(violationsOf({ type: 'string', [key]: 1 })).toEqual([
        `schema: keyword "${key}" is not supported`,
      ]);
    }
    expect(pathsOf({ type: 'object', additionalProperties: { type: 'string' } })).toEqual([
      'schema.additionalProperties',
    ]);
  });

  it('V1, E17: annotations have their types', () => {
    expect(pathsOf({ description: 5 })).toEqual(['schema.description']);
    expect(pathsOf({ title: null })).toEqual(['schema.title']);
    for (const lossy of [undefined, -0, Number.NaN, { when: new Date() }, () => 1, [undefined]]) {
      expect(pathsOf({ default: lossy })).toEqual(['schema.default']);
      expect(pathsOf({ type: 'string', examples: [lossy] })).toEqual(['schema.examples']);
    }
  });

  it('V2, E29: type is one known string; an array of types has its own message', () => {
    const [array] = violationsOf({ type: ['string', 'null'] });
    const [unknown] = violationsOf({ type: 'date' });
    expect(array).toBe('schema.type: must be one type, not an array of types; use "oneOf"');
    expect(unknown).toBe(
      'schema.type: must be one of "object", "array", "string", "number", "integer", "boolean", "null", received "date"',
    );
    expect(pathsOf({ type: undefined })).toEqual(['schema.type']);
    expect(pathsOf({ type: 'json' })).toEqual(['schema.type']);
  });

  it('V3: without a type every constraint is a violation of its own', () => {
    expect(
      violationsOf({
        properties: {},
        required: [],
        additionalProperties: true,
        items: {},
        enum: [1],
        const: 1,
      }),
    ).toEqual(
      ['properties', 'required', 'additionalProperties', 'items', 'enum', 'const'].map(
        (key) => `schema: keyword "${key}" needs a "type" beside it`,
      ),
    );
    expect(violationsOf({ description: 'any', default: 1 })).toEqual([]);
  });

  it('V4: oneOf is a dense array of two or more; siblings are reported after the branches', () => {
    expect(violationsOf({ oneOf: [{ type: 'x' }, { type: 'null' }], items: {}, enum: [1] })).toEqual([
      expect.stringMatching(/^schema\.oneOf\[0\]\.type: /),
      'schema: keyword "items" must not stand beside "oneOf"',
      'schema: keyword "enum" must not stand beside "oneOf"',
    ]);
    for (const oneOf of [[], [{}], new Array(2), {}, null, undefined, Object.assign([{}, {}], { a: 1 })]) {
      expect(pathsOf({ oneOf })).toEqual(['schema.oneOf']);
    }
    expect(violationsOf({ type: 'string', oneOf: [{ type: 'x' }], enum: [] })).toEqual([
      'schema: must not have both "type" and "oneOf"',
    ]);
  });

  it('V5: each constraint belongs to its types', () => {
    expect(
      violationsOf({ type: 'array', properties: {}, required: [], additionalProperties: false }),
    ).toHaveLength(3);
    expect(violationsOf({ type: 'object', items: {} })).toHaveLength(1);
    expect(violationsOf({ type: 'object', enum: [1], const: 1 })).toHaveLength(2);
    expect(violationsOf({ type: 'array', enum: [[1]] })).toHaveLength(1);
    expect(violationsOf({ type: 'string', items: {}, properties: {} })).toHaveLength(2);
  });

  it('V6, E25: required names own properties, in a dense array of strings', () => {
    const properties = { a: {} };
    expect(pathsOf({ type: 'object', properties, required: ['a', 'toString', 5, '__proto__'] })).toEqual([
      'schema.required[1]',
      'schema.required[2]',
      'schema.required[3]',
    ]);
    expect(pathsOf({ type: 'object', required: ['a'] })).toEqual(['schema.required[0]']);
    for (const required of ['a', new Array(1), true, undefined]) {
      expect(pathsOf({ type: 'object', properties, required })).toEqual(['schema.required']);
    }
    expect(pathsOf({ type: 'object', properties: ['a'], required: ['a'] })).toEqual([
      'schema.properties',
      'schema.required[0]',
    ]);
    expect(
      violationsOf(JSON.parse('{"type":"object","properties":{"__proto__":{}},"required":["__proto__"]}')),
    ).toEqual([]);
  });

  it('V7, E27: a keyword that is there and undefined is a violation', () => {
    for (const key of ['properties', 'required', 'additionalProperties']) {
      expect(pathsOf({ type: 'object', [key]: undefined })).toEqual([`schema.${key}`]);
    }
    expect(pathsOf({ type: 'string', enum: undefined })).toEqual(['schema.enum']);
    expect(pathsOf({ type: 'string', const: undefined })).toEqual(['schema.const']);
    expect(pathsOf({ type: 'array', items: undefined })).toEqual(['schema.items']);
    expect(pathsOf({ description: undefined })).toEqual(['schema.description']);
  });

  it('V8, E17: number literals are finite and not -0, integer literals are whole', () => {
    expect(pathsOf({ type: 'number', enum: [1, -0, Infinity, Number.NaN, '1'] })).toEqual(
      [1, 2, 3, 4].map((index) => `schema.enum[${index}]`),
    );
    expect(pathsOf({ type: 'integer', enum: [1, 1.5, -0] })).toEqual(['schema.enum[1]', 'schema.enum[2]']);
    expect(pathsOf({ type: 'number', const: -0 })).toEqual(['schema.const']);
    expect(pathsOf({ type: 'string', enum: [] })).toEqual(['schema.enum']);
  });

  it('V9: all violations come in the order of the walk, object checks after the subtrees', () => {
    expect(
      pathsOf({
        type: 'object',
        properties: {
          a: { type: 'object', properties: { deep: { pattern: 'x' } }, required: ['gone'] },
          b: { type: 'array', items: { oneOf: [{ type: 'x' }, { const: 1 }] } },
          'odd key': { type: 'y' },
        },
        required: ['lost'],
        additionalProperties: 1,
      }),
    ).toEqual([
      'schema.properties.a.properties.deep',
      'schema.properties.a.required[0]',
      'schema.properties.b.items.oneOf[0].type',
      'schema.properties.b.items.oneOf[1]',
      'schema.properties["odd key"].type',
      'schema.required[0]',
      'schema.additionalProperties',
    ]);
  });

  it('V9: below a type without a meaning the walk goes on', () => {
    expect(pathsOf({ type: ['object', 'null'], properties: { a: { format: 'x' } } })).toEqual([
      'schema.type',
      'schema.properties.a',
    ]);
  });

  it('V10: a schema is a plain record, of any realm', () => {
    const forged = Object.create(Object.create(null, { constructor: { value: Object } }));
    const trapped = new Proxy(
      {},
      {
        ownKeys: () => ['type'],
        getPrototypeOf: () => {
          throw new Error('trap');
        },
      },
    );
    const bad = [
      null,
      true,
      'string',
      5,
      undefined,
      [],
      () => 1,
      new Map(),
      new Date(),
      forged,
      trapped,
      Object.defineProperty({}, 'type', { value: 'string' }),
      { type: 'string', [Symbol('tag')]: 1 },
      Object.create({ type: 'string' }),
    ];
    for (const schema of bad) {
      expect(violationsOf(schema)).toEqual([expect.stringMatching(/^schema: must be a schema object/)]);
      expect(pathsOf({ type: 'array', items: schema })).toEqual(['schema.items']);
    }
    expect(
      violationsOf(
        runInNewContext('({ type: "object", properties: { a: { type: "string", enum: ["x"] } } })'),
      ),
    ).toEqual([]);
    expect(violationsOf(Object.assign(Object.create(null), { type: 'string' }))).toEqual([]);
  });

  it('V10, E30: a cycle is named where it closes, a shared node is not one', () => {
    const tree: { type: string; properties: { [key: string]: unknown } } = { type: 'object', properties: {} };
    tree.properties['kids'] = { type: 'array', items: tree };
    expect(violationsOf(tree)).toEqual(['schema.properties.kids.items: must not be circular']);
    const shared = { type: 'string' };
    expect(
      violationsOf({ type: 'object', properties: { a: shared, b: shared, c: { oneOf: [shared, shared] } } }),
    ).toEqual([]);
    const bad = { type: 'x' };
    expect(pathsOf({ oneOf: [bad, bad] })).toEqual(['schema.oneOf[0].type', 'schema.oneOf[1].type']);
  });

  it('V10: a node that is shared again and again is walked once', () => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < 60; level += 1) schema = { oneOf: [schema, schema] };
    expect(violationsOf(schema)).toEqual([]);
  });

  it('V24: 5 000 levels need no stack, and a violation at the bottom has its path', () => {
    let schema: unknown = { type: 'bottom' };
    for (let level = 0; level < 5_000; level += 1) schema = { type: 'array', items: schema };
    expect(pathsOf(schema)).toEqual([`schema${'.items'.repeat(5_000)}.type`]);
  });

  it('V11: the error has its name, code, violations and message', () => {
    const error = new JsonSchemaError(violationsOf({ type: 'x', foo: 1 }));
    expect([error.name, error.code, error.violations.length]).toEqual([
      'JsonSchemaError',
      'UNSUPPORTED_SCHEMA',
      2,
    ]);
    expect(error.message).toContain(error.violations.join('; '));
  });

  it('V12: an object schema has an object at its root, which is said only when nothing else is wrong', () => {
    const wanted = ['schema: wanted a root of type "object"'];
    for (const schema of [{}, { oneOf: [{ type: 'object' }, { type: 'null' }] }, { type: 'array' }]) {
      expect(violationsOf(schema, assertObjectJsonSchema)).toEqual(wanted);
    }
    expect(violationsOf({ type: 'array', foo: 1 }, assertObjectJsonSchema)).toEqual([
      'schema: keyword "foo" is not supported',
    ]);
    expect(violationsOf({ type: 'object' }, assertObjectJsonSchema)).toEqual([]);
  });
});
