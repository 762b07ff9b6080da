import { copyJson, isJsonScalar } from './json-copy.js';
import type { JsonValue } from './json-value.js';

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

/** Containers from which on remembering a frozen snapshot costs less than making it again. */
const REMEMBERED_SIZE = 100;

/** The roots of the large frozen snapshots that are still in use, with their levels. */
const frozenRoots = new WeakMap<object, number>();

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
 * Whether a value is known to have come out of {@link frozenSnapshot}, so that nothing about it can change or be lost any more.
 * Only large ones are known: the others are copied faster than they are remembered.
 *
 * @example
 * isFrozenSnapshot(frozenSnapshot(Array.from({ length: 1000 }, () => [1]))) // true
 */
export function isFrozenSnapshot(value: unknown): value is JsonValue {
  return typeof value === 'object' && value !== null && frozenRoots.has(value);
}

/**
 * How many levels of arrays and objects a value has, where that is known without looking: see {@link isFrozenSnapshot}.
 *
 * @example
 * knownDepth(frozenSnapshot(Array.from({ length: 1000 }, () => [1]))) // 2
 */
export function knownDepth(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? frozenRoots.get(value) : undefined;
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
  if (typeof value !== 'object' || value === null) {
    return isJsonScalar(value) ? (value as JsonValue) : undefined;
  }
  const copy = copyJson(value, isFrozen);
  if (copy === undefined) return undefined;
  if (isFrozen && copy.below >= REMEMBERED_SIZE) frozenRoots.set(copy.root, copy.depth);
  return copy.root as JsonValue;
}
