import fc from 'fast-check';

/** Values and schemas over few names, so that they often meet. */
const key = fc.constantFrom('a', 'b', 'c', 'ab', '');
const text = fc.constantFrom('', 'a', 'b', 'ab', 'abc', '0', '💡💡');
const integer = fc.integer({ min: -2, max: 6 });
const number = fc.oneof(integer, fc.constantFrom(0.5, 1.5, 2.25));
const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text);

/** An object with an own property for each entry, also one called `__proto__`. */
function record<V>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<V>): fc.Arbitrary<{ [key: string]: V }> {
  return fc
    .uniqueArray(fc.tuple(keys, values), { maxLength: 3, selector: ([name]) => name })
    .map((entries) => {
      const made = {};
      for (const [name, value] of entries) {
        Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
      }
      return made;
    });
}

export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    record(key, tie('value')),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
})).value;

/** The other validator takes an empty array and an empty object for equal. */
const literal = jsonValue.filter((value) => !/\[\]|\{\}/.test(JSON.stringify(value)));

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const type = fc.oneof(
  fc.constantFrom(...TYPES),
  fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
);
const size = fc.integer({ min: 0, max: 3 });
const pattern = fc.constantFrom('^a', 'b$', '^.$', '\\d');

export type Dialect = 'draft-07' | '2020-12';

/** The keywords of both dialects; those with a schema get one of `schema`, references one of `refs`. */
function keywords(schema: fc.Arbitrary<unknown>, refs: fc.Arbitrary<string>, dialect: Dialect) {
  const isModern = dialect !== 'draft-07';
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    type,
    const: literal,
    enum: fc.uniqueArray(literal, { minLength: 1, maxLength: 3 }),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minimum: integer,
    maximum: integer,
    exclusiveMinimum: integer,
    exclusiveMaximum: integer,
    minLength: size,
    maxLength: size,
    pattern,
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    minProperties: size,
    maxProperties: size,
    required: fc.uniqueArray(key, { maxLength: 2 }),
    properties: record(key, schema),
    patternProperties: record(pattern, schema),
    additionalProperties: schema,
    propertyNames: schema,
    items: isModern ? schema : fc.oneof(schema, schemas),
    // The other validator passes over `false` beside `maxContains`.
    contains: schema.filter((value) => value !== false),
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    $ref: refs,
    ...(isModern
      ? {
          prefixItems: schemas,
          minContains: size,
          maxContains: size,
          dependentRequired: record(key, fc.uniqueArray(key, { maxLength: 2 })),
          dependentSchemas: record(key, schema),
        }
      : {
          additionalItems: schema,
          dependencies: record(key, fc.oneof(schema, fc.uniqueArray(key, { maxLength: 2 }))),
        }),
  } as { [name: string]: fc.Arbitrary<unknown> };
}

/** Schemas that use any keyword of a dialect, with two definitions that anything may refer to. */
export function fullSchema(dialect: Dialect): fc.Arbitrary<{ [key: string]: unknown }> {
  const holder = dialect === 'draft-07' ? 'definitions' : '$defs';
  const refs = fc.constantFrom('#', `#/${holder}/x`, `#/${holder}/y`);
  const { node } = fc.letrec<{ schema: unknown; node: { [key: string]: unknown } }>((tie) => {
    const table = keywords(tie('schema'), refs, dialect);
    return {
      schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), tie('node')),
      node: fc
        .uniqueArray(fc.constantFrom(...Object.keys(table)), { maxLength: 3 })
        .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, table[name]!]))))
        // The other validator needs the default said to which `maxContains` adds.
        .map((made) => ('maxContains' in made ? { minContains: 1, ...made } : made)),
    };
  });
  return fc.tuple(node, node, node).map(([root, x, y]) => ({ ...root, [holder]: { x, y } }));
}
