import { parameterSchemaSpecToJsonSchema } from './compile.js';
import type { ParameterSchemaSpec } from './dsl.js';
import { validateJsonSchemaValue } from './validate-value.js';

/**
 * Finds out in what arguments differ from a parameter map. Extra keys at the root are allowed; defaults are not applied.
 *
 * @param spec compiled anew by each call: keep a compiled schema where calls are many
 * @param args any value
 * @returns one line per mismatch: `path`, `config.host`, `servers[1].host`, or `arguments` for the value itself
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when the map has mistakes
 * @example
 * validateArgs({ path: { type: 'string', required: true } }, {}) // ['path: is required']
 */
export function validateArgs(spec: ParameterSchemaSpec, args: unknown): string[] {
  return validateJsonSchemaValue(parameterSchemaSpecToJsonSchema(spec), args, '');
}
