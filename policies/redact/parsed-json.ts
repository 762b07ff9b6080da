import type { JsonValue } from '../../runtime/core/json-value.js';

/** The container that a text is JSON of; `undefined` for any other text. */
export function parsedJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
