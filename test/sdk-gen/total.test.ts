import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalogue, sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf, typeErrors } from './compiler.ts';
import { tool } from './tools.ts';

const nested = (levels: number, wrap: (inner: unknown, level: number) => unknown, leaf: unknown): unknown => {
  let schema = leaf;
  for (let level = 0; level < levels; level += 1) schema = wrap(schema, level);
  return schema;
};
const inObject = (schema: unknown): unknown => ({ type: 'object', properties: { x: schema } });
const text = (schema: unknown): string =>
  declarationsOf(sdkText([tool({ name: 'sample', inputSchema: schema })]).text);

const itself: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} };
itself.properties['self'] = itself;
const list: { type: string; items?: unknown } = { type: 'array' };
list.items = list;
const unionOfItself: { oneOf: unknown[] } = { oneOf: [{ type: 'string' }] };
unionOfItself.oneOf.push(unionOfItself);
const allOfItself: { allOf: unknown[] } = { allOf: [] };
allOfItself.allOf.push(allOfItself);

describe('any schema at all', () => {
  it('C22: 5 000 nested unions are one line of linear size', () => {
    const same = nested(5000, (inner) => ({ oneOf: [{ type: 'string' }, inner] }), { type: 'number' });
    expect(text(inObject(same))).toContain('x?: string | number }');
    const sizes = [1000, 5000].map(
      (levels) =>
        text(inObject(nested(levels, (inner, i) => ({ oneOf: [{ const: `c${i + 1000}` }, inner] }), {})))
          .length,
    );
    // A branch without a type holds every value, and nothing beside it is written.
    expect(sizes[1]).toBe(sizes[0]);
    const distinct = [1000, 5000].map(
      (levels) =>
        text(
          inObject(
            nested(levels, (inner, i) => ({ anyOf: [{ const: `c${i + 1000}` }, inner] }), { const: 'end' }),
          ),
        ).length,
    );
    expect(distinct[1]! / distinct[0]!).toBeLessThan(5.1);
  });

  it('C21, C22: deep arrays, objects, literals and allOfs do not use the stack', () => {
    const array = text(inObject(nested(5000, (items) => ({ type: 'array', items }), { type: 'null' })));
    expect(array).toContain(`x?: null${'[]'.repeat(5000)} }`);
    const object = text(nested(5000, (inner) => inObject(inner), { type: 'null' }));
    expect(object.split('x?: ')).toHaveLength(5001);
    const literal = text(inObject({ const: nested(5000, (inner) => [inner], 1) }));
    expect(literal).toContain(`x?: ${'['.repeat(5000)}1${']'.repeat(5000)} }`);
    const all = text(
      nested(5000, (inner, i) => ({ allOf: [inner, inObject({ const: i })] }), inObject({ const: 0 })),
    );
    expect(all).toContain('x?: never');
  });

  it('C21: a schema that doubles its size at each level stays small', () => {
    const doubled = nested(200, (inner) => ({ type: 'object', properties: { a: inner, b: inner } }), {
      type: 'null',
    });
    expect(text(inObject(doubled)).length).toBeLessThan(20_000);
    const byUnion = nested(
      200,
      (inner) => ({ anyOf: [{ type: 'array', items: inner }, inObject(inner)] }),
      {},
    );
    expect(text(inObject(byUnion)).length).toBeLessThan(40_000);
    const byAllOf = nested(200, (inner) => ({ allOf: [inner, inner] }), { type: 'string' });
    expect(text(inObject(byAllOf))).toContain('x?: string }');
  });

  it('C21, F4: a schema object that contains itself is a named type, or unknown where it says nothing', () => {
    expect(text(itself)).toContain('type TSelf = { self?: TSelf };');
    expect(text(inObject(list))).toContain('type TX = TX[];');
    expect(text(inObject(unionOfItself))).toContain('x?: unknown');
    expect(text(inObject(allOfItself))).toContain('x?: JsonValue');
  });

  it('C21: values that are no schemas at all are unknown', () => {
    const garbage = [null, 5, 'x', [], [1], undefined, () => 1, Symbol('s'), 1n, new Map(), new Date(0), /x/];
    const properties = Object.fromEntries(garbage.map((value, i) => [`p${i}`, value]));
    const declared = text({
      type: 'object',
      properties,
      required: 'x',
      additionalProperties: 7,
      patternProperties: [],
    });
    expect(declared.match(/unknown/g)).toHaveLength(9);
    expect(typeErrors({ 'text.ts': `export {};\n${declared}` })).toEqual({});
  });

  it('C21: a schema that throws when it is read is unknown, and the other schema of its tool is not lost', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no');
        },
      },
    );
    const getter = Object.defineProperty({ ...itself }, 'description', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    const declared = declarationsOf(
      sdkText([
        tool({ name: 'sample', inputSchema: inObject({ type: 'string' }), outputSchema: hostile }),
        tool({ name: 'other', inputSchema: getter, outputSchema: itself }),
      ]).text,
    );
    expect(declared).toContain(
      '/** result the schema cannot be read */\nsample(args?: { x?: string }, options?: CallOptions): Promise<unknown>;',
    );
    expect(declared).toContain(
      '/** the schema cannot be read */\nother(args?: unknown, options?: CallOptions): Promise<TSelf>;',
    );
    expect(typeErrors({ 'text.ts': `export {};\n${declared}` })).toEqual({});
  });

  it('C21: any JSON as a schema gives a text that compiles, and the catalogue reads it too', {
    timeout: 60_000,
  }, () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'properties',
        'required',
        'items',
        'prefixItems',
        'enum',
        'const',
        'anyOf',
        'oneOf',
        'allOf',
        'not',
      ],
      ...[
        '$ref',
        '$defs',
        'additionalProperties',
        'patternProperties',
        'if',
        'then',
        'description',
        'default',
        'title',
      ],
      ...[
        'minItems',
        'maxItems',
        'minimum',
        'pattern',
        'format',
        'nullable',
        '$anchor',
        '$id',
        'a',
        '__proto__',
      ],
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom<unknown>(
          ...['string', 'object', 'array', 'integer', 'null', '*/', '#', '#/$defs/a', '#a', ''],
        ),
        fc.constantFrom<unknown>(true, false, null, 0, 3, -1, 'x'),
        fc.array(tie('schema'), { maxLength: 4 }),
        fc
          .array(fc.tuple(keyword, tie('schema')), { maxLength: 5 })
          .map((entries) => Object.fromEntries(entries)),
      ),
    }));
    const files: Record<string, string> = {};
    fc.assert(
      fc.property(fc.array(fc.tuple(schema, schema), { minLength: 10, maxLength: 10 }), (schemas) => {
        const tools = schemas.map(([inputSchema, outputSchema], i) =>
          tool({ name: `tool${i}`, description: 'd', inputSchema, outputSchema }),
        );
        const before = JSON.stringify(tools);
        const whole = sdkText(tools).text;
        expect(sdkText(tools.map((definition) => ({ ...definition }))).text).toBe(whole);
        expect(JSON.stringify(tools)).toBe(before);
        const catalogue = createCatalogue(tools);
        for (const { name } of catalogue.search('tool').tools)
          expect(catalogue.describe(name)).toContain(name);
        files[`any-${Object.keys(files).length}.ts`] = `export {};\n${declarationsOf(whole)}`;
      }),
      { numRuns: 30 },
    );
    expect(typeErrors(files)).toEqual({});
  });
});
