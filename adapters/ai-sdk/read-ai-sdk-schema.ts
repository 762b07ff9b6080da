import { errorMessage } from '../../runtime/core/error-text.js';
import {
  isStandard,
  type JsonSchemaConverter,
  plainSchema,
  readSchema,
  type SchemaReading,
} from '../foreign-tool/read-schema.js';

/** How the AI SDK marks its own schemas, the same in every copy of it. */
const SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * Reads whatever an AI SDK tool may have as its schema: its own wrapper, also deferred or with a promised JSON Schema, a
 * Standard Schema, or a plain JSON Schema. Never rejects.
 *
 * @example
 * await readAiSdkSchema(jsonSchema({ type: 'object' }), 'input') // { schema: { type: 'object' } }
 */
export async function readAiSdkSchema(
  schema: unknown,
  io: 'input' | 'output',
  convert?: JsonSchemaConverter | undefined,
): Promise<SchemaReading> {
  try {
    // A deferred schema is a function; a Standard Schema may be one too.
    const made: unknown = typeof schema === 'function' && !isStandard(schema) ? schema() : schema;
    if (!isWrapper(made)) return readSchema(made, io, convert);
    const read = plainSchema(await made.jsonSchema);
    const { validate } = made;
    if (validate === undefined || 'refusal' in read) return read;
    return {
      ...read,
      async check(value) {
        const result = await validate(value);
        return result.success ? { value: result.value } : { violations: [errorMessage(result.error)] };
      },
    };
  } catch (error) {
    return { refusal: errorMessage(error) };
  }
}

interface Wrapper {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => ValidationResult | PromiseLike<ValidationResult>;
}

type ValidationResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: unknown };

function isWrapper(value: unknown): value is Wrapper {
  return typeof value === 'object' && value !== null && (value as { [SCHEMA]?: unknown })[SCHEMA] === true;
}

/** A JSON Schema as the AI SDK takes it from a tool. */
export function aiSdkSchema(jsonSchema: object): object {
  return { [SCHEMA]: true, _type: undefined, jsonSchema, validate: undefined };
}
