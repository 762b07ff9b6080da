import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { AnySchemaObject, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/core.js';
import type { JsonValue } from '../../core/json-value.js';
import { EMPTY_NAME_KEYWORD, hasUniqueItems, LITERALS_KEYWORD, literalsTest } from './engine-keywords.js';
import { compilePattern } from './pattern.js';
import type { ReadSchema } from './read-context.js';

/** An engine remembers every schema that it compiled, so it is replaced after so many. */
const COMPILATIONS_PER_ENGINE = 100;
/** Definitions with more keywords than this are called and not copied to each reference. */
const INLINED_KEYWORDS = 8;

interface Engine {
  readonly ajv: Ajv2020;
  compilations: number;
}

let current: Engine | undefined;
const require = createRequire(import.meta.url);

/**
 * Compiles a read schema to a function that stops at the first mismatch. The engine is loaded with the first one.
 *
 * What `unevaluated…` means is not in its power: its code for that breaks on some schemas and is wrong on others.
 *
 * @throws {Error} when the engine cannot compile it; reading should have refused it
 * @example
 * compileReadSchema({ type: ['string'] })('x') // true
 */
export function compileReadSchema(schema: ReadSchema): ValidateFunction {
  if (current === undefined || current.compilations >= COMPILATIONS_PER_ENGINE) {
    current = { ajv: makeAjv(), compilations: 0 };
  }
  current.compilations += 1;
  try {
    return current.ajv.compile(schema);
  } finally {
    if (typeof schema === 'object') current.ajv.removeSchema(schema);
  }
}

function makeAjv(): Ajv2020 {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv({
    // What reaches an engine was read by us, so it needs no second check and knows no identifiers.
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    strict: false,
    logger: false,
    messages: false,
    validateFormats: false,
    ownProperties: true,
    inlineRefs: INLINED_KEYWORDS,
    code: { regExp: Object.assign(compilePattern, { code: 'new RegExp' }) },
  });
  // The constructor of this edition sets it whatever it is given.
  ajv.opts.unevaluated = false;
  replaceKeywords(ajv);
  return ajv;
}

function replaceKeywords(ajv: Ajv2020): void {
  // The engine's own comparison of items is quadratic, and calls a `valueOf` that is data.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isWanted: boolean, items: readonly JsonValue[]) => !isWanted || hasUniqueItems(items),
  });
  ajv.addKeyword({
    keyword: LITERALS_KEYWORD,
    schemaType: 'array',
    errors: false,
    compile: (literals: readonly JsonValue[]) => literalsTest(literals),
  });
  ajv.addKeyword({
    keyword: EMPTY_NAME_KEYWORD,
    type: 'object',
    // What stands behind `propertyNames` is passed over for an object without properties.
    before: 'propertyNames',
    schemaType: 'boolean',
    errors: false,
    validate: (_: boolean, value: object) => Object.hasOwn(value, ''),
  });
  // After `prefixItems` the engine passes over `contains` for an array that is shorter than the tuple.
  const contains = ajv.getKeyword('contains') as CodeKeywordDefinition;
  ajv.removeKeyword('contains');
  ajv.addKeyword({
    ...contains,
    before: 'prefixItems',
    code: (context) => countedContains(contains, context),
  });
}

/**
 * Without an upper bound the engine keeps its verdict in a variable that a loop around it does not reset: in
 * `[[1], []]` the empty array would pass because the one before it did. With a bound it counts afresh.
 */
function countedContains(contains: CodeKeywordDefinition, context: KeywordCxt): void {
  const open = context as { parentSchema: AnySchemaObject };
  const written = open.parentSchema;
  open.parentSchema = { maxContains: Number.MAX_SAFE_INTEGER, ...written };
  try {
    contains.code(context);
  } finally {
    open.parentSchema = written;
  }
}
