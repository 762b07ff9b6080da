import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf, typeErrors } from './compiler.ts';
import { tool } from './tools.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [keyword: string]: unknown };

const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)
  .filter((value) => !JSON.stringify(value).includes('-0'));
// Without `constructor` and the like: to TypeScript an object literal already has them, as functions.
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'd', 'x1', 'type', 'my-key', '__proto__', 'größe', ''),
  fc.string({ maxLength: 4 }),
);

/** Schemas of every construct, as models and servers write them. */
const { schema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Schema>(
      ...['string', 'integer', 'number', 'boolean', 'null'].map((type) => ({ type })),
      {},
    ),
    fc.array(json, { minLength: 1, maxLength: 4 }).map((values): Schema => ({ enum: values })),
    json.map((value): Schema => ({ const: value })),
    fc
      .uniqueArray(fc.constantFrom('string', 'integer', 'boolean', 'null', 'array', 'object'), {
        minLength: 1,
      })
      .map((type): Schema => ({ type })),
    fc.constantFrom('string', 'number', 'boolean').map((type): Schema => ({ type, nullable: true })),
    tie('schema').map((items): Schema => ({ type: 'array', items })),
    fc
      .record({
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        minItems: fc.nat(3),
        items: fc.option(fc.oneof(tie('schema'), fc.boolean()), { nil: undefined }),
      })
      .map(
        (tuple): Schema => ({
          type: 'array',
          ...tuple,
          minItems: Math.min(tuple.minItems, tuple.prefixItems.length),
        }),
      ),
    fc
      .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
      .map(([word, branches]): Schema => ({ [word]: branches })),
    tie('object'),
    fc
      .tuple(tie('object'), fc.array(tie('object'), { maxLength: 2 }))
      .map(([first, more]): Schema => ({ allOf: [first, ...more].map(open) })),
    fc.constant<Schema>({ $ref: '#/$defs/tree' }),
    fc.constant<Schema>({ $ref: '#/$defs/leaf', description: 'A */ leaf' }),
  ),
  object: fc
    .record({
      properties: fc.uniqueArray(fc.tuple(key, tie('schema')), { maxLength: 4, selector: ([name]) => name }),
      required: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      additionalProperties: fc.oneof(fc.constantFrom(undefined, true, false), tie('schema')),
    })
    .map(({ properties, required, additionalProperties }) => ({
      type: 'object',
      properties: Object.defineProperties(
        {},
        Object.fromEntries(properties.map(([name, value]) => [name, { value, enumerable: true }])),
      ),
      required: properties.filter((_, i) => required[i]).map(([name]) => name),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    })),
})) as { schema: fc.Arbitrary<Schema> };

/** Objects that an allOf can hold together: none of them closed. */
const open = ({ additionalProperties: _, ...rest }: Schema): Schema => rest;

const $defs = {
  leaf: { type: 'object', properties: { v: { type: 'string' } }, required: ['v'] },
  tree: { anyOf: [{ $ref: '#/$defs/leaf' }, { type: 'array', items: { $ref: '#/$defs/tree' } }] },
};
const leaf = fc.string({ maxLength: 3 }).map((v) => ({ v }));
const tree = fc.oneof(
  leaf,
  fc.array(fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), { maxLength: 2 }),
) as fc.Arbitrary<Json>;

/** Values that a schema of the generator above accepts, without undeclared properties. */
function acceptedBy(of: Schema | boolean): fc.Arbitrary<Json> {
  if (typeof of === 'boolean') return json;
  const s: Schema = of;
  if (Object.hasOwn(s, 'const')) return fc.constant(s['const'] as Json);
  if (s['enum'] !== undefined) return fc.constantFrom(...(s['enum'] as Json[]));
  if (s['$ref'] !== undefined) return (s['$ref'] as string).endsWith('tree') ? tree : leaf;
  for (const word of ['anyOf', 'oneOf']) {
    if (s[word] !== undefined) return fc.oneof(...(s[word] as Schema[]).map(acceptedBy));
  }
  if (s['allOf'] !== undefined) {
    return fc.tuple(...(s['allOf'] as Schema[]).map(acceptedBy)).map((parts) => joined(parts as object[]));
  }
  const types = s['type'] === undefined ? undefined : ([s['type']].flat() as string[]);
  if (types === undefined) return json;
  const arbitraries = types.map((type) => acceptedOfType(type, s));
  return fc.oneof(...arbitraries, ...(s['nullable'] === true ? [fc.constant<Json>(null)] : []));
}

function acceptedOfType(type: string, s: Schema): fc.Arbitrary<Json> {
  if (type === 'string') return fc.string({ maxLength: 5 });
  if (type === 'integer') return fc.integer();
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return s['prefixItems'] === undefined
      ? fc.array(acceptedBy((s['items'] ?? true) as Schema), { maxLength: 3 })
      : tupleOf(s);
  const properties = (s['properties'] ?? {}) as Record<string, Schema>;
  const required = (s['required'] ?? []) as string[];
  return fc
    .tuple(
      ...Object.keys(properties).map((name) =>
        fc.tuple(
          fc.constant(name),
          fc.option(acceptedBy(properties[name]!), { nil: undefined }),
          acceptedBy(properties[name]!),
        ),
      ),
    )
    .map((entries) => {
      const value: { [name: string]: Json } = {};
      for (const [name, maybe, sure] of entries) {
        const chosen = required.includes(name) ? sure : maybe;
        if (chosen !== undefined) Object.defineProperty(value, name, { value: chosen, enumerable: true });
      }
      return value;
    });
}

function tupleOf(s: Schema): fc.Arbitrary<Json> {
  const prefix = s['prefixItems'] as Schema[];
  const rest = s['items'] as Schema | boolean | undefined;
  const more =
    rest === false ? fc.constant<Json[]>([]) : fc.array(acceptedBy(rest ?? true), { maxLength: 2 });
  return fc
    .tuple(fc.tuple(...prefix.map(acceptedBy)), fc.nat(prefix.length), more)
    .map(([head, kept, tail]) => {
      const count = Math.max(kept, s['minItems'] as number);
      return count < prefix.length ? head.slice(0, count) : [...head, ...tail];
    });
}

/** One object with the properties of several, `__proto__` included. */
function joined(parts: readonly object[]): Json {
  const value = {};
  for (const part of parts) Object.defineProperties(value, Object.getOwnPropertyDescriptors(part));
  return value;
}

/** JSON as an expression: a property called `__proto__` must not set a prototype. */
const expression = (value: Json): string =>
  JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');

/** allOf parts may declare one property twice with types that exclude each other; such a schema accepts nothing there. */
function isConsistent(of: unknown): boolean {
  if (Array.isArray(of)) return of.every(isConsistent);
  if (typeof of !== 'object' || of === null) return true;
  const s = of as Schema;
  if (Array.isArray(s['allOf'])) {
    const names = (s['allOf'] as Schema[]).flatMap((part) =>
      Object.keys((part['properties'] ?? {}) as object),
    );
    if (new Set(names).size !== names.length) return false;
  }
  return Object.values(s).every(isConsistent);
}

describe('a value that a schema accepts', () => {
  it('C16, C19, F4, F6: type-checks against the text, for any schema', { timeout: 120_000 }, () => {
    const files: Record<string, string> = {};
    const pair = schema
      .filter(isConsistent)
      .chain((of) => fc.tuple(fc.constant(of), fc.array(acceptedBy(of), { minLength: 1, maxLength: 3 })));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 10, maxLength: 10 }), (pairs) => {
        const tools = pairs.map(([of], i) => tool({ name: `t${i}`, outputSchema: { ...of, $defs } }));
        const lines = pairs.flatMap(([of, values], i) =>
          values.map(
            (value) =>
              `{ const value: Awaited<ReturnType<typeof tools.t${i}>> = ${expression(value)}; void value; } // ${JSON.stringify(of)}`,
          ),
        );
        files[`run-${Object.keys(files).length}.ts`] =
          `export {};\n${declarationsOf(sdkText(tools).text)}\n${lines.join('\n')}`;
      }),
      { numRuns: 25 },
    );
    const errors = typeErrors(files);
    const shown = Object.entries(errors).map(([file, found]) =>
      found.map((error) => `${error}\n${files[file]!.split('\n')[Number.parseInt(error, 10) - 1]}`),
    );
    expect(shown.flat().slice(0, 5)).toEqual([]);
  });
});
