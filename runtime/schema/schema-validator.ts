import { JsonSchemaError } from '../core/errors.js';
import { assertSupportedJsonSchema } from './assert-schema.js';
import { type Edition, editionOf } from './full/edition.js';
import { type FullSchema, readFullSchema } from './full/full-schema.js';
import type { JsonSchemaNode, SchemaDialect } from './json-schema.js';
import { validateJsonSchemaValue } from './validate-value.js';

/**
 * Finds out in what a value differs from the schema it was made for: one line each, with its path from `label`.
 *
 * Total. What the pipeline hands out is known to be lossless JSON, and anything else is tested for that. An empty label is that of arguments: properties are bare, and the value itself is called `arguments`.
 *
 * @example
 * const validate: SchemaValidator = schemaValidator({ type: 'string' });
 * validate(1) // ['value: wanted a string, received 1']
 */
export type SchemaValidator = (value: unknown, label?: string) => string[];

interface Checked {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly validate: SchemaValidator;
}

const known = new WeakMap<object, Map<string, Checked>>();

/**
 * Says why a schema cannot be used.
 *
 * A schema of a published dialect is read whole, so that nothing is left to fail at its first value: every reference
 * leads somewhere, no reference goes in a circle without end, every pattern compiles, every keyword has a sensible value.
 *
 * @param schema any value; the same object is checked once, so it must not change afterwards
 * @param dialect by which rules; a `$schema` of its own decides
 * @default dialect 'subset'
 * @returns the reason with its paths, or `undefined` when the schema is fine
 * @example
 * checkSchema({ $ref: '#/$defs/gone' }, '2020-12') // 'schema: "$ref" names nothing in this schema: "#/$defs/gone"'
 */
export function checkSchema(schema: unknown, dialect: SchemaDialect = 'subset'): string | undefined {
  const { problems } = check(schema, dialect);
  return problems.length > 0 ? problems.join('; ') : undefined;
}

/**
 * What an importer should tell its host about a schema that works: unknown keywords, which count as annotations, in one
 * line that names them, and whatever had to be guessed.
 *
 * @example
 * schemaWarnings({ type: 'string', widget: 'area' }, '2020-12') // ['schema: unknown keywords are annotations: "widget"']
 */
export function schemaWarnings(schema: unknown, dialect: SchemaDialect = 'subset'): readonly string[] {
  return check(schema, dialect).warnings;
}

/**
 * Makes the validator of a schema: our own walker for the subset, a function compiled with the first value beyond it.
 *
 * The same schema object always has the same validator, so it must not change afterwards.
 *
 * @param dialect by which rules; a `$schema` of its own decides
 * @default dialect 'subset'
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when the schema cannot be used, see {@link checkSchema}
 * @example
 * const validate = schemaValidator({ type: 'object', required: ['q'] }, '2020-12');
 * validate({}, '') // ['q: is required']
 */
export function schemaValidator(
  schema: JsonSchemaNode | boolean,
  dialect: SchemaDialect = 'subset',
): SchemaValidator {
  const { problems, validate } = check(schema, dialect);
  if (problems.length > 0) throw new JsonSchemaError(problems);
  return validate;
}

function check(schema: unknown, dialect: SchemaDialect): Checked {
  const edition = editionOf(schema, dialect);
  if (typeof schema !== 'object' || schema === null) return makeChecked(schema, edition);
  let byEdition = known.get(schema);
  if (byEdition === undefined) {
    byEdition = new Map();
    known.set(schema, byEdition);
  }
  const key = edition?.name ?? 'subset';
  let checked = byEdition.get(key);
  if (checked === undefined) {
    checked = makeChecked(schema, edition);
    byEdition.set(key, checked);
  }
  return checked;
}

function makeChecked(schema: unknown, edition: Edition | undefined): Checked {
  if (edition === undefined) return makeSubset(schema);
  const full: FullSchema = readFullSchema(schema, edition);
  return { ...full, validate: (value, label = 'value') => full.validate(value, label) };
}

function makeSubset(schema: unknown): Checked {
  try {
    assertSupportedJsonSchema(schema);
  } catch (error) {
    if (!(error instanceof JsonSchemaError)) throw error;
    return { problems: error.violations, warnings: [], validate: () => [...error.violations] };
  }
  const validate: SchemaValidator = (value, label = 'value') => validateJsonSchemaValue(schema, value, label);
  return { problems: [], warnings: [], validate };
}
