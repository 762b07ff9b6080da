import type { JsonSchemaScalar, JsonSchemaType } from './json-schema.js';

/** The types of the subset. */
export const SCHEMA_TYPES: readonly JsonSchemaType[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
];

/** The types whose nodes may carry `enum` and `const`. */
export type ScalarType = Exclude<JsonSchemaType, 'object' | 'array'>;

const WANTED: { readonly [T in ScalarType]: string } = {
  string: 'a string',
  number: 'a finite number other than -0',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
};

/**
 * What a literal of a scalar type is, with its article.
 *
 * @example
 * wantedScalar('boolean') // 'true or false'
 */
export function wantedScalar(type: ScalarType): string {
  return WANTED[type];
}

/**
 * Whether a value is of a scalar type, as JSON text can carry it: numbers are finite and not `-0`.
 *
 * @example
 * isScalarOf('integer', 1.5) // false
 */
export function isScalarOf(type: ScalarType, value: unknown): value is JsonSchemaScalar {
  switch (type) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'integer':
      return Number.isInteger(value) && !Object.is(value, -0);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
