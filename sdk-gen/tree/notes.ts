import { About, aboutOf, NOTED } from './keywords.js';
import { type JsonRecord, oneLine, own, shortJson } from './schema-reader.js';
import type { TypeDoc } from './type-node.js';

const LONGEST = 80;
const LONGEST_DEFAULT = 40;
const SAFE = Number.MAX_SAFE_INTEGER;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** `1..9`, `>=1` or `<=9`, with a unit behind it. */
function range(low: unknown, high: unknown, unit: string): string[] {
  const suffix = unit === '' ? '' : ` ${unit}`;
  if (isNumber(low) && isNumber(high)) return [low === high ? `${low}${suffix}` : `${low}..${high}${suffix}`];
  if (isNumber(low)) return [`>=${low}${suffix}`];
  return isNumber(high) ? [`<=${high}${suffix}`] : [];
}

function numberNotes(schema: JsonRecord, integer: boolean): string[] {
  // The bounds of a safe integer are what generators write when they mean "any integer".
  const low = own(schema, 'minimum') === -SAFE ? undefined : own(schema, 'minimum');
  const high = own(schema, 'maximum') === SAFE ? undefined : own(schema, 'maximum');
  const bounds = range(low, high, '').join('');
  const notes = [integer ? `integer ${bounds}`.trim() : bounds].filter((note) => note !== '');
  const above = own(schema, 'exclusiveMinimum');
  const below = own(schema, 'exclusiveMaximum');
  if (isNumber(above)) notes.push(`>${above}`);
  if (isNumber(below)) notes.push(`<${below}`);
  const step = own(schema, 'multipleOf');
  if (isNumber(step)) notes.push(`multiple of ${step}`);
  return notes;
}

function textNotes(schema: JsonRecord): string[] {
  const notes = range(own(schema, 'minLength'), own(schema, 'maxLength'), 'chars');
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') notes.push(`pattern ${shorten(pattern)}`);
  for (const keyword of ['format', 'contentEncoding', 'contentMediaType']) {
    const value = own(schema, keyword);
    if (typeof value === 'string' && value !== '') notes.push(shorten(value));
  }
  return notes;
}

function containerNotes(schema: JsonRecord): string[] {
  const notes = range(own(schema, 'minItems'), own(schema, 'maxItems'), 'items');
  if (own(schema, 'uniqueItems') === true) notes.push('unique items');
  notes.push(...range(own(schema, 'minProperties'), own(schema, 'maxProperties'), 'properties'));
  for (const [keyword, word] of [
    ['contains', 'contains'],
    ['propertyNames', 'keys'],
    ['not', 'not'],
    ['if', 'if'],
    ['then', 'then'],
    ['else', 'else'],
    ['dependentRequired', 'dependentRequired'],
    ['dependentSchemas', 'dependentSchemas'],
    ['dependencies', 'dependencies'],
  ] as const) {
    const value = own(schema, keyword);
    if (value !== undefined && !isVacuous(keyword, value)) notes.push(`${word} ${shortJson(value, LONGEST)}`);
  }
  return notes;
}

const saysInteger = (type: unknown): boolean =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'));

/** Keys are strings anyway. */
const isVacuous = (keyword: string, value: unknown): boolean =>
  keyword === 'propertyNames' && (value === true || shortJson(value, LONGEST) === '{"type":"string"}');

const NOTHING: readonly string[] = [];

/** The constraints of a schema that a type cannot say, in short words. */
function constraintNotes(schema: JsonRecord, about: number): readonly string[] {
  const isInteger = saysInteger(own(schema, 'type'));
  if (!isInteger && (about & NOTED) === 0) return NOTHING;
  const notes = isInteger || (about & About.numbers) !== 0 ? numberNotes(schema, isInteger) : [];
  if ((about & About.texts) !== 0) notes.push(...textNotes(schema));
  if ((about & About.containers) !== 0) notes.push(...containerNotes(schema));
  if (own(schema, 'deprecated') === true) notes.push('deprecated');
  const value = own(schema, 'default');
  if (value !== undefined) notes.push(`default ${shortJson(value, LONGEST_DEFAULT)}`);
  return notes.map((note) => note.replace(/\s+/g, ' '));
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/**
 * What a reader is told of one schema.
 *
 * @param about what its keywords are about.
 */
export function docOf(schema: JsonRecord, about: number = aboutOf(schema)): TypeDoc | undefined {
  const description = oneLine(own(schema, 'description'));
  const notes = constraintNotes(schema, about);
  if (notes.length > 0) return description === undefined ? { notes } : { description, notes };
  return description === undefined ? undefined : { description };
}

/** What a reader is told of a schema that is made of several: the first description, every constraint. */
export function docOfAll(parts: readonly JsonRecord[]): TypeDoc | undefined {
  const docs = parts.flatMap((part) => docOf(part) ?? []);
  if (docs.length < 2) return docs[0];
  const description = docs.find((doc) => doc.description !== undefined)?.description;
  const notes = docs.flatMap((doc) => doc.notes ?? []);
  return {
    ...(description === undefined ? {} : { description }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
