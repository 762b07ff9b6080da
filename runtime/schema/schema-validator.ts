import { JsonSchemaError } from '../core/errors.js';
import { assertSupportedJsonSchema } from './assert-schema.js';
import type { JsonSchemaNode, SchemaDialect } from './json-schema.js';
import { validateJsonSchemaValue } from './validate-value.js';

/** Finds mismatches: one line each, with its path from `label`; an empty label is that of arguments. */
export type SchemaValidator = (value: unknown, label?: string) => string[];

/**
 * The reason why a schema cannot be used at all.
 *
 * @returns `undefined` when it can
 */
export function checkSchema(schema: unknown, dialect: SchemaDialect = 'subset'): string | undefined {
  if (dialect !== 'subset') return undefined;
  try {
    assertSupportedJsonSchema(schema);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSchemaError) return error.message;
    throw error;
  }
}

/** The validator of a schema. */
export function schemaValidator(schema: JsonSchemaNode, dialect: SchemaDialect = 'subset'): SchemaValidator {
  if (dialect !== 'subset') return () => [];
  return (value, label = 'value') => validateJsonSchemaValue(schema, value, label);
}
