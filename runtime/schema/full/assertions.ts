import type { JsonValue } from '../../core/json-value.js';
import { SCHEMA_TYPES } from '../scalar.js';
import { compilePattern } from './pattern.js';

/** Says what the value of a keyword should have been, or nothing when it is right. */
type Check = (value: JsonValue) => string | undefined;

const isSize = (value: JsonValue) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const size: Check = (value) => (isSize(value) ? undefined : 'must be an integer of at least 0');
const number: Check = (value) => (typeof value === 'number' ? undefined : 'must be a number');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const names: Check = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? undefined
    : 'must be an array of property names';

/** The keywords whose value is no schema, with the form it must have. */
export const ASSERTIONS: ReadonlyMap<string, Check> = new Map([
  [
    'multipleOf',
    (value) => (typeof value === 'number' && value > 0 ? undefined : 'must be a number above 0'),
  ],
  ['maximum', number],
  ['minimum', number],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['maxLength', size],
  ['minLength', size],
  ['maxItems', size],
  ['minItems', size],
  ['maxProperties', size],
  ['minProperties', size],
  ['uniqueItems', flag],
  ['required', names],
  ['pattern', patternProblem],
]);

/**
 * Says why a value is no pattern.
 *
 * @example
 * patternProblem('(') // 'must be a regular expression: …'
 */
export function patternProblem(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return 'must be a regular expression as a string';
  try {
    compilePattern(value);
    return undefined;
  } catch (error) {
    return `must be a regular expression: ${(error as SyntaxError).message}`;
  }
}

/**
 * The types that a `type` keyword names, or `undefined` when it is malformed.
 *
 * @example
 * typeNames(['string', 'null']) // ['string', 'null']
 */
export function typeNames(value: JsonValue): readonly string[] | undefined {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const known: readonly JsonValue[] = SCHEMA_TYPES;
  if (list.length === 0 || !list.every((name) => known.includes(name))) return undefined;
  return [...new Set(list as readonly string[])];
}
