import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { isNode, members, type OpenApiDocument, type OpenApiNode, pointed } from './document.js';

/** Which way a schema's values go: what is read-only is not required of a request, nor what is write-only of a response. */
export type Direction = 'request' | 'response';

const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const DROPPED = new Set(['discriminator', 'xml', 'externalDocs', 'example', '$id', '$schema', 'nullable']);

/**
 * Makes JSON Schemas that stand alone of a document's schemas: every reference leads into the collected definitions.
 *
 * One converter makes one tool's schema, so that its definitions are shared by all of its parts.
 *
 * @example
 * const converter = new SchemaConverter(document, 'response');
 * const schema = converter.complete(converter.convert({ $ref: '#/components/schemas/Pet' }));
 */
export class SchemaConverter {
  readonly #definitions = new Map<string, unknown>();
  readonly #names = new Map<string, string>();

  constructor(
    readonly document: OpenApiDocument,
    readonly direction: Direction,
  ) {}

  /** @returns a schema whose references need {@link complete} */
  convert(schema: unknown): unknown {
    if (!isNode(schema)) return schema;
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const target = this.#define(reference);
      if (this.document.is30) return { $ref: target };
      return { ...this.#keywords(schema), $ref: target };
    }
    const converted = this.#keywords(schema);
    return this.document.is30 ? from30(schema, converted) : converted;
  }

  /** Adds the definitions that the schema's references lead to. */
  complete(schema: unknown): JsonSchemaNode {
    if (this.#definitions.size === 0) return schema as JsonSchemaNode;
    const $defs = Object.fromEntries(this.#definitions);
    return { ...(isNode(schema) ? schema : { allOf: [schema] }), $defs } as JsonSchemaNode;
  }

  #define(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return `#/$defs/${known}`;
    const target = pointed(this.document.root, reference);
    // Left as it is: the schema is refused with the reference's own name.
    if (target === undefined) return reference;
    const last = reference.split('/').at(-1) ?? '';
    const base = last.replace(/[^A-Za-z0-9_]+/g, '_') || 'Root';
    let name = base;
    for (let n = 2; this.#definitions.has(name); n += 1) name = `${base}_${n}`;
    this.#names.set(reference, name);
    // The place is taken first: the target may lead back here.
    this.#definitions.set(name, {});
    this.#definitions.set(name, this.convert(target));
    return `#/$defs/${name}`;
  }

  #keywords(schema: OpenApiNode): Record<string, unknown> {
    const converted = Object.entries(schema)
      .filter(([keyword]) => !DROPPED.has(keyword) && !keyword.startsWith('x-'))
      .map(([keyword, value]): [string, unknown] => {
        if (MANY.includes(keyword) && Array.isArray(value))
          return [keyword, value.map((each) => this.convert(each))];
        if (ONE.includes(keyword)) return [keyword, this.convert(value)];
        if (NAMED.includes(keyword)) {
          const named = members(value).map(([name, each]) => [name, this.convert(each)]);
          return [keyword, Object.fromEntries(named)];
        }
        if (keyword === 'required' && Array.isArray(value)) return [keyword, this.#required(schema, value)];
        return [keyword, value];
      });
    return Object.fromEntries(converted);
  }

  #required(schema: OpenApiNode, names: readonly unknown[]): readonly unknown[] {
    const properties = new Map(members(schema['properties']));
    const mark = this.direction === 'request' ? 'readOnly' : 'writeOnly';
    return names.filter((name) => {
      const property = properties.get(String(name));
      return !isNode(property) || property[mark] !== true;
    });
  }
}

/** What OpenAPI 3.0 says in other words than JSON Schema. */
function from30(schema: OpenApiNode, converted: Record<string, unknown>): Record<string, unknown> {
  const result = { ...converted };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = result[flag];
    if (typeof isExclusive !== 'boolean') continue;
    delete result[flag];
    if (!isExclusive || result[bound] === undefined) continue;
    result[flag] = result[bound];
    delete result[bound];
  }
  if (schema['nullable'] !== true) return result;
  return result['type'] === undefined || result['enum'] !== undefined
    ? { anyOf: [result, { type: 'null' }] }
    : { ...result, type: [result['type'], 'null'] };
}
