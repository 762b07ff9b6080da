import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';

/** One thing that a value does not fulfil. */
export interface Mismatch {
  readonly path: string;
  /** How deep in the value it is found. */
  readonly level: number;
  /** What the value should have been, when it is altogether another one. */
  readonly wanted?: string;
  /** Why it is: of a wrong type, none of the listed values, or nothing at all is allowed. */
  readonly kind?: 'type' | 'literal' | 'nothing';
  readonly text: string;
}

/** A value with its path, and how deep in the whole value it is. */
export interface Located<V extends JsonValue = JsonValue> {
  readonly value: V;
  readonly path: string;
  readonly level: number;
}

/** Takes one mismatch. */
export type Report = (mismatch: Mismatch) => void;

/** So many choices are named in a message, each with at most so many characters. */
const NAMED_CHOICES = 20;
const CHOICE_LENGTH = 60;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['object', 'an object'],
  ['array', 'an array'],
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
  ['null', 'null'],
]);

/**
 * What values of these types are, with their articles.
 *
 * @example
 * typeWords(['string', 'null']) // 'a string or null'
 */
export function typeWords(types: readonly string[]): string {
  return types.map((type) => TYPE_WORDS.get(type) ?? type).join(' or ');
}

/**
 * The listed values, as many as a message holds.
 *
 * @example
 * choiceWords(['a', 1]) // 'one of "a", 1'
 */
export function choiceWords(choices: readonly JsonValue[]): string {
  const named = choices.slice(0, NAMED_CHOICES).map((choice) => {
    const text = JSON.stringify(choice);
    return text.length > CHOICE_LENGTH ? `${text.slice(0, CHOICE_LENGTH)}…` : text;
  });
  if (choices.length > named.length) named.push(`… (${choices.length} in all)`);
  return named.length === 1 ? `${named[0]}` : `one of ${named.join(', ')}`;
}

/**
 * The mismatch of a value that should have been something else altogether.
 *
 * @example
 * wantedMismatch({ value: 1, path: 'a', level: 1 }, 'type', 'a string').text // 'wanted a string, received 1'
 */
export function wantedMismatch(
  { value, path, level }: Located,
  kind: 'type' | 'literal',
  wanted: string,
): Mismatch {
  return { path, level, kind, wanted, text: `wanted ${wanted}, received ${received(value)}` };
}

/**
 * Whether a value is of one of these types.
 *
 * @example
 * isOfType(1, ['integer']) // true
 */
export function isOfType(value: JsonValue, types: readonly string[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value);
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}
