import type { JsonValue } from '../core/json-value.js';

/**
 * A scalar that `enum` and `const` of the subset may hold.
 *
 * @example
 * const choices: readonly JsonSchemaScalar[] = ['auto', null];
 */
export type JsonSchemaScalar = string | number | boolean | null;

/**
 * The types of the subset.
 *
 * @example
 * const type: JsonSchemaType = 'integer';
 */
export type JsonSchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/**
 * A JSON Schema object. The named fields are those of the subset; an imported schema may carry any other keyword of
 * its dialect.
 *
 * @example
 * const schema: JsonSchemaNode = { type: 'array', items: { type: 'string' } };
 */
export interface JsonSchemaNode {
  readonly type?: JsonSchemaType;
  readonly oneOf?: readonly JsonSchemaNode[];
  readonly properties?: { readonly [key: string]: JsonSchemaNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchemaNode;
  readonly enum?: readonly JsonSchemaScalar[];
  readonly const?: JsonSchemaScalar;
  readonly description?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly examples?: JsonValue;
}

/**
 * A schema whose root is an object.
 *
 * @example
 * const root: ObjectJsonSchema = { type: 'object', properties: {} };
 */
export type ObjectJsonSchema = JsonSchemaNode & { readonly type: 'object' };

/**
 * Which rules a schema is read by: our own subset, or a published dialect.
 *
 * @example
 * const dialect: SchemaDialect = '2020-12';
 */
export type SchemaDialect = 'subset' | 'draft-07' | '2020-12';
