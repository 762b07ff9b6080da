import type { SchemaDialect } from '../json-schema.js';

/** What tells the published editions of JSON Schema apart, as far as reading a schema goes. */
export interface Edition {
  readonly name: string;
  /** The keyword that names a resource. */
  readonly idKeyword: 'id' | '$id';
  /** `$ref` stands alone: what is beside it does not count. */
  readonly isRefAlone: boolean;
  /** `items` may be an array, continued by `additionalItems`; else that is `prefixItems`, continued by `items`. */
  readonly hasTupleItems: boolean;
  /** `dependentRequired`, `dependentSchemas`, `unevaluated…`, `minContains`, `$anchor`, `$defs`. */
  readonly isModern: boolean;
}

const DRAFT_04: Edition = {
  name: 'draft-04',
  idKeyword: 'id',
  isRefAlone: true,
  hasTupleItems: true,
  isModern: false,
};
const DRAFT_07: Edition = { ...DRAFT_04, name: 'draft-07', idKeyword: '$id' };
const EDITION_2019: Edition = {
  ...DRAFT_07,
  name: '2019-09',
  isRefAlone: false,
  isModern: true,
};
const EDITION_2020: Edition = { ...EDITION_2019, name: '2020-12', hasTupleItems: false };

const PUBLISHED: ReadonlyMap<string, Edition> = new Map([
  ['draft-04/schema', DRAFT_04],
  ['draft-06/schema', DRAFT_07],
  ['draft-07/schema', DRAFT_07],
  ['draft/2019-09/schema', EDITION_2019],
  ['draft/2020-12/schema', EDITION_2020],
  ['schema', EDITION_2020],
]);

/**
 * The edition by which a schema is read: its own `$schema` when that names a published one, else the one of the dialect.
 *
 * @returns `undefined` for the subset
 * @example
 * editionOf({ $schema: 'http://json-schema.org/draft-07/schema#' }, '2020-12')?.name // 'draft-07'
 */
export function editionOf(schema: unknown, dialect: SchemaDialect): Edition | undefined {
  const declared = declaredEdition(schema);
  if (declared !== undefined) return PUBLISHED.get(declared) ?? EDITION_2020;
  if (dialect === 'subset') return undefined;
  return dialect === 'draft-07' ? DRAFT_07 : EDITION_2020;
}

/**
 * What a schema's own `$schema` names, or `undefined` when it has none.
 *
 * @returns the last part of a published address, or the whole text of an unknown one
 * @example
 * declaredEdition({ $schema: 'http://json-schema.org/draft-07/schema#' }) // 'draft-07/schema'
 */
export function declaredEdition(schema: unknown): string | undefined {
  try {
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, '$schema')) return undefined;
    const { $schema } = schema as { $schema: unknown };
    if (typeof $schema !== 'string') return undefined;
    return /^https?:\/\/json-schema\.org\/(.*?)#?$/.exec($schema)?.[1] ?? $schema;
  } catch {
    // What throws when it is looked at is refused where it is read.
    return undefined;
  }
}

/**
 * Whether a `$schema` is one whose rules are known here.
 *
 * @example
 * isKnownEdition('draft-07/schema') // true
 */
export function isKnownEdition(declared: string): boolean {
  return PUBLISHED.has(declared);
}
