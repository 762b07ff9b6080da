import { describe, expect, it } from 'vitest';
import { sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf } from './compiler.ts';
import { tool } from './tools.ts';

/** The declaration lines of one tool with these schemas, named types first. */
function lines(inputSchema: unknown, outputSchema?: unknown): string[] {
  const text = declarationsOf(sdkText([tool({ name: 'sample', inputSchema, outputSchema })]).text);
  return text.split('\n').filter((line) => line.startsWith('type T') || line.includes('sample('));
}

/** How a schema is written where it is a result. */
function result(schema: unknown): string {
  const line = lines({ type: 'object', properties: {} }, schema).at(-1)!;
  return /Promise<(.*)>;$/.exec(line)![1]!;
}

/** How a schema is written where it is the arguments. */
function args(schema: unknown): string {
  return /\((args.*), options\?: CallOptions\)/.exec(lines(schema).at(-1)!)![1]!;
}

describe('JSON Schema as TypeScript', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'null' }, 'null'],
    [{}, 'JsonValue'],
    [true, 'JsonValue'],
    [false, 'never'],
    [{ const: 'x', enum: ['x', 'y'] }, '"x"'],
    [{ enum: ['a', 1, true, null] }, '"a" | 1 | true | null'],
    [{ type: 'string', enum: ['a', 1, 'b'] }, '"a" | "b"'],
    [{ type: 'integer', enum: [1, 1.5, 2] }, '1 | 2'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] }, '"a" | "b"'],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'never'],
  ])('C16: %j is %s', (schema, text) => {
    expect(result(schema)).toBe(text);
  });

  it('C16: an allOf of objects is one object, with both their requirements', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }, { required: ['a'] }],
    };
    expect(result(schema)).toBe('{ a: string; b: number }');
  });

  it('C16: an allOf that cannot be merged is an intersection', () => {
    const schema = {
      allOf: [
        { type: 'object', additionalProperties: { type: 'string' } },
        { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      ],
    };
    expect(result(schema)).toBe('Record<string, string> & { id: string }');
  });

  it('C16: branches that only require are merged into the base object', () => {
    const schema = {
      type: 'object',
      properties: { url: { type: 'string' }, id: { type: 'integer' } },
      anyOf: [{ required: ['url'] }, { required: ['id'] }],
    };
    expect(result(schema)).toBe(
      '{ url: string; /** integer */ id?: number } | { url?: string; /** integer */ id: number }',
    );
  });

  it.each([
    [{ prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string?, number?, ...JsonValue[]]'],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'boolean' }, minItems: 1 },
      '[string, ...boolean[]]',
    ],
    [
      { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
      '[string, number?]',
    ],
    [
      { items: [{ type: 'string' }, { type: ['number', 'null'] }], additionalItems: false },
      '[string?, (number | null)?]',
    ],
    [{ prefixItems: [{}], items: { type: ['string', 'null'] } }, '[JsonValue?, ...(string | null)[]]'],
  ])('C16, F4: the tuple %j is %s', (schema, text) => {
    expect(result({ type: 'array', ...schema }).replace(/^\/\*\*.*?\*\/ /, '')).toBe(text);
  });

  it.each([
    [{ type: 'array' }, 'JsonValue[]'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array', items: { type: 'array', items: { enum: ['a', 'b'] } } }, '("a" | "b")[][]'],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      },
      '({ a?: string } & Record<string, JsonValue>)[]',
    ],
  ])('C17, F6: the array %j is %s', (schema, text) => {
    expect(result(schema)).toBe(text);
  });

  it.each([
    [{ type: 'object' }, 'Record<string, JsonValue>'],
    [{ type: 'object', additionalProperties: true }, 'Record<string, JsonValue>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: { type: ['number', 'null'] } }, 'Record<string, number | null>'],
  ])('C18: the object %j is %s', (schema, text) => {
    expect(result(schema)).toBe(text);
  });

  const name = { name: { type: 'string' }, size: { type: 'number' } };
  it.each([
    [{ properties: name, required: ['name'] }, '{ name: string; size?: number }'],
    [{ properties: name, additionalProperties: false }, '{ name?: string; size?: number }'],
    [
      { properties: name, additionalProperties: true },
      '{ name?: string; size?: number } & Record<string, JsonValue>',
    ],
    [
      { properties: name, required: ['name', 'size'], additionalProperties: { type: 'boolean' } },
      '{ name: string; size: number; [k: string]: boolean | string | number }',
    ],
    [
      { properties: name, required: ['name'], patternProperties: { '^x': { type: 'boolean' } } },
      '{ name: string; size?: number; [k: string]: boolean | string | number | undefined }',
    ],
    [{ properties: { a: { type: 'string' } }, required: ['a', 'b'] }, '{ a: string; b: JsonValue }'],
  ])('C19: the object %j is %s', (schema, text) => {
    expect(result({ type: 'object', ...schema })).toBe(text);
  });

  it.each([
    [{ type: 'object', properties: {} }, 'args?: {}'],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'args?: {}'],
    [{ type: 'object' }, 'args?: Record<string, JsonValue>'],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 'args?: { a?: string }'],
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, 'args: { a: string }'],
    [{ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] }, 'args: { a: JsonValue }'],
  ])('C20: the parameters %j are %s', (schema, text) => {
    expect(args(schema)).toBe(text);
  });

  it('C24: arguments come from parameters and the result from output.schema', () => {
    const [line] = lines({ type: 'object', properties: { a: { type: 'string' } } }, { type: 'number' });
    expect(line).toBe('sample(args?: { a?: string }, options?: CallOptions): Promise<number>;');
  });

  it('F6: what a type cannot say stands in the comment of its property', () => {
    const schema = {
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        s: { type: 'string', minLength: 2, pattern: '^a', format: 'uri', description: 'Where to look.' },
        l: { type: 'array', items: { type: 'string', format: 'date' }, minItems: 1, uniqueItems: true },
        m: { type: 'number', exclusiveMinimum: 0, multipleOf: 5, deprecated: true },
      },
      not: { required: ['n', 's'] },
    };
    expect(lines(schema).at(-1)).toBe(
      'sample(args?: { /** integer 1..9; default 3 */ n?: number; /** Where to look (>=2 chars; pattern ^a; uri) */ s?: string; /** >=1 items; unique items */ l?: (/** date */ string)[]; /** >0; multiple of 5; deprecated */ m?: number }, options?: CallOptions): Promise<JsonValue>;',
    );
    expect(sdkText([tool({ name: 'sample', inputSchema: schema })]).text).toContain(
      '/** not {"required":["n","s"]} */\nsample(',
    );
  });

  it('F6: a recursive schema is a named type, under the name its author gave it', () => {
    const schema = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/treeNode' } },
      $defs: {
        treeNode: {
          type: 'object',
          properties: {
            kids: { type: 'array', items: { $ref: '#/$defs/treeNode' } },
            by: { type: 'object', additionalProperties: { $ref: '#/$defs/treeNode' } },
          },
        },
      },
    };
    expect(lines(schema)).toEqual([
      'type TTreeNode = { kids?: TTreeNode[]; by?: { [k: string]: TTreeNode } };',
      'sample(args?: { root?: TTreeNode }, options?: CallOptions): Promise<JsonValue>;',
    ]);
  });

  it('F4: references go by pointer, by anchor and to the root', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/definitions/a~1b%20c' },
        b: { $ref: '#here' },
        c: { type: 'array', items: { $ref: '#' } },
      },
      definitions: { 'a/b c': { type: 'string' }, x: { $anchor: 'here', type: 'number' } },
    };
    expect(lines(schema)).toEqual([
      'type TC = { a?: string; b?: number; c?: TC[] };',
      'sample(args?: TC, options?: CallOptions): Promise<JsonValue>;',
    ]);
  });

  it('E94, C21: a construct without a TypeScript form is unknown at that spot only, with the reason', () => {
    const schema = {
      type: 'object',
      properties: {
        gone: { $ref: '#/$defs/missing' },
        far: { $ref: 'https://example.com/schema.json' },
        not: { not: { type: 'string' } },
        odd: { type: 'date' },
        fine: { type: 'string' },
      },
    };
    expect(lines(schema).at(-1)).toBe(
      'sample(args?: { /** "#/$defs/missing" leads nowhere */ gone?: unknown; /** "https://example.com/schema.json" is outside this schema */ far?: unknown; /** not {"type":"string"} */ not?: unknown; /** type "date" is not known */ odd?: unknown; fine?: string }, options?: CallOptions): Promise<JsonValue>;',
    );
  });

  it('C22: a cycle made only of aliases is unknown', () => {
    const $defs = { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { anyOf: [{ $ref: '#/$defs/A' }] } };
    expect(result({ $ref: '#/$defs/A', $defs })).toBe('unknown');
    expect(result({ type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs })).toBe(
      '{ /** the schema refers only to itself */ a?: unknown }',
    );
  });
});
