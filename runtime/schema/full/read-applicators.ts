import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';
import { memberPath } from '../path.js';
import { ASSERTIONS, patternProblem } from './assertions.js';
import { requirement, whenPresent } from './read-assertions.js';
import type { ReadContext, Reading, ReadSchema } from './read-context.js';
import { isRecord, ownMember } from './subschemas.js';

/** Reads the schemas that apply to the same value. */
export function readBranches(context: ReadContext, { raw, place, read, and }: Reading): void {
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const value = ownMember(raw, key);
    if (value === undefined) continue;
    const path = memberPath(place.path, key);
    if (!Array.isArray(value) || value.length === 0) {
      context.problem(path, `must be an array of at least one schema, received ${received(value)}`);
      continue;
    }
    const branches = value.map((branch: JsonValue, index) =>
      context.beside(branch, place, memberPath(path, index)),
    );
    if (key === 'allOf') and.push(...branches);
    else read[key] = branches;
  }
  for (const key of ['not', 'if', 'then', 'else']) {
    const value = ownMember(raw, key);
    if (value === undefined) continue;
    const branch = context.beside(value, place, memberPath(place.path, key));
    // Without "if" the other two say nothing, and the engine complains.
    if (key === 'not' || key === 'if' || Object.hasOwn(raw, 'if')) read[key] = branch;
  }
}

/** Reads the schemas that apply to properties, to their names, or because of them. */
export function readObjectParts(context: ReadContext, reading: Reading): void {
  const { raw, place, read, and } = reading;
  readPropertySchemas(context, reading);
  const below = ['additionalProperties', 'propertyNames'];
  if (context.edition.isModern) below.push('unevaluatedProperties');
  for (const key of below) {
    const value = ownMember(raw, key);
    if (value !== undefined) read[key] = context.below(value, place, memberPath(place.path, key));
  }
  for (const key of context.edition.isModern ? ['dependencies', 'dependentSchemas'] : ['dependencies']) {
    for (const [name, value] of schemaMap(context, reading, key)) {
      const path = memberPath(memberPath(place.path, key), name);
      const isList = key === 'dependencies' && Array.isArray(value);
      const wanted = isList ? ASSERTIONS.get('required')?.(value) : undefined;
      if (wanted !== undefined) context.problem(path, `${wanted}, received ${received(value)}`);
      const then = isList ? requirement(value) : context.beside(value, place, path);
      and.push(whenPresent(name, then));
    }
  }
}

function readPropertySchemas(context: ReadContext, reading: Reading): void {
  const { raw, place, read, and } = reading;
  const properties: { [name: string]: ReadSchema } = {};
  const patterns: { [pattern: string]: ReadSchema } = {};
  for (const [name, value] of schemaMap(context, reading, 'properties')) {
    const schema = context.below(value, place, memberPath(`${place.path}.properties`, name));
    // The engine passes over a property of this name, but not over a pattern that matches it.
    if (name === '__proto__') patterns['^__proto__$'] = schema;
    else properties[name] = schema;
  }
  for (const [pattern, value] of schemaMap(context, reading, 'patternProperties')) {
    const path = memberPath(`${place.path}.patternProperties`, pattern);
    const wanted = patternProblem(pattern);
    if (wanted !== undefined) context.problem(path, wanted);
    const schema = context.below(value, place, path);
    const key = pattern === '__proto__' ? '(?:__proto__)' : pattern;
    if (Object.hasOwn(patterns, key)) and.push({ patternProperties: { [key]: schema } });
    else patterns[key] = schema;
  }
  if (Object.hasOwn(raw, 'properties')) read['properties'] = properties;
  if (Object.keys(patterns).length > 0) read['patternProperties'] = patterns;
}

function schemaMap(
  context: ReadContext,
  { raw, place }: Reading,
  key: string,
): readonly (readonly [string, JsonValue])[] {
  const value = ownMember(raw, key);
  if (value === undefined) return [];
  if (isRecord(value)) return Object.entries(value);
  context.problem(memberPath(place.path, key), `must be an object of schemas, received ${received(value)}`);
  return [];
}

/** Reads the schemas that apply to items. */
export function readArrayParts(context: ReadContext, reading: Reading): void {
  const { raw, place, read } = reading;
  const { isModern, hasTupleItems } = context.edition;
  const items = ownMember(raw, 'items');
  const isTuple = Array.isArray(items);
  if (isTuple && !hasTupleItems)
    context.warn(`${place.path}.items`, 'an array of schemas is read as "prefixItems"');
  const prefixKey = isTuple ? 'items' : 'prefixItems';
  const prefix = isTuple ? items : isModern && !hasTupleItems ? ownMember(raw, 'prefixItems') : undefined;
  const restKey = isTuple ? 'additionalItems' : 'items';
  const rest = ownMember(raw, restKey);
  if (prefix !== undefined && !Array.isArray(prefix)) {
    context.problem(`${place.path}.prefixItems`, `must be an array of schemas, received ${received(prefix)}`);
  } else if (prefix !== undefined && prefix.length > 0) {
    const path = memberPath(place.path, prefixKey);
    read['prefixItems'] = prefix.map((item: JsonValue, index) =>
      context.below(item, place, memberPath(path, index)),
    );
  }
  if (rest !== undefined) read['items'] = context.below(rest, place, memberPath(place.path, restKey));
  readContains(context, reading);
}

function readContains(context: ReadContext, { raw, place, read }: Reading): void {
  const { isModern } = context.edition;
  const value = ownMember(raw, 'contains');
  const contains = value === undefined ? undefined : context.below(value, place, `${place.path}.contains`);
  if (contains !== undefined) read['contains'] = contains;
  for (const key of isModern && contains !== undefined ? ['minContains', 'maxContains'] : []) {
    const bound = ownMember(raw, key);
    const wanted = bound === undefined ? undefined : ASSERTIONS.get('maxItems')?.(bound);
    if (wanted !== undefined)
      context.problem(memberPath(place.path, key), `${wanted}, received ${received(bound)}`);
    else if (bound !== undefined) read[key] = bound;
  }
  const unevaluated = isModern ? ownMember(raw, 'unevaluatedItems') : undefined;
  if (unevaluated === undefined) return;
  read['unevaluatedItems'] = context.below(unevaluated, place, `${place.path}.unevaluatedItems`);
}
