import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { JsonSchemaError } from '#dist/runtime/core/errors.js';
import {
  parameterSchemaSpecToJsonSchema,
  valueSchemaSpecToJsonSchema,
} from '#dist/runtime/schema/compile.js';

/** Compiles what types would not allow. */
const value = (spec: unknown) => valueSchemaSpecToJsonSchema(spec as never);
const parameters = (spec: unknown) => parameterSchemaSpecToJsonSchema(spec as never);

/** The violations of a spec that must not compile. */
function violationsOf(compile: () => unknown): readonly string[] {
  try {
    compile();
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSchemaError);
    return (error as JsonSchemaError).violations;
  }
  return [];
}

describe('node kinds', () => {
  it('D1, D5: each kind compiles to the subset; json has no type', () => {
    for (const type of ['string', 'number', 'integer', 'boolean', 'null', 'array']) {
      expect(value({ type })).toEqual({ type });
    }
    expect(value({ type: 'object', additionalProperties: true })).toEqual({
      type: 'object',
      additionalProperties: true,
    });
    expect(value({ type: 'json', description: 'anything' })).toEqual({ description: 'anything' });
    expect(value({ type: 'array', items: { type: 'json' } })).toEqual({ type: 'array', items: {} });
    expect(value({ oneOf: [{ type: 'string' }, { type: 'null' }], title: 'maybe' })).toEqual({
      title: 'maybe',
      oneOf: [{ type: 'string' }, { type: 'null' }],
    });
  });

  it('D1, D5: an unknown kind, none at all, or a kind beside oneOf is an error', () => {
    expect(violationsOf(() => value({ type: 'date' }))[0]).toContain('schema.type');
    expect(violationsOf(() => value({}))).toHaveLength(1);
    expect(violationsOf(() => value({ type: 'toString' }))).toHaveLength(1);
    expect(
      violationsOf(() => value({ type: 'string', oneOf: [{ type: 'null' }, { type: 'json' }] })),
    ).toEqual(['schema: must not have both "type" and "oneOf"']);
    for (const spec of [null, 'string', 5, [], new Map(), new Date(), () => 1]) {
      expect(violationsOf(() => value(spec))).toHaveLength(1);
    }
  });

  it('D5: oneOf has at least two branches in a dense plain array', () => {
    const branch = { type: 'string' };
    const decorated = Object.assign([branch, branch], { extra: 1 });
    for (const oneOf of [[], [branch], 'ab', { 0: branch, 1: branch }, new Array(2), decorated, undefined]) {
      expect(violationsOf(() => value({ oneOf }))).toEqual(
        expect.arrayContaining(['schema.oneOf: must be a dense array of at least 2 schemas']),
      );
    }
  });

  it('D2: annotations go anywhere, any other key goes nowhere', () => {
    const annotations = { description: 'd', title: 't', default: { a: [1] }, examples: ['x'] };
    const kinds = [
      { type: 'string' },
      { type: 'null' },
      { type: 'array' },
      { type: 'object', additionalProperties: false },
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
    ];
    for (const kind of kinds) {
      expect(value({ ...kind, ...annotations })).toEqual({ ...kind, ...annotations });
      for (const key of ['pattern', 'minLength', '$ref', 'nullable', 'toString']) {
        expect(violationsOf(() => value({ ...kind, [key]: 1 }))).toEqual([
          `schema: key "${key}" is not supported here`,
        ]);
      }
    }
    expect(violationsOf(() => value({ type: 'string', items: { type: 'string' } }))[0]).toContain('"items"');
    expect(violationsOf(() => value({ type: 'array', properties: {} }))[0]).toContain('"properties"');
    expect(violationsOf(() => value({ type: 'json', enum: [1] }))[0]).toContain('"enum"');
  });

  it('D9: absent annotations stay absent, and a default is only written down', () => {
    expect(Object.keys(value({ type: 'string', default: 'x' }))).toEqual(['type', 'default']);
    expect(violationsOf(() => value({ type: 'string', description: undefined }))).toEqual([
      'schema.description: must be a string',
    ]);
    expect(violationsOf(() => value({ type: 'string', default: undefined }))).toHaveLength(1);
  });

  it('D3, D14, E17: enum and const are non-empty, dense, of the type, and agree', () => {
    expect(value({ type: 'integer', enum: [1, 2], const: 2 })).toEqual({
      type: 'integer',
      enum: [1, 2],
      const: 2,
    });
    expect(value({ type: 'null', enum: [null], const: null })).toEqual({
      type: 'null',
      enum: [null],
      const: null,
    });
    const bad: [unknown, string][] = [
      [{ type: 'string', enum: [] }, 'schema.enum'],
      [{ type: 'string', enum: 'ab' }, 'schema.enum'],
      [{ type: 'string', enum: undefined }, 'schema.enum'],
      [{ type: 'string', enum: new Array(1) }, 'schema.enum'],
      [{ type: 'string', enum: ['a', 1] }, 'schema.enum[1]'],
      [{ type: 'integer', enum: [1.5] }, 'schema.enum[0]'],
      [{ type: 'number', enum: [-0] }, 'schema.enum[0]'],
      [{ type: 'number', const: Number.NaN }, 'schema.const'],
      [{ type: 'boolean', const: 'true' }, 'schema.const'],
      [{ type: 'string', const: undefined }, 'schema.const'],
      [{ type: 'string', enum: ['a'], const: 'b' }, 'schema.const'],
    ];
    for (const [spec, path] of bad) {
      expect(violationsOf(() => value(spec)).map((line) => line.split(':')[0])).toEqual([path]);
    }
  });

  it('D4: an object says whether it is open', () => {
    for (const openness of [undefined, 'true', null, {}]) {
      expect(violationsOf(() => value({ type: 'object', additionalProperties: openness }))[0]).toContain(
        'schema.additionalProperties: must be true or false',
      );
    }
    expect(violationsOf(() => value({ type: 'object', properties: {} }))).toHaveLength(1);
  });
});

describe('properties', () => {
  it('D7, D8: the parameter root is an open object whose properties are always there', () => {
    expect(parameters({})).toEqual({ type: 'object', properties: {} });
    const compiled = parameters({
      z: { type: 'string', required: true },
      a: { type: 'integer' },
      m: { type: 'object', additionalProperties: false, properties: {}, required: true },
    });
    expect(compiled).toEqual({
      type: 'object',
      properties: {
        z: { type: 'string' },
        a: { type: 'integer' },
        m: { type: 'object', properties: {}, additionalProperties: false },
      },
      required: ['z', 'm'],
    });
    expect(Object.keys(compiled.properties!)).toEqual(['z', 'a', 'm']);
    expect('additionalProperties' in compiled).toBe(false);
    expect('required' in parameters({ a: { type: 'string' } })).toBe(false);
  });

  it('D6: required is true, and only on properties', () => {
    for (const required of [false, 'yes', 1, undefined, ['a']]) {
      expect(violationsOf(() => parameters({ a: { type: 'string', required } }))).toEqual([
        'parameters.a.required: must be true or absent',
      ]);
    }
    const property = { type: 'string', required: true };
    const misplaced = 'key "required" belongs to properties only';
    expect(violationsOf(() => value(property))).toEqual([`schema: ${misplaced}`]);
    expect(violationsOf(() => value({ type: 'array', items: property }))).toEqual([
      `schema.items: ${misplaced}`,
    ]);
    expect(violationsOf(() => value({ oneOf: [{ type: 'null' }, property] }))).toEqual([
      `schema.oneOf[1]: ${misplaced}`,
    ]);
    expect(value({ type: 'object', additionalProperties: true, properties: { a: property } })).toMatchObject({
      required: ['a'],
    });
  });

  it('D10: records hold own enumerable string keys on a plain prototype', () => {
    const tag = Symbol('tag');
    const bad = [
      { a: { type: 'string' }, [tag]: { type: 'string' } },
      Object.defineProperty({}, 'hidden', { value: { type: 'string' } }),
      Object.create({ a: { type: 'string' } }),
      new Map([['a', { type: 'string' }]]),
      [],
      null,
    ];
    for (const spec of bad) {
      expect(violationsOf(() => parameters(spec))[0]).toMatch(/^parameters: must be a record/);
      expect(
        violationsOf(() => value({ type: 'object', additionalProperties: true, properties: spec }))[0],
      ).toMatch(/^schema\.properties: must be a record/);
    }
    expect(
      violationsOf(() => parameters({ a: Object.assign(Object.create({}), { type: 'string' }) })),
    ).toHaveLength(1);
    const trapped = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('trap');
        },
      },
    );
    expect(violationsOf(() => value(trapped))).toHaveLength(1);
    expect(parameters(runInNewContext('({ a: { type: "string", enum: ["x"] } })'))).toEqual({
      type: 'object',
      properties: { a: { type: 'string', enum: ['x'] } },
    });
    expect(
      parameters(Object.assign(Object.create(null), { a: { type: 'string' } })).properties,
    ).toHaveProperty('a');
  });

  it('D13, E24: a property called __proto__ is ordinary data', () => {
    const spec: unknown = JSON.parse(
      '{"__proto__": {"type": "string", "required": true}, "constructor": {"type": "null"}}',
    );
    expect(JSON.stringify(parameters(spec))).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}},"required":["__proto__"]}',
    );
  });
});

describe('the walk', () => {
  it('D11, E30: a cycle is an error, a node in two places is not', () => {
    const list: { type: string; items?: unknown } = { type: 'array' };
    list.items = { oneOf: [{ type: 'null' }, list] };
    expect(violationsOf(() => value(list))).toEqual(['schema.items.oneOf[1]: must not be circular']);
    const shared = { type: 'string' };
    expect(parameters({ a: shared, b: shared, c: { oneOf: [shared, { type: 'null' }] } }).properties).toEqual(
      {
        a: shared,
        b: shared,
        c: { oneOf: [shared, { type: 'null' }] },
      },
    );
  });

  it('D12: 5 000 unions in each other compile without a stack', () => {
    let spec: unknown = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) spec = { oneOf: [{ type: 'null' }, spec] };
    let node = value(spec);
    let levels = 0;
    while (node.oneOf !== undefined) {
      node = node.oneOf[1]!;
      levels += 1;
    }
    expect([levels, node]).toEqual([5_000, { type: 'string' }]);
  });

  it('D14: all mistakes are named, with their paths', () => {
    const violations = violationsOf(() =>
      parameters({
        a: { type: 'text' },
        b: { type: 'array', items: { type: 'object' } },
        c: { type: 'string', required: false, minLength: 1 },
      }),
    );
    expect(violations.map((line) => line.split(': ')[0]).toSorted()).toEqual([
      'parameters.a.type',
      'parameters.b.items.additionalProperties',
      'parameters.c',
      'parameters.c.required',
    ]);
  });

  it('D9: the result is the author’s no more: detached and frozen', () => {
    const choices = ['a'];
    const fallback = { list: [1] };
    const compiled = parameters({
      a: { type: 'string', enum: choices },
      b: { type: 'json', default: fallback },
    });
    choices.push('b');
    fallback.list.push(2);
    expect(compiled.properties).toEqual({
      a: { type: 'string', enum: ['a'] },
      b: { default: { list: [1] } },
    });
    expect(Reflect.set(compiled.properties!['a']!, 'type', 'number')).toBe(false);
  });
});
