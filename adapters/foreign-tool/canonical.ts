import { snapshotJsonValue } from '../../runtime/core/json.js';
import type { JsonValue } from '../../runtime/core/json-value.js';

/**
 * The JSON value of whatever a function returned: what `JSON.stringify` would make of it, and `null` for nothing.
 *
 * @throws {TypeError} when it has no JSON, such as a bigint or a circle
 * @example
 * canonical(new Date(0)) // '1970-01-01T00:00:00.000Z'
 */
export function canonical(value: unknown): JsonValue {
  const snapshot = snapshotJsonValue(value);
  if (snapshot !== undefined) return snapshot;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as JsonValue);
}
