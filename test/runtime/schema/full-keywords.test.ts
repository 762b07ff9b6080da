import { describe, expect, it } from 'vitest';
import { checkSchema, schemaValidator, schemaWarnings } from '#dist/runtime/schema/schema-validator.js';

type Dialect = 'draft-07' | '2020-12';
type Row = [claim: string, schema: unknown, valid: unknown[], invalid: unknown[]];

const list = {
  $defs: { list: { type: ['array', 'null'], items: { $ref: '#/$defs/list' } } },
  $ref: '#/$defs/list',
};
const tree = {
  type: 'object',
  properties: { value: { type: 'number' }, kids: { type: 'array', items: { $ref: '#' } } },
  required: ['value'],
};

/** What both dialects have. */
const SHARED: Row[] = [
  [
    'recursive $ref to the root',
    tree,
    [{ value: 1, kids: [{ value: 2, kids: [] }] }],
    [{}, { value: 1, kids: [{}] }, { value: 1, kids: [{ value: 'x' }] }],
  ],
  [
    '$ref into $defs',
    { $defs: { s: { type: 'string' } }, properties: { a: { $ref: '#/$defs/s' } } },
    [{ a: 'x' }, {}],
    [{ a: 1 }],
  ],
  [
    '$ref into definitions',
    { definitions: { s: { type: 'string' } }, properties: { a: { $ref: '#/definitions/s' } } },
    [{ a: 'x' }],
    [{ a: 1 }],
  ],
  [
    '$ref to a property, with escapes',
    { properties: { 'a/b~c %"': { type: 'string' }, b: { $ref: '#/properties/a~1b~0c%20%25%22' } } },
    [{ b: 'x' }],
    [{ b: 1 }],
  ],
  [
    '$ref to an item of a list',
    { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { $ref: '#/anyOf/0' } } }] },
    ['x', { a: 'x' }],
    [1, { a: 1 }],
  ],
  [
    '$ref to where no keyword calls it a schema',
    { 'x-shared': { s: { type: 'string' } }, items: { $ref: '#/x-shared/s' } },
    [['x']],
    [[1]],
  ],
  [
    'a property that is called $ref',
    { properties: { $ref: { type: 'string' } } },
    [{ $ref: 'a' }],
    [{ $ref: 1 }],
  ],
  [
    'a property of a recursive type called $ref',
    {
      $defs: { r: { properties: { $ref: { $ref: '#/$defs/s' } } }, s: { type: 'string' } },
      items: { $ref: '#/$defs/r' },
    },
    [[{ $ref: 'a' }]],
    [[{ $ref: 1 }]],
  ],
  ['data that looks like $ref', { enum: [{ $ref: '#/nowhere' }] }, [{ $ref: '#/nowhere' }], ['x']],
  [
    '$id that $ref is relative to',
    {
      $id: 'http://example.com/root.json',
      $defs: { a: { $id: 'a.json', type: 'integer' } },
      items: { $ref: 'a.json' },
    },
    [[1]],
    [['x']],
  ],
  [
    '$id in a folder',
    {
      $id: 'http://example.com/root.json',
      $defs: {
        a: { $id: 'dir/a.json', $defs: { b: { type: 'integer' } }, properties: { x: { $ref: '#/$defs/b' } } },
      },
      items: { $ref: 'http://example.com/dir/a.json' },
    },
    [[{ x: 1 }]],
    [[{ x: 'a' }]],
  ],
  [
    'a urn as $id',
    {
      $id: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed',
      $defs: { a: { type: 'integer' } },
      items: { $ref: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed#/$defs/a' },
    },
    [[1]],
    [['x']],
  ],
  ['anyOf', { anyOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5, 3], [1.5]],
  [
    'anyOf with a base',
    { type: 'string', anyOf: [{ maxLength: 2 }, { minLength: 4 }] },
    ['ab', 'abcd'],
    ['abc', 1],
  ],
  [
    'allOf',
    { allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } } }] },
    [{ a: 'x' }],
    [{}, { a: 1 }],
  ],
  ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  [
    'oneOf with required',
    { type: 'object', oneOf: [{ required: ['a', 'b'] }, { required: ['a', 'c'] }] },
    [{ a: 1, b: 1 }],
    [{ b: 1 }, { a: 1, b: 1, c: 1 }],
  ],
  ['not', { not: { type: ['integer', 'boolean'] } }, ['x', 1.5, null], [1, true]],
  ['not with a property', { properties: { a: { not: {} } } }, [{}, { b: 1 }], [{ a: 1 }]],
  ['double negation', { not: { not: { type: 'string' } } }, ['x'], [1]],
  [
    'enum of any JSON',
    { enum: [6, 'foo', [], true, { foo: 12 }, null] },
    [6, 'foo', [], true, { foo: 12 }, null],
    [7, { foo: false }, { foo: 12, boo: 42 }, [1], '6', false],
  ],
  [
    'enum tells 0 from false and 1 from true',
    { enum: [false, [1]] },
    [false, [1]],
    [0, [0], [true], [false]],
  ],
  [
    'const of any JSON',
    { const: { a: [1, { b: null }] } },
    [{ a: [1, { b: null }] }],
    [{ a: [1] }, { a: [1, { b: 0 }] }, null],
  ],
  ['const null', { const: null }, [null], [0, false, '', {}]],
  ['const tells false from 0', { const: { a: false } }, [{ a: false }], [{ a: 0 }, { a: [false] }]],
  ['const tells true from 1 in arrays', { const: [true] }, [[true]], [[1]]],
  ['type arrays', { type: ['integer', 'string'] }, [1, 'x', 1.0], [1.5, null, true, {}, []]],
  ['integer', { type: 'integer' }, [1, 1.0, -5, 1e300], [1.1, '1', null]],
  ['number is not boolean', { type: 'number' }, [1, 1.1], [true, '1', null]],
  ['nullable beside type', { type: 'string', nullable: true }, ['x', null], [1]],
  ['nullable: false', { type: 'string', nullable: false }, ['x'], [null]],
  ['nullable does not widen enum', { type: 'string', nullable: true, enum: ['a'] }, ['a'], [null, 'b']],
  [
    'nullable union',
    { anyOf: [{ type: 'object', properties: { a: { type: 'number' } } }, { type: 'null' }] },
    [null, {}, { a: 1 }],
    [{ a: 'x' }, 'x'],
  ],
  [
    'additionalProperties: false',
    { properties: { foo: {}, bar: {} }, patternProperties: { '^v': {} }, additionalProperties: false },
    [{ foo: 1 }, { foo: 1, vroom: 2 }, [1], 'x'],
    [{ quux: 1 }],
  ],
  [
    'additionalProperties as schema',
    { properties: { foo: {} }, additionalProperties: { type: 'boolean' } },
    [{ foo: 1 }, { foo: 1, x: true }],
    [{ x: 1 }],
  ],
  [
    'additionalProperties does not look into allOf',
    { allOf: [{ properties: { foo: {} } }], additionalProperties: { type: 'boolean' } },
    [{ foo: true }],
    [{ foo: 1 }],
  ],
  [
    'patternProperties',
    { patternProperties: { 'f.*o': { type: 'integer' }, '^\\d+$': { type: 'string' } } },
    [{ foo: 1 }, { '12': 'x', fo: 1 }, {}],
    [{ foo: 'x' }, { '12': 1 }],
  ],
  [
    'patternProperties: false',
    { patternProperties: { 'f.*': true, 'b.*': false } },
    [{ foo: 1 }, {}],
    [{ bar: 1 }, { foobar: 1 }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 3 } }, [{ f: 1, foo: 2 }, {}, [1, 2]], [{ foobar: 1 }]],
  ['propertyNames: false', { propertyNames: false }, [{}, []], [{ a: 1 }]],
  [
    'properties that are called like members of objects',
    {
      properties: {
        constructor: { type: 'number' },
        toString: { properties: { length: { type: 'string' } } },
      },
    },
    [{}, { constructor: 5 }, []],
    [{ constructor: 'x' }, { toString: { length: 5 } }],
  ],
  [
    'required beside members of objects',
    { required: ['constructor', 'toString'] },
    [{ constructor: 1, toString: 1 }, []],
    [{}, { constructor: 1 }],
  ],
  [
    'required of properties with odd names',
    { required: ['foo\nbar', 'foo"bar', ''] },
    [{ 'foo\nbar': 1, 'foo"bar': 1, '': 1 }],
    [{ 'foo\nbar': 1, 'foo"bar': 1 }],
  ],
  ['numeric bounds', { minimum: 1.1, exclusiveMaximum: 3 }, [1.1, 2.9, 'x'], [0.6, 3, 3.5]],
  ['exclusiveMinimum', { exclusiveMinimum: 1.1 }, [1.2], [1.1, 0.6]],
  ['multipleOf', { multipleOf: 0.01 }, [0.01, 4.02, 0, 'x'].slice(0, 1).concat([0, 0.03]), [0.005]],
  ['multipleOf an integer', { multipleOf: 2 }, [10, 0, -4, 'x'], [7, 1.5]],
  [
    'string bounds count characters',
    { minLength: 2, maxLength: 2 },
    ['ab', '💩💩', 100],
    ['a', '💩', 'abc', '💩💩💩'],
  ],
  ['pattern is not anchored', { pattern: 'a+' }, ['xxaayy', 1, null], ['b']],
  ['pattern with Unicode classes', { pattern: '\\p{Letter}cole' }, ['École'], ['1cole']],
  ['array bounds', { minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x', {}], [[], [1, 2, 3]]],
  ['object bounds', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }, 'x', []], [{}, { a: 1, b: 2, c: 3 }]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [
      [1, 2],
      [{ a: 1 }, { a: 2 }],
      [1, true],
      [0, false],
      [[1], [true]],
      ['1', 1],
      [
        [['a'], 'b'],
        [['a'], 'c'],
      ],
      'x',
    ],
    [
      [1, 1],
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
      [null, null],
      [{ a: false }, { a: false }],
    ],
  ],
  ['uniqueItems: false', { uniqueItems: false }, [[1, 1]], []],
  ['contains', { contains: { minimum: 5 } }, [[3, 4, 5], [5], 'x', {}], [[2, 3], []]],
  [
    'contains: true and false',
    { anyOf: [{ contains: false }, { contains: true, maxItems: 1 }] },
    [[1], 'x'],
    [[], [1, 2]],
  ],
  [
    'a required empty name beside propertyNames',
    { required: [''], propertyNames: { maxLength: 3 } },
    [{ '': 1 }],
    [{}, { a: 1 }],
  ],
  [
    'contains in a loop, where an empty array follows one that has what is wanted',
    { items: { contains: { type: 'integer' } } },
    [[[0]], []],
    [[[0], []]],
  ],
  ['contains with if', { contains: { if: false, else: true } }, [['foo']], [[]]],
  ['if with then', { if: { exclusiveMaximum: 0 }, then: { minimum: -10 } }, [-1, 3], [-100]],
  ['if with else', { if: { exclusiveMaximum: 0 }, else: { multipleOf: 2 } }, [-1, 4], [3]],
  [
    'if with both',
    { if: { exclusiveMaximum: 0 }, then: { minimum: -10 }, else: { multipleOf: 2 } },
    [-1, 4],
    [-100, 3],
  ],
  [
    'if that is true or false',
    { if: true, then: { const: 'then' }, else: { const: 'else' } },
    ['then'],
    ['else'],
  ],
  [
    'if alone, then alone',
    { allOf: [{ if: { const: 0 } }, { then: { const: 0 } }, { else: { const: 0 } }] },
    [0, 'hello'],
    [],
  ],
  [
    'dependencies',
    {
      dependencies: {
        bar: ['foo'],
        quux: { required: ['x'], properties: { x: { type: 'integer' } } },
        no: false,
      },
    },
    [{}, { foo: 1 }, { foo: 1, bar: 2 }, { quux: 1, x: 1 }, ['bar'], 'x'],
    [{ bar: 2 }, { quux: 1 }, { quux: 1, x: 'a' }, { no: 1 }],
  ],
  ['boolean schemas', { properties: { yes: true, no: false }, items: true }, [{ yes: 1 }, [1]], [{ no: 1 }]],
  [
    'no type at all',
    { properties: { a: { type: 'string' } }, minLength: 2, maximum: 3, maxItems: 1 },
    ['ab', 3, {}, [1], null, true],
    ['a', 4, { a: 1 }, [1, 2]],
  ],
  ['items', { items: { type: 'integer' } }, [[1, 2], [], { '0': 'x' }], [[1, 'x']]],
  ['items: false', { items: false }, [[]], [[1], [null]]],
  ['items in items', { items: { items: { items: { type: 'number' } } } }, [[[[1], [2]]]], [[[['1']]]]],
  ['null is an item', { items: { type: 'null' } }, [[null]], [[0]]],
];

const ONLY: { readonly [D in Dialect]: Row[] } = {
  'draft-07': [
    [
      'tuple items',
      { items: [{ type: 'integer' }, { type: 'string' }] },
      [[1, 'x'], [1], [1, 'x', true], []],
      [['x', 1]],
    ],
    [
      'tuple items with additionalItems',
      { items: [{}, {}], additionalItems: { type: 'integer' } },
      [[null, null, 1], [null]],
      [[null, null, 'x']],
    ],
    ['tuple items, closed', { items: [{}, {}], additionalItems: false }, [[], [1, 2]], [[1, 2, 3]]],
    [
      'additionalItems without a tuple',
      { items: { type: 'integer' }, additionalItems: false },
      [[1, 2]],
      [['x']],
    ],
    ['an empty tuple', { items: [], additionalItems: { type: 'string' } }, [[], ['x']], [[1]]],
    [
      'a tuple beside contains',
      { items: [{ type: 'string' }], contains: { type: 'number' } },
      [['x', 1]],
      [[], ['x']],
    ],
    [
      '$ref hides what stands beside it',
      {
        definitions: { r: { type: 'array' } },
        properties: { foo: { $ref: '#/definitions/r', maxItems: 1 } },
      },
      [{ foo: [1, 2] }, { foo: [] }],
      [{ foo: 'x' }],
    ],
    [
      '$ref hides an $id beside it',
      {
        $id: 'http://localhost/base/',
        definitions: {
          foo: { $id: 'http://localhost/else/foo.json', type: 'string' },
          bar: { $id: 'foo.json', type: 'number' },
        },
        allOf: [{ $id: 'http://localhost/else/', $ref: 'foo.json' }],
      },
      [1],
      ['x'],
    ],
    [
      'an $id that is only a fragment',
      { definitions: { a: { $id: '#here', type: 'integer' } }, items: { $ref: '#here' } },
      [[1]],
      [['x']],
    ],
  ],
  '2020-12': [
    ['recursive $ref through $defs', list, [null, [], [[null], []]], [1, [[1]]]],
    [
      'prefixItems',
      { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
      [[1, 'x'], [1], [1, 'x', true], [], { '0': 'x' }],
      [['x', 1]],
    ],
    [
      'prefixItems with items',
      { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      [['x', 2, 3], ['x']],
      [['x', 'y'], [1]],
    ],
    ['prefixItems, closed', { prefixItems: [{}, {}], items: false }, [[], [1], [1, 2]], [[1, 2, 3]]],
    [
      'prefixItems beside contains',
      { prefixItems: [{ type: 'string' }], contains: { type: 'number' } },
      [['x', 1]],
      [[], ['x']],
    ],
    [
      'items does not look into allOf',
      { allOf: [{ prefixItems: [{ minimum: 3 }] }], items: { minimum: 5 } },
      [[5]],
      [[3], [1]],
    ],
    [
      'minContains',
      { contains: { const: 1 }, minContains: 2 },
      [
        [1, 1],
        [1, 2, 1],
      ],
      [[1], [], [2]],
    ],
    ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[1, 1], []]],
    ['minContains: 0', { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [1], [2]], [[1, 1]]],
    [
      'minContains above maxContains',
      { contains: { const: 1 }, minContains: 3, maxContains: 1 },
      [],
      [[], [1], [1, 1, 1]],
    ],
    ['minContains without contains', { minContains: 2, maxContains: 1 }, [[], [1]], []],
    [
      'dependentRequired',
      { dependentRequired: { quux: ['foo', 'bar'], 'a"b': ['c'] } },
      [{}, { foo: 1 }, { foo: 1, bar: 2, quux: 3 }, ['quux']],
      [{ quux: 1 }, { foo: 1, quux: 2 }, { 'a"b': 1 }],
    ],
    [
      'dependentSchemas',
      { dependentSchemas: { bar: { properties: { foo: { type: 'integer' } } }, no: false } },
      [{ foo: 1, bar: 2 }, { foo: 'x' }, {}],
      [{ foo: 'x', bar: 2 }, { no: 1 }],
    ],
    [
      '$ref beside other keywords',
      { $defs: { r: { type: 'array' } }, properties: { foo: { $ref: '#/$defs/r', maxItems: 2 } } },
      [{ foo: [] }],
      [{ foo: [1, 2, 3] }, { foo: 'x' }],
    ],
    [
      '$anchor',
      { $defs: { a: { $anchor: 'foo', type: 'integer' } }, items: { $ref: '#foo' } },
      [[1]],
      [['x']],
    ],
    [
      '$anchor of another resource',
      {
        $id: 'http://x/root',
        items: { $ref: 'http://x/other#foo' },
        $defs: { A: { $id: 'other', $defs: { B: { $anchor: 'foo', type: 'integer' } } } },
      },
      [[1]],
      [['x']],
    ],
    [
      '$dynamicRef to its only anchor',
      {
        $dynamicAnchor: 'node',
        properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } }, v: { type: 'number' } },
      },
      [{ kids: [{ v: 1 }] }],
      [{ kids: [{ v: 'x' }] }],
    ],
    [
      'unevaluatedProperties: false',
      { properties: { foo: { type: 'string' } }, unevaluatedProperties: false },
      [{}, { foo: 'x' }, [1]],
      [{ foo: 'x', bar: 1 }],
    ],
    [
      'unevaluatedProperties as schema',
      { unevaluatedProperties: { type: 'string', minLength: 3 } },
      [{}, { foo: 'foo' }],
      [{ foo: 'fo' }],
    ],
    [
      'unevaluatedProperties beside patterns and additionalProperties',
      {
        patternProperties: { '^f': {} },
        unevaluatedProperties: false,
        allOf: [{ properties: { b: {} } }, { patternProperties: { '^z': {} } }],
      },
      [{ f: 1, b: 1, z: 1 }],
      [{ x: 1 }],
    ],
    [
      'unevaluatedProperties after additionalProperties',
      { additionalProperties: true, unevaluatedProperties: false },
      [{ a: 1 }],
      [],
    ],
    [
      'unevaluatedProperties sees what $ref, anyOf and dependentSchemas saw',
      {
        $ref: '#/$defs/bar',
        properties: { foo: {} },
        unevaluatedProperties: false,
        anyOf: [
          { properties: { x: { const: 'x' } }, required: ['x'] },
          { properties: { y: { const: 'y' } }, required: ['y'] },
        ],
        dependentSchemas: { foo: { properties: { z: {} } } },
        $defs: { bar: { properties: { bar: {} } } },
      },
      [
        { x: 'x', bar: 1, foo: 1, z: 1 },
        { x: 'x', y: 'y' },
      ],
      [
        { x: 'x', y: 'not y' },
        { y: 'y', z: 1 },
        { x: 'x', q: 1 },
      ],
    ],
    [
      'unevaluatedProperties sees the branch that matched alone',
      {
        properties: { foo: {} },
        oneOf: [
          { properties: { bar: { const: 'bar' } }, required: ['bar'] },
          { properties: { baz: { const: 'baz' } }, required: ['baz'] },
        ],
        unevaluatedProperties: false,
      },
      [{ foo: 1, bar: 'bar' }],
      [
        { bar: 'bar', quux: 1 },
        { bar: 'bar', baz: 'no' },
      ],
    ],
    [
      'unevaluatedProperties does not see what not saw',
      {
        properties: { foo: {} },
        not: { not: { properties: { bar: { const: 'bar' } }, required: ['bar'] } },
        unevaluatedProperties: false,
      },
      [],
      [{ foo: 1, bar: 'bar' }],
    ],
    [
      'unevaluatedProperties and if, then, else',
      {
        if: { properties: { foo: { const: 'then' } }, required: ['foo'] },
        then: { properties: { bar: {} }, required: ['bar'] },
        else: { properties: { baz: {} }, required: ['baz'] },
        unevaluatedProperties: false,
      },
      [{ foo: 'then', bar: 1 }, { baz: 1 }],
      [
        { foo: 'then', bar: 1, baz: 1 },
        { foo: 'else', baz: 1 },
      ],
    ],
    [
      'unevaluatedProperties and an if that decides nothing',
      { if: { patternProperties: { foo: { type: 'string' } } }, unevaluatedProperties: false },
      [{ foo: 'a' }],
      [{ bar: 'a' }, { foo: 1 }],
    ],
    [
      'unevaluatedProperties does not see cousins',
      { allOf: [{ properties: { foo: true } }, { unevaluatedProperties: false }] },
      [{}],
      [{ foo: 1 }],
    ],
    [
      'unevaluatedProperties inside and outside',
      {
        properties: { foo: {} },
        allOf: [{ properties: { bar: {} }, unevaluatedProperties: true }],
        unevaluatedProperties: false,
      },
      [{ foo: 1, x: 1 }],
      [],
    ],
    [
      'unevaluatedProperties in a recursion',
      {
        $defs: { t: { properties: { v: true, kid: { $ref: '#/$defs/t' } }, unevaluatedProperties: false } },
        $ref: '#/$defs/t',
      },
      [{ v: 1, kid: { v: 1 } }],
      [{ kid: { x: 1 } }],
    ],
    [
      'unevaluatedProperties of a dynamic evaluation inside a property',
      {
        properties: { foo: { properties: { bar: {} }, unevaluatedProperties: false } },
        anyOf: [{ properties: { foo: { properties: { faz: {} } } } }],
      },
      [{ foo: { bar: 1 } }],
      [{ foo: { bar: 1, faz: 1 } }],
    ],
    [
      'unevaluatedItems: false',
      { prefixItems: [{}], unevaluatedItems: false },
      [[], ['x'], { a: 1 }],
      [[1, 2]],
    ],
    [
      'unevaluatedItems as schema',
      { prefixItems: [{}], unevaluatedItems: { type: 'string' } },
      [[1, 'x']],
      [[1, 2]],
    ],
    [
      'unevaluatedItems after items',
      { items: { type: 'string' }, unevaluatedItems: false },
      [['a', 'b']],
      [[1]],
    ],
    [
      'unevaluatedItems sees nested tuples',
      { prefixItems: [{}], allOf: [{ prefixItems: [true, { type: 'number' }] }], unevaluatedItems: false },
      [['x', 1]],
      [['x', 1, 2]],
    ],
    [
      'unevaluatedItems sees what contains found',
      { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
      [[1, 'foo'], ['foo']],
      [[1, 2], [1, 2, 'foo'], []],
    ],
    [
      'unevaluatedItems sees several nested contains',
      {
        allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }],
        unevaluatedItems: { multipleOf: 5 },
      },
      [[2, 3, 4, 5, 6]],
      [[2, 3, 4, 7, 8]],
    ],
    [
      'unevaluatedItems and conditional contains',
      {
        if: { contains: { const: 'a' } },
        then: { if: { contains: { const: 'b' } } },
        unevaluatedItems: false,
      },
      [[], ['a', 'a'], ['a', 'b', 'a']],
      [['b'], ['a', 'c']],
    ],
    [
      'unevaluatedItems sees the matching branches of anyOf',
      {
        prefixItems: [{ const: 'foo' }],
        anyOf: [{ prefixItems: [true, { const: 'bar' }] }, { prefixItems: [true, true, { const: 'baz' }] }],
        unevaluatedItems: false,
      },
      [
        ['foo', 'bar'],
        ['foo', 'bar', 'baz'],
      ],
      [
        ['foo', 'bar', 42],
        ['foo', 'x', 'y'],
      ],
    ],
    [
      'unevaluatedItems does not see cousins',
      { allOf: [{ prefixItems: [true] }, { unevaluatedItems: false }] },
      [[]],
      [[1]],
    ],
    [
      'an array as items is read as a tuple',
      { items: [{ type: 'string' }], additionalItems: false },
      [['x']],
      [[1], ['x', 1]],
    ],
  ],
};

describe.each(['draft-07', '2020-12'] as const)('%s', (dialect) => {
  it.each([...SHARED, ...ONLY[dialect]])('F4: %s', (_, schema, valid, invalid) => {
    expect(checkSchema(schema, dialect)).toBeUndefined();
    const validate = schemaValidator(schema as never, dialect);
    for (const value of valid) expect({ value, found: validate(value) }).toEqual({ value, found: [] });
    for (const value of invalid) {
      expect({ value, found: validate(value) }).not.toEqual({ value, found: [] });
      expect({ value, found: validate(Object.freeze(value)) }).not.toEqual({ value, found: [] });
    }
  });
});

describe('what is said of schemas that need a guess', () => {
  it('F4: a definition that is nested where the reference does not look is found when its name is unique', () => {
    const nested = {
      properties: { f: { properties: { s: { $ref: '#/$defs/R' } }, $defs: { R: { type: 'string' } } } },
    };
    expect(schemaValidator(nested as never, '2020-12')({ f: { s: 1 } }, '')).toEqual([
      'f.s: wanted a string, received 1',
    ]);
    expect(schemaWarnings(nested, '2020-12')).toEqual([
      'schema.properties.f.properties.s: "#/$defs/R" is read as schema.properties.f.$defs.R, the only one of that name',
    ]);
    const twice = { properties: { ...nested.properties, g: nested.properties.f } };
    expect(checkSchema(twice, '2020-12')).toContain('names nothing in this schema');
  });

  it('F4: what draft-07 ignores beside $ref is said', () => {
    const schema = { definitions: { r: {} }, items: { $ref: '#/definitions/r', maxItems: 1, title: 'x' } };
    expect(schemaWarnings(schema, 'draft-07')).toEqual([
      'schema.items: draft-07 ignores what stands beside "$ref": maxItems',
    ]);
  });

  it('F4: a tuple in the older form is said', () => {
    expect(schemaWarnings({ items: [{}] }, '2020-12')).toEqual([
      'schema.items: an array of schemas is read as "prefixItems"',
    ]);
  });

  it('F5: a dynamic reference that could mean several places is refused', () => {
    const schema = {
      $dynamicAnchor: 'node',
      items: { $dynamicRef: '#node' },
      $defs: { other: { $id: 'other', $dynamicAnchor: 'node' } },
    };
    expect(checkSchema(schema, '2020-12')).toContain(
      '"$dynamicRef" to one of several places is not supported',
    );
  });
});
