import { copyJson, isJsonScalar } from './json-copy.js';
import type { JsonValue } from './json-value.js';
import { snapshotDepth } from './snapshot-mark.js';

/**
 * Copies a value if JSON text can carry it without loss.
 *
 * Every slot is read exactly once, so what was tested is what was copied. Getters run and `toJSON` is ignored. Plain
 * containers of other realms are accepted and come back as this realm's; a null-prototype record comes back as an
 * ordinary object; a shared object comes back as separate copies. Depth is no limit.
 *
 * @returns the copy, which shares nothing with the value, or `undefined` when it would lose something: `undefined`,
 * functions, symbols, bigints, `NaN`, infinities and `-0`; arrays with holes or extra properties; class instances; hidden
 * or symbol keys; cycles
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * snapshotJsonValue({ a: [1, null] }) // { a: [1, null] }
 * snapshotJsonValue({ a: undefined }) // undefined
 */
export function snapshotJsonValue(value: unknown): JsonValue | undefined {
  return snapshot(value, false);
}

/**
 * The same copy, deep-frozen; the value itself is not touched. Cheaper than freezing a finished copy. A value that is such a
 * copy already comes back as it is.
 *
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * Object.isFrozen(frozenSnapshot({ a: [1] })) // true
 */
export function frozenSnapshot(value: unknown): JsonValue | undefined {
  return isFrozenSnapshot(value) ? value : snapshot(value, true);
}

/**
 * Whether a value is a container that came out of {@link frozenSnapshot}, so that nothing about it can change or be lost any more.
 *
 * What it holds is not known by itself.
 *
 * @example
 * isFrozenSnapshot(frozenSnapshot([1])) // true
 * isFrozenSnapshot(Object.freeze([1])) // false
 */
export function isFrozenSnapshot(value: unknown): value is JsonValue {
  return snapshotDepth(value) !== undefined;
}

/**
 * Whether JSON text can carry a value without loss. See {@link snapshotJsonValue} for what that means.
 *
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * isJsonValue({ when: new Date() }) // false
 */
export function isJsonValue(value: unknown): value is JsonValue {
  return snapshotJsonValue(value) !== undefined;
}

function snapshot(value: unknown, isFrozen: boolean): JsonValue | undefined {
  if (typeof value === 'object' && value !== null) return copyJson(value, isFrozen) as JsonValue | undefined;
  return isJsonScalar(value) ? (value as JsonValue) : undefined;
}
