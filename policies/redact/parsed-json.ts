import type { JsonValue } from '../../runtime/core/json-value.js';
import { isJson } from './json-parts.js';

/** The container or string that a text is JSON of; `undefined` for any other text. */
export function parsedJson(text: string): JsonValue | undefined {
  return isJson(text) ? (JSON.parse(text) as JsonValue) : undefined;
}
