import { errorMessage } from '../../runtime/core/error-text.js';
import { received } from '../../runtime/core/option-error.js';
import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { canonical } from './canonical.js';
import { issueLines, type StandardSchema } from './standard-schema.js';

/** What a schema's own library says of a value: the value as it makes it, or why not. */
export type ForeignCheck = (
  value: unknown,
) => Promise<{ readonly value: unknown } | { readonly violations: readonly string[] }>;

/** A schema from elsewhere: its JSON Schema and its own validation, or why it cannot be used. */
export type SchemaReading =
  | { readonly schema: JsonSchemaNode; readonly check?: ForeignCheck }
  | { readonly refusal: string };

/** Makes a JSON Schema of a schema whose library does not. */
export type JsonSchemaConverter = (schema: never, io: 'input' | 'output') => unknown;

const TARGETS = ['draft-2020-12', 'draft-07'] as const;

/**
 * Reads a Standard Schema or a plain JSON Schema. Never throws.
 *
 * @param convert - asked for the JSON Schema where the library gives none
 * @example
 * readSchema(z.object({ q: z.string() }), 'input')
 */
export function readSchema(
  schema: unknown,
  io: 'input' | 'output',
  convert?: JsonSchemaConverter | undefined,
): SchemaReading {
  try {
    if (isStandard(schema)) {
      const read = plainSchema(standardJson(schema, io, convert));
      return 'refusal' in read ? read : { ...read, check: standardCheck(schema) };
    }
    return plainSchema(schema);
  } catch (error) {
    return { refusal: errorMessage(error) };
  }
}

/** Reads a JSON Schema: an object or a boolean. */
export function plainSchema(schema: unknown): SchemaReading {
  if (typeof schema === 'boolean') return { schema: (schema ? {} : { not: {} }) as JsonSchemaNode };
  const isObject = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (!isObject) return { refusal: `wanted a schema, received ${received(schema)}` };
  return { schema: canonical(schema) as JsonSchemaNode };
}

function standardJson(
  schema: StandardSchema,
  io: 'input' | 'output',
  convert: JsonSchemaConverter | undefined,
): unknown {
  const { jsonSchema, vendor } = schema['~standard'];
  if (jsonSchema === undefined) {
    if (convert !== undefined) return convert(schema as never, io);
    throw new Error(`schemas of "${vendor}" give no JSON Schema, and no converter was given`);
  }
  let failure: unknown;
  for (const target of TARGETS) {
    try {
      return jsonSchema[io]({ target });
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function standardCheck(schema: StandardSchema): ForeignCheck {
  return async (value) => {
    const result = await schema['~standard'].validate(value);
    if (result.issues !== undefined) return { violations: issueLines(result.issues) };
    return { value: result.value };
  };
}

/** @returns whether a value keeps to Standard Schema; some libraries make functions of their schemas */
export function isStandard(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard = (schema as Partial<StandardSchema>)['~standard'];
  return typeof standard?.validate === 'function';
}
