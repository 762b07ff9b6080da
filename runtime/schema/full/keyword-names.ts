import { ASSERTIONS } from './assertions.js';
import type { Edition } from './edition.js';

/** Keywords that say something about a value without constraining it, or that only name and hold other schemas. */
const ANNOTATIONS = [
  '$anchor',
  '$comment',
  '$defs',
  '$dynamicAnchor',
  '$id',
  '$recursiveAnchor',
  '$schema',
  '$vocabulary',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'format',
  'id',
  'readOnly',
  'title',
  'writeOnly',
];

const CONSTRAINTS = [
  ...ASSERTIONS.keys(),
  '$ref',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'contains',
  'dependencies',
  'else',
  'enum',
  'if',
  'items',
  'not',
  'oneOf',
  'patternProperties',
  'properties',
  'propertyNames',
  'then',
  'type',
];

const MODERN_CONSTRAINTS = [
  '$dynamicRef',
  '$recursiveRef',
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const annotations = new Set(ANNOTATIONS);
const constraints = new Set(CONSTRAINTS);
const modernConstraints = new Set([...CONSTRAINTS, ...MODERN_CONSTRAINTS]);

/**
 * Whether an edition enforces a keyword.
 *
 * @example
 * isConstraint('format', edition) // false
 */
export function isConstraint(key: string, edition: Edition): boolean {
  if (key === 'prefixItems') return edition.isModern && !edition.hasTupleItems;
  return (edition.isModern ? modernConstraints : constraints).has(key);
}

/**
 * Whether an edition says nothing at all about a keyword, and nobody marked it as an extension.
 *
 * @example
 * isUnknown('x-icon', edition) // false
 */
export function isUnknown(key: string, edition: Edition): boolean {
  return !isConstraint(key, edition) && !annotations.has(key) && !key.startsWith('x-');
}
