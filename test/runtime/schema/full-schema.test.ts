import { afterEach, describe, expect, it, vi } from 'vitest';
import { JsonSchemaError } from '#dist/runtime/core/errors.js';
import type { JsonSchemaNode, SchemaDialect } from '#dist/runtime/schema/json-schema.js';
import { checkSchema, schemaValidator, schemaWarnings } from '#dist/runtime/schema/schema-validator.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const LATEST = 'https://json-schema.org/draft/2020-12/schema';

/** The mismatches of a value, named like those of arguments. */
const check = (schema: unknown, value: unknown, dialect: SchemaDialect = '2020-12') =>
  schemaValidator(schema as JsonSchemaNode, dialect)(value, '');

describe('dialects', () => {
  it('F1: in a subset schema an unknown keyword is refused, in an imported one it is an annotation with one warning', () => {
    const schema = { type: 'string', widget: 'area', properties2: 1 };
    expect(checkSchema(schema)).toContain('"widget"');
    expect(checkSchema(schema, '2020-12')).toBeUndefined();
    expect(check(schema, 'x')).toEqual([]);
    expect(schemaWarnings({ ...schema, items: { widget: 1 } }, '2020-12')).toEqual([
      'schema: unknown keywords are annotations: "widget", "properties2"',
    ]);
  });

  it('F1: annotations say nothing about values, whatever they hold, and cause no warning', () => {
    const schema = {
      type: 'string',
      title: 1,
      description: null,
      default: 5,
      examples: 'no array',
      deprecated: 'yes',
      readOnly: 1,
      writeOnly: {},
      format: 'email',
      $comment: [],
      contentEncoding: 'base64',
      contentMediaType: 5,
      'x-anything': { type: 'number' },
    };
    for (const dialect of ['draft-07', '2020-12'] as const) {
      expect(checkSchema(schema, dialect)).toBeUndefined();
      expect(schemaWarnings(schema, dialect)).toEqual([]);
      expect(check(schema, 'no address, no base64', dialect)).toEqual([]);
    }
  });

  it('F2: subset is the default, $schema decides, and the importer’s dialect is the rest', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false };
    expect(checkSchema(tuple)).toContain('not supported');
    expect(check(tuple, ['a', 1], 'draft-07')).toEqual(['arguments: wanted at most 1 items, received 2']);
    expect(checkSchema({ $schema: DRAFT_07, type: 'string', minLength: 2 })).toBeUndefined();
    expect(check({ $schema: DRAFT_07, type: 'string', minLength: 2 }, 'x', 'subset')).toHaveLength(1);
    const prefixed = { prefixItems: [{ type: 'string' }], items: false };
    expect(check(prefixed, [1], '2020-12')).not.toEqual([]);
    expect(check(prefixed, [], '2020-12')).toEqual([]);
    expect(check({ ...prefixed, $schema: DRAFT_07, items: true }, [1], '2020-12')).toEqual([]);
    expect(check({ ...tuple, $schema: DRAFT_07 }, [1], '2020-12')).not.toEqual([]);
    expect(check({ $schema: LATEST, dependentRequired: { a: ['b'] } }, { a: 1 }, 'draft-07')).toEqual([
      'b: is required beside "a"',
    ]);
  });

  it('F2: a keyword that another dialect has is unknown in this one', () => {
    const schema = { type: 'object', dependentRequired: { a: ['b'] }, unevaluatedProperties: false };
    expect(check(schema, { a: 1 }, 'draft-07')).toEqual([]);
    expect(schemaWarnings(schema, 'draft-07')).toEqual([
      'schema: unknown keywords are annotations: "dependentRequired", "unevaluatedProperties"',
    ]);
  });

  it('F2: an unknown $schema is said, and read as the latest', () => {
    const schema = { $schema: 'https://example.com/my-own', prefixItems: [{ type: 'string' }] };
    expect(check(schema, [1])).toHaveLength(1);
    expect(schemaWarnings(schema)).toEqual([
      'schema: "$schema" is not a known edition: "https://example.com/my-own" is read as 2020-12',
    ]);
  });

  it('F2: draft-04 has flags for exclusive bounds, and id for $id', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://x/root',
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 3,
      exclusiveMaximum: false,
      definitions: { a: { id: 'http://x/a', type: 'integer' } },
      allOf: [{ $ref: 'a' }],
    };
    expect([1, 2, 3, 2.5].map((value) => check(schema, value).length === 0)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('F2: the same $id in two schemas, and twice in one, does not clash', () => {
    const make = (type: string) => ({
      $id: 'https://example.com/same',
      type: 'object',
      properties: { a: { $id: 'inner', type }, b: { $id: 'inner', type } },
    });
    expect(check(make('string'), { a: 'x', b: 1 })).toEqual(['b: wanted a string, received 1']);
    expect(check(make('number'), { a: 'x', b: 1 })).toEqual(['a: wanted a number, received "x"']);
  });

  it('F2: a schema is compiled once, when the first value comes', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const read = vi.spyOn(Object, 'getOwnPropertyNames');
    const validate = schemaValidator(schema as JsonSchemaNode, '2020-12');
    const before = read.mock.calls.filter(([value]) => value === schema).length;
    expect(validate({ a: 1 }, '')).toEqual(['a: wanted a string, received 1']);
    expect(schemaValidator(schema as JsonSchemaNode, '2020-12')).toBe(validate);
    expect(read.mock.calls.filter(([value]) => value === schema).length).toBe(before);
    expect(schemaValidator(schema as JsonSchemaNode, 'draft-07')).not.toBe(validate);
  });

  it('F2: only own properties of a value count', () => {
    const schema = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: false, __proto__x: true },
      required: ['valueOf'],
    };
    expect(check(schema, {})).toEqual(['valueOf: is required']);
    expect(check(schema, { valueOf: 1 })).toEqual([]);
    expect(check(schema, { valueOf: 1, constructor: 5 })).toEqual([
      'constructor: wanted a string, received 5',
    ]);
    const proto: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"number"}},"required":["__proto__"],"additionalProperties":false}',
    );
    expect(check(proto, {})).toEqual(['__proto__: is required']);
    expect(check(proto, JSON.parse('{"__proto__":1}'))).toEqual([]);
    expect(check(proto, JSON.parse('{"__proto__":"x"}'))).toEqual([
      '__proto__: wanted a number, received "x"',
    ]);
  });
});

describe('what a model reads', () => {
  it('F3: paths look like those of the subset', () => {
    const schema = {
      type: 'object',
      properties: {
        config: {
          type: 'object',
          required: ['host'],
          properties: { host: { type: 'string' }, 'x-id': { maxLength: 2 } },
        },
        servers: { type: 'array', items: { type: 'object', properties: { host: { pattern: '^h' } } } },
        '7': { type: 'null' },
      },
      additionalProperties: false,
    };
    expect(
      check(schema, {
        config: { 'x-id': 'abc' },
        servers: [{ host: 'h1' }, { host: 'g' }],
        '7': 1,
        extra: 1,
      }),
    ).toEqual([
      'arguments["7"]: wanted null, received 1',
      'config.host: is required',
      'config["x-id"]: wanted at most 2 characters, received 3',
      'servers[1].host: wanted a match of /^h/, received "g"',
      'extra: is not a declared property',
    ]);
    expect(schemaValidator(schema as never, '2020-12')({ servers: 1 }, 'value')).toEqual([
      'value.servers: wanted an array, received 1',
    ]);
    expect(check(schema, 'x')).toEqual(['arguments: wanted an object, received "x"']);
  });

  it('F3: each keyword has its words', () => {
    const cases: [unknown, unknown, string][] = [
      [{ minimum: 2 }, 1, 'wanted a number at least 2, received 1'],
      [{ exclusiveMaximum: 2 }, 2, 'wanted a number below 2, received 2'],
      [{ multipleOf: 3 }, 4, 'wanted a number that is a multiple of 3, received 4'],
      [{ minLength: 2 }, '💡', 'wanted at least 2 characters, received 1'],
      [{ maxItems: 1 }, [1, 2], 'wanted at most 1 items, received 2'],
      [{ minProperties: 1 }, {}, 'wanted at least 1 properties, received 0'],
      [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'wanted items that all differ, received equal ones'],
      [{ enum: ['a', { b: 1 }] }, 'c', 'wanted one of "a", {"b":1}, received "c"'],
      [{ const: [1] }, 1, 'wanted [1], received 1'],
      [{ type: ['string', 'null'] }, 1, 'wanted a string or null, received 1'],
      [
        { contains: { const: 1 }, minContains: 2, maxContains: 3 },
        [1],
        'wanted 2 to 3 items that match "contains", received 1',
      ],
      [{ not: { type: 'string' } }, 'x', 'wanted no match of what "not" rules out, received one'],
      [false, 1, 'is not allowed'],
      [
        { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
        3,
        'wanted a match of exactly one of 2 alternatives, received a match of 2',
      ],
    ];
    for (const [schema, value, text] of cases) expect(check(schema, value)).toEqual([`arguments: ${text}`]);
    expect(check({ propertyNames: { pattern: '^a' } }, { b: 1 })).toEqual([
      'b: is not an allowed property name',
    ]);
    expect(check({ prefixItems: [{ type: 'string' }], items: { type: 'null' } }, [1, 2])).toEqual([
      'arguments[0]: wanted a string, received 1',
      'arguments[1]: wanted null, received 2',
    ]);
  });

  it('F3: of a union, the branch that was meant is explained', () => {
    const shape = {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
          required: ['kind', 'r'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    };
    expect(
      check({ type: 'array', items: shape }, [null, { kind: 'circle', r: '1' }, { kind: 'square' }]),
    ).toEqual(['arguments[1].r: wanted a number, received "1"', 'arguments[2].side: is required']);
    expect(check(shape, 5)).toEqual(['arguments: wanted null or an object, received 5']);
    expect(check({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {})).toEqual([
      'arguments: wanted a match of one of 2 alternatives, received a match of none',
    ]);
  });

  it('F3: diagnostics are capped in number and length', () => {
    const wide = check({ type: 'array', items: { type: 'string' } }, new Array(5_000).fill(1));
    expect(wide).toHaveLength(20);
    expect(wide.at(-1)).toBe('… and 81 more');
    const long = check(
      { properties: { ['k'.repeat(5_000)]: { type: 'string' } } },
      { ['k'.repeat(5_000)]: 1 },
    );
    expect(long.map((line) => line.length)).toEqual([500]);
  });
});

describe('totality', () => {
  it('F3: hostile and lossy values are mismatches, never throws', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const hostile = [
      revoked.proxy,
      {
        get a() {
          throw new Error('no');
        },
      },
      { a: undefined },
      new Map(),
      () => 1,
      Number.NaN,
      1n,
      undefined,
    ];
    for (const value of hostile) {
      expect(check({ type: 'object' }, value)).toHaveLength(1);
      expect(check({}, value)).toHaveLength(1);
      expect(check({ unevaluatedProperties: false }, value)).toHaveLength(1);
    }
  });

  it('F4: a value nested deeper than the stack is a mismatch', () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    for (const extra of [{}, { unevaluatedItems: true }, { uniqueItems: true }]) {
      const schema = {
        $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
        $ref: '#/$defs/list',
        ...extra,
      };
      expect(check(schema, deep)).toEqual([expect.stringMatching(/^arguments: cannot be validated: /)]);
    }
  });

  it('F4: an array of many objects is told apart in linear time, and data called valueOf is data', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => ({ id: index, valueOf: 1 }));
    expect(check({ uniqueItems: true }, items)).toEqual([]);
    expect(check({ uniqueItems: true }, [...items, { valueOf: 1, id: 0 }])).toHaveLength(1);
    expect(check({ const: { constructor: { a: 1 } } }, { constructor: { a: 1 } })).toEqual([]);
    expect(check({ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 })).toEqual([]);
    expect(check({ enum: [] }, 1)).toHaveLength(1);
  });
});

describe('patterns of strangers', () => {
  it.each(['^(a+)+$', '^(a|aa)+$', '^(a*)*b$', '(\\w+\\s?)*;$', '^(?:(a+)b?){5,}$', '^(a+)\\1+$'])(
    'F4: %s is given up in time, in both ways of validation',
    (pattern) => {
      const text = `${'a'.repeat(60)}!`;
      for (const extra of [{}, { unevaluatedProperties: false }]) {
        const found = check({ properties: { text: { type: 'string', pattern } }, ...extra }, { text });
        expect(found).toEqual([
          expect.stringMatching(/^(arguments: cannot be validated: the pattern|text: wanted a match)/),
        ]);
      }
      expect(check({ pattern }, 'short!')).toHaveLength(1);
    },
  );

  it('F4: a pattern whose time grows with a power of the length is given up too', () => {
    expect(check({ pattern: '^a*a*a*a*b$' }, 'a'.repeat(3_000))).toEqual([
      'arguments: cannot be validated: the pattern /^a*a*a*a*b$/u takes too long',
    ]);
  });

  it('F4: watching changes no answer', () => {
    const slug = { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' };
    expect(check(slug, 'a-slug-of-more-than-twenty-characters')).toEqual([]);
    expect(check(slug, 'A-slug-of-more-than-twenty-characters')).toHaveLength(1);
    const bounded = {
      pattern: '^(\\d{1,3}\\.){3}\\d{1,3}$',
      patternProperties: { '^(x+)+$': { type: 'null' } },
    };
    expect(check(bounded, '127.0.0.1')).toEqual([]);
    expect(check(bounded, { [`${'x'.repeat(30)}`]: 1 })).toHaveLength(1);
  });
});

describe('broken schemas', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('F5: each is refused with its reason, and the rest work', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const broken: [unknown, RegExp][] = [
      [{ $ref: '#/$defs/gone' }, /^schema: "\$ref" names nothing in this schema: "#\/\$defs\/gone"$/],
      [{ $ref: 'https://example.com/other.json' }, /names nothing in this schema/],
      [
        { properties: { a: { pattern: '(' } } },
        /^schema\.properties\.a\.pattern: must be a regular expression: /,
      ],
      [
        { patternProperties: { '[': {} } },
        /^schema\.patternProperties\["\["\]: must be a regular expression/,
      ],
      [{ type: 'strng' }, /^schema\.type: must be a type or an array of types, received "strng"$/],
      [{ type: [] }, /^schema\.type/],
      [{ properties: [] }, /^schema\.properties: must be an object of schemas, received an array$/],
      [{ required: true }, /^schema\.required: must be an array of property names, received true$/],
      [{ required: ['a', 1] }, /^schema\.required/],
      [{ minimum: '1' }, /^schema\.minimum: must be a number, received "1"$/],
      [{ maxLength: -1 }, /^schema\.maxLength: must be an integer of at least 0, received -1$/],
      [{ multipleOf: 0 }, /^schema\.multipleOf/],
      [{ allOf: [] }, /^schema\.allOf: must be an array of at least one schema/],
      [{ anyOf: [1] }, /^schema\.anyOf\[0\]: must be a schema object, true or false, received 1$/],
      [{ items: 'string' }, /^schema\.items: must be a schema object/],
      [{ enum: 'a' }, /^schema\.enum: must be an array, received "a"$/],
      [{ $ref: 5 }, /^schema\.\$ref: must be a reference as a string, received 5$/],
      [{ prefixItems: {} }, /^schema\.prefixItems/],
      [{ dependentRequired: { a: 'b' } }, /^schema\.dependentRequired\.a/],
      [{ contains: {}, minContains: -1 }, /^schema\.minContains/],
      [null, /^schema: must be a schema object, true or false, received null$/],
      ['string', /received "string"$/],
      [5, /received 5$/],
      [[], /received an array$/],
      [{ default: () => 1 }, /^schema: must be lossless JSON$/],
      [revoked.proxy, /^schema: must be lossless JSON$/],
    ];
    for (const [schema, reason] of broken) {
      expect(checkSchema(schema, '2020-12')).toMatch(reason);
      expect(() => schemaValidator(schema as never, '2020-12')).toThrow(JsonSchemaError);
    }
    expect(check({ type: 'string' }, 'x')).toEqual([]);
    for (const schema of [true, {}]) expect(check(schema, { any: 1 })).toEqual([]);
    expect(check(false, 1)).toHaveLength(1);
  });

  it('F5: a cycle that never goes deeper into the value is refused at once, through whatever keyword it runs', () => {
    const around = [
      (ref: unknown) => ({ allOf: [ref] }),
      (ref: unknown) => ({ anyOf: [{ type: 'null' }, ref] }),
      (ref: unknown) => ({ not: ref }),
      (ref: unknown) => ({ if: ref, then: {} }),
      (ref: unknown) => ({ dependentSchemas: { a: ref } }),
    ];
    for (const wrap of around) {
      const schema = {
        properties: { x: { $ref: '#/$defs/A' } },
        $defs: { A: wrap({ $ref: '#/$defs/B' }), B: { allOf: [{ $ref: '#/$defs/A' }] } },
      };
      expect(checkSchema(schema, '2020-12')).toBe(
        'schema: refers to itself without end: schema.$defs.A -> schema.$defs.B -> schema.$defs.A',
      );
    }
    expect(checkSchema({ $ref: '#' }, '2020-12')).toContain('without end');
    expect(checkSchema({ $ref: '#' }, 'draft-07')).toContain('without end');
    expect(
      checkSchema({ properties: { a: { $ref: '#' } }, items: { anyOf: [{ $ref: '#' }] } }, '2020-12'),
    ).toBeUndefined();
  });

  it('F5: schemas that are too deep or too large are refused, without a stack and soon', () => {
    let deep: object = {};
    for (let level = 0; level < 20_000; level += 1) deep = { items: deep };
    expect(checkSchema(deep, '2020-12')).toContain('must nest at most 200 levels deep');
    const many = {
      properties: Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`p${index}`, {}])),
    };
    expect(checkSchema(many, '2020-12')).toContain('at most 20000 schemas');
    let nested: object = { type: 'string' };
    for (let level = 0; level < 200; level += 1) nested = { items: nested };
    expect(check(nested, [[[[1]]]])).toEqual([]);
  });

  it('F5: a definition that nobody refers to is nobody’s problem', () => {
    const schema = { type: 'string', $defs: { broken: { pattern: '(' } } };
    expect(checkSchema(schema, '2020-12')).toBeUndefined();
  });

  it('F1, F5: nothing is ever printed', () => {
    const printed = (['log', 'warn', 'error', 'info'] as const).map((name) => vi.spyOn(console, name));
    check(
      {
        format: 'uint',
        unknownOne: 1,
        minContains: 1,
        else: false,
        type: ['integer', 'null'],
        nullable: true,
      },
      5,
    );
    checkSchema({ pattern: '(' }, '2020-12');
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it('F5: a pattern that only the older rules accept is taken by them', () => {
    expect(check({ pattern: '^[\\w\\-.]+$' }, 'a-b.c')).toEqual([]);
    expect(check({ pattern: '^[\\w\\-.]+$' }, 'a b')).toHaveLength(1);
    expect(check({ pattern: '^\\p{Lu}$' }, 'É')).toEqual([]);
  });
});
