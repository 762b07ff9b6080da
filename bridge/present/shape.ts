import type { JsonValue } from '../../runtime/core/json-value.js';

const MAX_KEYS = 12;
const MAX_LEVELS = 3;
const MAX_KEY_LENGTH = 40;

/**
 * What a value looks like, in a line: types, counts and the keys of the first item. Bounded whatever the value.
 *
 * @example
 * shapeOf([{ id: 1, name: 'a' }, …]) // 'array of 1000 × { id: number, name: string }'
 */
export const shapeOf = (value: JsonValue): string => shape(value, MAX_LEVELS);

const shape = (value: JsonValue, levels: number): string => {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length > 100 ? `text of ${value.length} characters` : 'string';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) {
    if (value.length === 0) return 'empty array';
    return levels === 0
      ? `array of ${value.length}`
      : `array of ${value.length} × ${shape(value[0], levels - 1)}`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (levels === 0) return `object of ${keys.length} keys`;
  const shown = keys.slice(0, MAX_KEYS).map((key) => {
    const name = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;
    return `${name}: ${shape((value as Record<string, JsonValue>)[key]!, levels - 1)}`;
  });
  const more = keys.length - shown.length;
  return `{ ${shown.join(', ')}${more > 0 ? `, and ${more} more keys` : ''} }`;
};
