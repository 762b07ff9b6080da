import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** A schema whose root is an object without alternatives, as the model APIs want it. */
export type ObjectRoot = { type: 'object' } & Record<string, unknown>;

const COMBINATORS = ['anyOf', 'oneOf', 'allOf'] as const;
const CONDITIONS = ['if', 'then', 'else', 'not'] as const;

/**
 * Rewrites a parameter schema so that its root is `{type: 'object'}` without `anyOf`, `oneOf`, `allOf` or conditions.
 *
 * A root that is one already comes back as it is. Otherwise the properties of all branches are listed, with the root's own
 * and those of `allOf` required. The result accepts at least what the schema accepts: calls are validated against the
 * original all the same.
 *
 * @example
 * objectRoot({ anyOf: [{ properties: { id: { type: 'number' } } }, { properties: { name: { type: 'string' } } }] })
 * // { type: 'object', properties: { id: { type: 'number' }, name: { type: 'string' } } }
 */
export function objectRoot(parameters: JsonSchemaNode): ObjectRoot {
  const schema: unknown = parameters;
  if (!isSchema(schema)) return { type: 'object', properties: {} };
  const isPlain =
    schema['type'] === 'object' &&
    [...COMBINATORS, ...CONDITIONS, '$ref', 'enum', 'const'].every((keyword) => !(keyword in schema));
  if (isPlain)
    return 'properties' in schema ? (schema as ObjectRoot) : { ...schema, type: 'object', properties: {} };
  const variants = new Map<string, unknown[]>();
  const required = new Set<string>();
  collect(schema, true, { root: schema, variants, required, open: new Set() });
  const { description, title, $defs, definitions, $schema } = schema;
  const properties = Object.fromEntries(
    [...variants].map(([name, found]) => [name, found.length === 1 ? found[0] : { anyOf: found }]),
  );
  const kept = Object.entries({ $schema, title, description, $defs, definitions });
  return {
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    type: 'object',
    properties,
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

interface Collected {
  readonly root: Schema;
  readonly variants: Map<string, unknown[]>;
  readonly required: Set<string>;
  /** Schemas on the way down: a reference may lead back to one. */
  readonly open: Set<Schema>;
}

function collect(schema: Schema, always: boolean, into: Collected): void {
  if (into.open.has(schema)) return;
  into.open.add(schema);
  const { properties } = schema;
  if (isSchema(properties)) {
    for (const [name, property] of Object.entries(properties)) addVariant(into.variants, name, property);
  }
  if (always && Array.isArray(schema['required'])) {
    for (const name of schema['required']) if (typeof name === 'string') into.required.add(name);
  }
  const target = typeof schema['$ref'] === 'string' ? resolve(into.root, schema['$ref']) : undefined;
  if (target !== undefined) collect(target, always, into);
  for (const combinator of COMBINATORS) {
    const branches = schema[combinator];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches)
      if (isSchema(branch)) collect(branch, always && combinator === 'allOf', into);
  }
  for (const keyword of ['then', 'else']) {
    const branch = schema[keyword];
    if (isSchema(branch)) collect(branch, false, into);
  }
  into.open.delete(schema);
}

function addVariant(variants: Map<string, unknown[]>, name: string, property: unknown): void {
  const found = variants.get(name) ?? [];
  const text = JSON.stringify(property);
  if (!found.some((known) => JSON.stringify(known) === text)) found.push(property);
  variants.set(name, found);
}

function resolve(root: Schema, ref: string): Schema | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return isSchema(found) ? found : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
