import type { JsonValue } from '../../core/json-value.js';
import { memberPath } from '../path.js';
import { EMPTY_NAME_KEYWORD, LITERALS_KEYWORD, literalsTest } from './engine-keywords.js';
import { interpretBounds, type Keywords } from './interpret-bounds.js';
import { choiceWords, isOfType, type Located, type Mismatch, typeWords, wantedMismatch } from './mismatch.js';
import { compilePattern } from './pattern.js';
import type { ReadSchema } from './read-context.js';
import { isRecord, type RawSchema } from './subschemas.js';

/** More mismatches than this are not looked for. */
const MAX_MISMATCHES = 100;
/** More schemas than this are not applied to one value. */
const MAX_STEPS = 1_000_000;

/** The keys and indices of one value that some schema has looked at. */
type Seen = Set<string | number>;

/**
 * Says why a value does not match a read schema.
 *
 * Of a union that nothing matches, only the branch that was meant is looked into: the one whose types and tags fit.
 *
 * @param label what the value is called
 * @returns empty when the value matches
 * @throws {RangeError} when the value is nested deeper than the stack
 * @throws {Error} when more than {@link MAX_STEPS} schemas would have to be applied
 * @example
 * findMismatches({ maxLength: 1 }, 'ab', 'value')
 * // [{ path: 'value', level: 0, text: 'wanted at most 1 characters, received 2' }]
 */
export function findMismatches(schema: ReadSchema, value: JsonValue, label: string): readonly Mismatch[] {
  return new Interpreter(schema).of(schema, { value, path: label, level: 0 }, new Set());
}

class Interpreter {
  readonly #root: ReadSchema;
  #steps = 0;

  constructor(root: ReadSchema) {
    this.#root = root;
  }

  /** Applies a schema on its own. What it has looked at joins `seen` when it matches. */
  of(schema: unknown, at: Located, seen: Seen): Mismatch[] {
    const found: Mismatch[] = [];
    this.#apply(schema, at, found, seen);
    return found;
  }

  #apply(schema: unknown, at: Located, found: Mismatch[], outer: Seen): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new Error('too much to look at');
    if (schema === undefined || schema === true || found.length >= MAX_MISMATCHES) return;
    if (schema === false) {
      found.push({ path: at.path, level: at.level, kind: 'nothing', text: 'is not allowed' });
      return;
    }
    const keywords = schema as Keywords;
    const before = found.length;
    if (!this.#isOfKind(keywords, at, found)) return;
    const seen: Seen = new Set();
    interpretBounds(keywords, at, (mismatch) => found.push(mismatch));
    if (isRecord(at.value)) this.#applyToObject(keywords, at as Located<RawSchema>, found, seen);
    if (Array.isArray(at.value)) this.#applyToArray(keywords, at as Located<JsonValue[]>, found, seen);
    if (typeof keywords['$ref'] === 'string') {
      this.#apply(this.#resolve(keywords['$ref']), at, found, seen);
    }
    for (const branch of list(keywords['allOf'])) this.#apply(branch, at, found, seen);
    for (const key of ['anyOf', 'oneOf']) {
      if (keywords[key] !== undefined) this.#applyUnion(key, list(keywords[key]), at, found, seen);
    }
    this.#applyConditions(keywords, at, found, seen);
    this.#applyToUnseen(keywords, at, found, seen);
    if (found.length === before) for (const key of seen) outer.add(key);
  }

  #resolve(ref: string): unknown {
    return record(record(this.#root)['$defs'])[ref.slice('#/$defs/'.length)];
  }

  /** With a wrong type or an unlisted value, whatever else is wrong does not matter. */
  #isOfKind(keywords: Keywords, at: Located, found: Mismatch[]): boolean {
    const types = keywords['type'] as readonly string[] | undefined;
    if (types !== undefined && !isOfType(at.value, types)) {
      found.push(wantedMismatch(at, 'type', typeWords(types)));
      return false;
    }
    for (const key of [LITERALS_KEYWORD, 'enum', 'const']) {
      const value = keywords[key];
      if (value === undefined) continue;
      const choices = (key === 'const' ? [value] : value) as readonly JsonValue[];
      if (literalsTest(choices)(at.value)) continue;
      found.push(wantedMismatch(at, 'literal', choiceWords(choices)));
      return false;
    }
    return true;
  }

  #applyToObject(keywords: Keywords, at: Located<RawSchema>, found: Mismatch[], seen: Seen): void {
    const { value, path, level } = at;
    const say = (key: string, text: string) =>
      found.push({ path: memberPath(path, key), level: level + 1, text });
    for (const key of list(keywords['required']) as string[]) {
      if (!Object.hasOwn(value, key)) say(key, 'is required');
    }
    if (keywords[EMPTY_NAME_KEYWORD] === true && !Object.hasOwn(value, '')) say('', 'is required');
    for (const [key, names] of Object.entries(record(keywords['dependentRequired']))) {
      if (!Object.hasOwn(value, key)) continue;
      for (const name of names as string[]) {
        if (!Object.hasOwn(value, name)) say(name, `is required beside "${key}"`);
      }
    }
    const properties = record(keywords['properties']);
    const patterns = Object.entries(record(keywords['patternProperties'])).map(
      ([pattern, schema]) => [compilePattern(pattern), schema] as const,
    );
    const rest = keywords['additionalProperties'];
    for (const [key, item] of Object.entries(value)) {
      const schemas = patterns.filter(([pattern]) => pattern.test(key)).map(([, schema]) => schema);
      if (Object.hasOwn(properties, key)) schemas.push(properties[key]);
      if (schemas.length === 0 && rest === false) say(key, 'is not a declared property');
      else if (schemas.length === 0 && rest !== undefined) schemas.push(rest);
      if (schemas.length > 0) seen.add(key);
      const child = { value: item, path: memberPath(path, key), level: level + 1 };
      for (const schema of schemas) this.#apply(schema, child, found, new Set());
      const names = keywords['propertyNames'];
      if (names === undefined || this.of(names, { ...child, value: key }, new Set()).length === 0) continue;
      say(key, 'is not an allowed property name');
    }
  }

  #applyToArray(keywords: Keywords, at: Located<JsonValue[]>, found: Mismatch[], seen: Seen): void {
    const { value, path, level } = at;
    const prefix = list(keywords['prefixItems']);
    const rest = keywords['items'];
    if (rest === false && value.length > prefix.length) {
      found.push({ path, level, text: `wanted at most ${prefix.length} items, received ${value.length}` });
    }
    const last = rest === false ? prefix.length : value.length;
    for (const [index, item] of value.slice(0, last).entries()) {
      const schema = index < prefix.length ? prefix[index] : rest;
      if (schema === undefined) break;
      seen.add(index);
      const child = { value: item, path: memberPath(path, index), level: level + 1 };
      this.#apply(schema, child, found, new Set());
    }
    const contains = keywords['contains'];
    if (contains === undefined) return;
    const min = Number(keywords['minContains'] ?? 1);
    const max = Number(keywords['maxContains'] ?? Infinity);
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (this.of(contains, { value: item, path, level }, new Set()).length > 0) continue;
      seen.add(index);
      count += 1;
    }
    if (count >= min && count <= max) return;
    const bounds = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
    found.push({ path, level, text: `wanted ${bounds} items that match "contains", received ${count}` });
  }

  #applyUnion(key: string, branches: readonly unknown[], at: Located, found: Mismatch[], seen: Seen): void {
    const { path, level } = at;
    const tried = branches.map((branch) => this.of(branch, at, seen));
    const matched = tried.filter((mismatches) => mismatches.length === 0).length;
    if (matched === 1 || (matched > 1 && key === 'anyOf')) return;
    if (matched > 1) {
      const text = `wanted a match of exactly one of ${branches.length} alternatives, received a match of ${matched}`;
      found.push({ path, level, text });
      return;
    }
    const meant = tried.filter((mismatches) => !mismatches.some((mismatch) => isOtherKind(mismatch, level)));
    const wanted = tried.map(([first]) => (first?.level === level ? first.wanted : undefined));
    if (meant.length === 1) for (const mismatch of meant[0]!) found.push(mismatch);
    else if (wanted.every((words) => words !== undefined)) {
      found.push(wantedMismatch(at, 'type', [...new Set(wanted)].join(' or ')));
    } else {
      const text = `wanted a match of one of ${branches.length} alternatives, received a match of none`;
      found.push({ path, level, text });
    }
  }

  #applyConditions(keywords: Keywords, at: Located, found: Mismatch[], seen: Seen): void {
    const { path, level } = at;
    const ruledOut = keywords['not'];
    if (ruledOut !== undefined && this.of(ruledOut, at, new Set()).length === 0) {
      found.push({ path, level, text: 'wanted no match of what "not" rules out, received one' });
    }
    const condition = keywords['if'];
    if (condition === undefined) return;
    const branch = this.of(condition, at, seen).length === 0 ? 'then' : 'else';
    this.#apply(keywords[branch], at, found, seen);
  }

  /** Comes last: by now it is known what every other keyword has looked at. */
  #applyToUnseen(keywords: Keywords, at: Located, found: Mismatch[], seen: Seen): void {
    const key = Array.isArray(at.value) ? 'unevaluatedItems' : 'unevaluatedProperties';
    const schema = keywords[key];
    if (schema === undefined || typeof at.value !== 'object' || at.value === null) return;
    const entries = Array.isArray(at.value) ? at.value.entries() : Object.entries(at.value);
    for (const [step, item] of entries) {
      if (seen.has(step)) continue;
      seen.add(step);
      const child = { value: item as JsonValue, path: memberPath(at.path, step), level: at.level + 1 };
      if (schema !== false) this.#apply(schema, child, found, new Set());
      else if (found.length < MAX_MISMATCHES) {
        const what = typeof step === 'string' ? 'property' : 'item';
        found.push({ path: child.path, level: child.level, text: `is not a declared ${what}` });
      }
    }
  }
}

/** A wrong type or tag says that another branch was meant. */
function isOtherKind({ level, kind }: Mismatch, unionLevel: number): boolean {
  return kind !== undefined && (level === unionLevel || (level === unionLevel + 1 && kind === 'literal'));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Keywords {
  return typeof value === 'object' && value !== null ? (value as Keywords) : {};
}
