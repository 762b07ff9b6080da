import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';
import { memberPath } from '../path.js';
import { ASSERTIONS, typeNames } from './assertions.js';
import { EMPTY_NAME_KEYWORD, LITERALS_KEYWORD } from './engine-keywords.js';
import type { ReadContext, Reading, ReadSchema } from './read-context.js';
import { isRecord, ownMember } from './subschemas.js';

/** Reads the keywords whose values are no schemas. */
export function readAssertions(context: ReadContext, reading: Reading): void {
  const { raw, place, read } = reading;
  readType(context, reading);
  readLiterals(context, reading);
  for (const [key, check] of ASSERTIONS) {
    const value = ownMember(raw, key);
    if (value === undefined || readBooleanBound(key, value, reading)) continue;
    const wanted = check(value);
    if (wanted === undefined && key === 'required') Object.assign(read, requirement(value));
    else if (wanted === undefined) read[key] = value;
    else context.problem(memberPath(place.path, key), `${wanted}, received ${received(value)}`);
  }
  readDependentRequired(context, reading);
}

function readType(context: ReadContext, { raw, place, read }: Reading): void {
  const value = ownMember(raw, 'type');
  if (value === undefined) return;
  const types = typeNames(value);
  if (types === undefined) {
    context.problem(`${place.path}.type`, `must be a type or an array of types, received ${received(value)}`);
    return;
  }
  const isNullable = ownMember(raw, 'nullable') === true && !types.includes('null');
  read['type'] = isNullable ? [...types, 'null'] : types;
}

function readLiterals(context: ReadContext, { raw, place, read, and }: Reading): void {
  const choices = ownMember(raw, 'enum');
  if (choices !== undefined && !Array.isArray(choices)) {
    context.problem(`${place.path}.enum`, `must be an array, received ${received(choices)}`);
  } else if (choices !== undefined) {
    // The engine compares scalars by itself; it has no empty choice.
    if (choices.length === 0) and.push(false);
    else if (choices.some(isContainer)) read[LITERALS_KEYWORD] = choices;
    else read['enum'] = [...new Set(choices)];
  }
  const literal = ownMember(raw, 'const');
  if (literal === undefined) return;
  if (isContainer(literal)) and.push({ [LITERALS_KEYWORD]: [literal] });
  else read['const'] = literal;
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

/** In draft-04 and OpenAPI an exclusive bound is a flag beside the bound. */
function readBooleanBound(key: string, value: JsonValue, { raw, read }: Reading): boolean {
  const bound = key === 'exclusiveMinimum' ? 'minimum' : key === 'exclusiveMaximum' ? 'maximum' : undefined;
  if (bound === undefined || typeof value !== 'boolean') return false;
  const limit = ownMember(raw, bound);
  if (value && typeof limit === 'number') read[key] = limit;
  return true;
}

function readDependentRequired(context: ReadContext, { raw, place, read, and }: Reading): void {
  const value = context.edition.isModern ? ownMember(raw, 'dependentRequired') : undefined;
  if (value === undefined) return;
  const path = `${place.path}.dependentRequired`;
  if (!isRecord(value)) {
    context.problem(path, `must be an object of arrays, received ${received(value)}`);
    return;
  }
  for (const [key, names] of Object.entries(value)) {
    const wanted = ASSERTIONS.get('required')?.(names);
    if (wanted !== undefined)
      context.problem(memberPath(path, key), `${wanted}, received ${received(names)}`);
    else if ((names as readonly JsonValue[]).includes('')) and.push(whenPresent(key, requirement(names)));
  }
  read['dependentRequired'] = value;
}

/**
 * Wants these properties to be there.
 *
 * @example
 * requirement(['a']) // { required: ['a'] }
 */
export function requirement(names: JsonValue): { [key: string]: unknown } {
  const wanted = names as readonly string[];
  return {
    required: wanted.filter((name) => name !== ''),
    ...(wanted.includes('') && { [EMPTY_NAME_KEYWORD]: true }),
  };
}

/**
 * Applies a schema to objects that have a property.
 *
 * @example
 * whenPresent('a', { required: ['b'] })
 */
export function whenPresent(name: string, then: ReadSchema): ReadSchema {
  return { if: { type: ['object'], ...requirement([name]) }, then };
}
