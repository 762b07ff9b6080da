import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';
import { hasUniqueItems } from './engine-keywords.js';
import type { Located, Report } from './mismatch.js';
import { compilePattern } from './pattern.js';

/** A read schema with at least one keyword. */
export interface Keywords {
  readonly [key: string]: unknown;
}

type Size = readonly [keyword: string, isRight: (size: number, limit: number) => boolean, words: string];

const SIZES: { readonly [unit in 'characters' | 'items' | 'properties']: readonly Size[] } = {
  characters: [
    ['minLength', (size, limit) => size >= limit, 'at least'],
    ['maxLength', (size, limit) => size <= limit, 'at most'],
  ],
  items: [
    ['minItems', (size, limit) => size >= limit, 'at least'],
    ['maxItems', (size, limit) => size <= limit, 'at most'],
  ],
  properties: [
    ['minProperties', (size, limit) => size >= limit, 'at least'],
    ['maxProperties', (size, limit) => size <= limit, 'at most'],
  ],
};

const BOUNDS: readonly Size[] = [
  ['minimum', (value, limit) => value >= limit, 'at least'],
  ['maximum', (value, limit) => value <= limit, 'at most'],
  ['exclusiveMinimum', (value, limit) => value > limit, 'above'],
  ['exclusiveMaximum', (value, limit) => value < limit, 'below'],
  ['multipleOf', (value, limit) => Number.isInteger(value / limit), 'that is a multiple of'],
];

/**
 * Reports every bound, length and pattern of a schema that a value breaks.
 *
 * @example
 * interpretBounds({ minimum: 2 }, { value: 1, path: 'value', level: 0 }, ({ text }) => console.log(text));
 */
export function interpretBounds(schema: Keywords, at: Located, report: Report): void {
  const { value, path, level } = at;
  const say = (text: string) => report({ path, level, text });
  if (typeof value === 'number') {
    for (const [keyword, isRight, words] of BOUNDS) {
      const limit = schema[keyword];
      if (typeof limit === 'number' && !isRight(value, limit)) {
        say(`wanted a number ${words} ${limit}, received ${value}`);
      }
    }
  } else if (typeof value === 'string') {
    interpretSize(schema, 'characters', () => [...value].length, say);
    const { pattern } = schema;
    if (typeof pattern === 'string' && !compilePattern(pattern).test(value)) {
      say(`wanted a match of /${pattern}/, received ${received(value)}`);
    }
  } else if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    interpretSize(schema, 'items', () => items.length, say);
    if (schema['uniqueItems'] === true && !hasUniqueItems(items)) {
      say('wanted items that all differ, received equal ones');
    }
  } else if (typeof value === 'object' && value !== null) {
    interpretSize(schema, 'properties', () => Object.keys(value).length, say);
  }
}

function interpretSize(
  schema: Keywords,
  unit: keyof typeof SIZES,
  measure: () => number,
  say: (text: string) => void,
): void {
  for (const [keyword, isRight, words] of SIZES[unit]) {
    const limit = schema[keyword];
    if (typeof limit !== 'number') continue;
    const size = measure();
    if (!isRight(size, limit)) say(`wanted ${words} ${limit} ${unit}, received ${size}`);
  }
}
