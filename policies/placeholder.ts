import type { JsonValue } from '../runtime/core/json-value.js';
import type { JsonSchemaNode, SchemaDialect } from '../runtime/schema/json-schema.js';
import { schemaValidator } from '../runtime/schema/schema-validator.js';

/** A schema as it is read here: any keyword may be there. */
type Schema = { readonly [key: string]: unknown };

const MAX_DEPTH = 16;

/**
 * Makes a value that fits a schema, marked as made up where the schema leaves room for it: a text is the mark, an object has
 * the key `dryRun`.
 *
 * @returns `undefined` when none was found that the schema's own validator accepts
 * @example
 * placeholder({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, 'subset', '[dry run]')
 * // { id: '[dry run]', dryRun: true }
 */
export function placeholder(
  schema: JsonSchemaNode | boolean,
  dialect: SchemaDialect | undefined,
  mark: string,
): JsonValue | undefined {
  const validate = schemaValidator(schema, dialect);
  const fits = (value: JsonValue): boolean => validate(value, 'value').length === 0;
  const sketch = sketchOf(schema, { root: schema, mark, depth: 0 });
  const isOpen = typeof sketch === 'object' && sketch !== null && !Array.isArray(sketch);
  const marked = isOpen ? [{ ...(sketch as { [key: string]: JsonValue }), dryRun: true }] : [];
  // A sketch of nothing may mean that anything goes.
  const first = sketch === null ? [{ dryRun: true }] : [...marked, sketch];
  return [...first, sketch, { dryRun: true }, mark, null, [], {}, 0, false, ''].find(fits);
}

interface Context {
  readonly root: unknown;
  readonly mark: string;
  readonly depth: number;
}

function sketchOf(raw: unknown, context: Context): JsonValue {
  if (typeof raw !== 'object' || raw === null || context.depth > MAX_DEPTH) return null;
  const schema = resolved(raw as Schema, context);
  const deeper = { ...context, depth: context.depth + 1 };
  if ('const' in schema) return schema['const'] as JsonValue;
  if (Array.isArray(schema['enum'])) return (schema['enum'][0] ?? null) as JsonValue;
  const branch = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as readonly unknown[] | undefined;
  if (branch !== undefined) {
    const { oneOf: _o, anyOf: _a, ...rest } = schema;
    return sketchOf(merge(rest, branch[0]), deeper);
  }
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema;
    return sketchOf((allOf as readonly unknown[]).reduce(merge, rest), deeper);
  }
  switch (typeOf(schema)) {
    case 'string':
      return text(schema, context.mark);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, (_, index) => {
        const prefix = schema['prefixItems'] as readonly unknown[] | undefined;
        return sketchOf(prefix?.[index] ?? schema['items'] ?? true, deeper);
      });
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Schema;
      const required = (schema['required'] ?? []) as readonly string[];
      return Object.fromEntries(
        required.map((key) => [
          key,
          Object.hasOwn(properties, key) ? sketchOf(properties[key], deeper) : null,
        ]),
      );
    }
    default:
      return null;
  }
}

function typeOf(schema: Schema): string | undefined {
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  if (typeof type === 'string') return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

/** Follows a reference within the document. */
function resolved(schema: Schema, { root }: Context): Schema {
  let found: unknown = schema;
  for (let hops = 0; hops < MAX_DEPTH; hops += 1) {
    const reference = (found as Schema)['$ref'];
    if (typeof reference !== 'string' || !reference.startsWith('#')) break;
    found = reference
      .slice(1)
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], root);
    if (typeof found !== 'object' || found === null) return {};
  }
  return found as Schema;
}

function merge(into: unknown, other: unknown): unknown {
  const [a, b] = [into, other] as [Schema, Schema];
  if (typeof b !== 'object' || b === null) return a;
  return {
    ...a,
    ...b,
    properties: { ...(a['properties'] as object | undefined), ...(b['properties'] as object | undefined) },
    required: [
      ...((a['required'] as string[] | undefined) ?? []),
      ...((b['required'] as string[] | undefined) ?? []),
    ],
  };
}

function text(schema: Schema, mark: string): string {
  const { minLength, maxLength, format } = schema as {
    minLength?: number;
    maxLength?: number;
    format?: string;
  };
  const samples: Readonly<Record<string, string>> = {
    'date-time': '1970-01-01T00:00:00Z',
    date: '1970-01-01',
    time: '00:00:00Z',
    email: 'dry-run@example.invalid',
    uri: 'https://example.invalid/dry-run',
    uuid: '00000000-0000-0000-0000-000000000000',
  };
  const sample = (format === undefined ? undefined : samples[format]) ?? mark;
  return sample.padEnd(minLength ?? 0, '.').slice(0, maxLength ?? sample.length + (minLength ?? 0));
}

function number(schema: Schema): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema as {
    readonly [key: string]: number | undefined;
  };
  const step = multipleOf ?? 1;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + step);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - step);
  if (least !== undefined && least > 0) return Math.ceil(least / step) * step;
  return most !== undefined && most < 0 ? Math.floor(most / step) * step : 0;
}
