import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';
import type { Edition } from './edition.js';
import { findEndlessCircle } from './in-place.js';
import { isConstraint, isUnknown } from './keyword-names.js';
import { readArrayParts, readBranches, readObjectParts } from './read-applicators.js';
import { readAssertions } from './read-assertions.js';
import type { ReadContext, Reading, ReadPlace, ReadSchema, SchemaPart } from './read-context.js';
import { type SchemaPlace, SchemaResources } from './resources.js';
import { isRecord, ownMember, type RawSchema } from './subschemas.js';

const UNEVALUATED = ['unevaluatedItems', 'unevaluatedProperties'];

/** How deep schemas may nest, and how many there may be: passes over them are plain recursion. */
export const MAX_SCHEMA_DEPTH = 200;
export const MAX_SCHEMAS = 20_000;

/**
 * Reads one document of any edition into the vocabulary of 2020-12, closed in itself: what is referred to becomes a
 * definition under a name of its own, identifiers are gone, and only keywords that constrain are left.
 *
 * @example
 * const reader = new SchemaReader({ items: { $ref: '#' } }, edition);
 * reader.read() // { $ref: '#/$defs/d0', $defs: { d0: { items: { $ref: '#/$defs/d0' } } } }
 */
export class SchemaReader implements ReadContext {
  readonly edition: Edition;
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
  /** Whether there is an `unevaluated…` keyword. */
  tracksEvaluated = false;
  readonly #document: RawSchema;
  readonly #resources: SchemaResources;
  readonly #parts = new Map<RawSchema, SchemaPart>();
  readonly #unknown = new Set<string>();
  #count = 0;

  constructor(document: RawSchema, edition: Edition) {
    this.edition = edition;
    this.#document = document;
    this.#resources = new SchemaResources(document, edition);
  }

  /** The whole document; without a meaning when there are problems. */
  read(): ReadSchema {
    const definitions: { [name: string]: ReadSchema } = {};
    const root = this.#partOf(this.#document, this.#resources.placeOf(this.#document));
    // A part that is first referred to while another one is read joins the end.
    for (const part of this.#parts.values()) {
      const schema = this.#read(part.schema, { path: part.path, base: part.base, part, depth: 0 });
      definitions[part.name] = schema;
    }
    const circle = findEndlessCircle(this.#parts.values());
    if (circle !== undefined) this.problem('schema', `refers to itself without end: ${circle.join(' -> ')}`);
    if (this.#unknown.size > 0) {
      this.warn('schema', `unknown keywords are annotations: ${[...this.#unknown].join(', ')}`);
    }
    return { $ref: `#/$defs/${root.name}`, $defs: definitions };
  }

  problem(path: string, text: string): void {
    this.problems.push(`${path}: ${text}`);
  }

  warn(path: string, text: string): void {
    this.warnings.push(`${path}: ${text}`);
  }

  beside(value: JsonValue, place: ReadPlace, path: string): ReadSchema {
    return this.#read(value, { ...place, path, depth: place.depth + 1 });
  }

  below(value: JsonValue, place: ReadPlace, path: string): ReadSchema {
    return this.#read(value, { ...place, path, part: undefined, depth: place.depth + 1 });
  }

  #partOf(schema: RawSchema, place: SchemaPlace): SchemaPart {
    const known = this.#parts.get(schema);
    if (known !== undefined) return known;
    const name = `d${this.#parts.size}`;
    const part = { name, schema, path: place.path, base: place.base, refersTo: new Set<SchemaPart>() };
    this.#parts.set(schema, part);
    return part;
  }

  #read(value: JsonValue, outer: ReadPlace): ReadSchema {
    if (typeof value === 'boolean') return value;
    if (!isRecord(value)) {
      this.problem(outer.path, `must be a schema object, true or false, received ${received(value)}`);
      return true;
    }
    this.#count += 1;
    if (this.#count > MAX_SCHEMAS || outer.depth > MAX_SCHEMA_DEPTH) return this.#tooLarge(outer);
    const place = { ...outer, base: this.#resources.placeOf(value).base };
    const ref = ownMember(value, '$ref');
    if (this.edition.isRefAlone && typeof ref === 'string') {
      const beside = Object.keys(value).filter((key) => key !== '$ref' && isConstraint(key, this.edition));
      if (beside.length > 0) {
        this.warn(place.path, `${this.edition.name} ignores what stands beside "$ref": ${beside.join(', ')}`);
      }
      return this.#reference('$ref', ref, place);
    }
    for (const key of Object.keys(value)) {
      const isNullable = key === 'nullable' && Object.hasOwn(value, 'type');
      if (!isNullable && isUnknown(key, this.edition)) this.#unknown.add(`"${key}"`);
    }
    const reading: Reading = { raw: value, place, read: {}, and: [] };
    this.#readReferences(reading);
    readAssertions(this, reading);
    readBranches(this, reading);
    readObjectParts(this, reading);
    readArrayParts(this, reading);
    this.tracksEvaluated ||= UNEVALUATED.some((key) => Object.hasOwn(reading.read, key));
    if (reading.and.length > 0) reading.read['allOf'] = reading.and;
    return reading.read;
  }

  #tooLarge(place: ReadPlace): ReadSchema {
    const text = `must nest at most ${MAX_SCHEMA_DEPTH} levels deep and hold at most ${MAX_SCHEMAS} schemas`;
    if (!this.problems.some((problem) => problem.endsWith(text))) this.problem(place.path, text);
    return true;
  }

  #readReferences({ raw, place, and }: Reading): void {
    const keys = this.edition.isModern ? ['$ref', '$dynamicRef', '$recursiveRef'] : ['$ref'];
    for (const key of keys) {
      const ref = ownMember(raw, key);
      if (ref === undefined) continue;
      if (typeof ref === 'string') and.push(this.#reference(key, ref, place));
      else this.problem(`${place.path}.${key}`, `must be a reference as a string, received ${received(ref)}`);
    }
  }

  #reference(key: string, ref: string, place: ReadPlace): ReadSchema {
    const target = this.#resources.resolve(ref, place.base);
    if (target === undefined) {
      this.problem(place.path, `"${key}" names nothing in this schema: "${ref}"`);
      return true;
    }
    const fragment = ref.slice(ref.indexOf('#') + 1);
    if (key !== '$ref' && this.#resources.dynamicAnchors(fragment) > 1) {
      this.problem(place.path, `"${key}" to one of several places is not supported: "${ref}"`);
    }
    if (target.isGuess)
      this.warn(place.path, `"${ref}" is read as ${target.path}, the only one of that name`);
    if (typeof target.schema === 'boolean') return target.schema;
    const part = this.#partOf(target.schema, target);
    place.part?.refersTo.add(part);
    return { $ref: `#/$defs/${part.name}` };
  }
}
