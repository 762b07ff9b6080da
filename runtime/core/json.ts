import type { JsonValue } from './json-value.js';
import { hasPlainPrototype, isDenseArray, ownStringKeys } from './plain.js';

type Container = { [key: string]: unknown } | unknown[];

/** A container whose copy is being finished. */
interface Frame {
  readonly source: object;
  readonly copy: Container;
  /** `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The next slot to look at; everything before it is finished. */
  next: number;
}

/** Up to this depth, looking through the open frames for a cycle is cheaper than a set. */
const SCANNED_DEPTH = 16;

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
  return snapshot(value, keep);
}

/** Containers from which on remembering a frozen snapshot costs less than making it again. */
const REMEMBERED_SIZE = 100;

/** The roots of the large frozen snapshots that are still in use. */
const frozenRoots = new WeakSet<object>();

/**
 * The same copy, deep-frozen; the value itself is not touched. Cheaper than freezing a finished copy. A value that is such a
 * copy already comes back as it is.
 *
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * Object.isFrozen(frozenSnapshot({ a: [1] })) // true
 */
export function frozenSnapshot(value: unknown): JsonValue | undefined {
  return isFrozenSnapshot(value) ? value : snapshot(value, Object.freeze);
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
 * Whether JSON text can carry a value without loss. See {@link snapshotJsonValue} for what that means.
 *
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * isJsonValue({ when: new Date() }) // false
 */
export function isJsonValue(value: unknown): value is JsonValue {
  return snapshotJsonValue(value) !== undefined;
}

/** What is done to each container of a copy once its slots are final. */
type Seal = <C extends Container>(copy: C) => C;

function keep<C>(copy: C): C {
  return copy;
}

function snapshot(value: unknown, seal: Seal): JsonValue | undefined {
  if (typeof value !== 'object' || value === null)
    return isJsonScalar(value) ? (value as JsonValue) : undefined;
  const open: Frame[] = [];
  const root = copyContainer(value, open, seal);
  const size = root === undefined ? undefined : finish(open, seal);
  if (root === undefined || size === undefined) return undefined;
  if (seal === Object.freeze && size >= REMEMBERED_SIZE) frozenRoots.add(root);
  return root as JsonValue;
}

function isJsonScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return value !== 0 ? Number.isFinite(value) : !Object.is(value, -0);
    default:
      return value === null;
  }
}

/**
 * Copies what lies below the frames, depth first.
 *
 * @returns how many containers those were, or `undefined` when one cannot be carried
 */
function finish(open: Frame[], seal: Seal): number | undefined {
  let ancestors: Set<object> | undefined;
  let size = 0;
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { copy, keys, length } = frame;
    let child: unknown;
    let slot: string | number = 0;
    while (frame.next < length) {
      slot = keys === undefined ? frame.next : keys[frame.next]!;
      frame.next += 1;
      child = (copy as { [slot: string | number]: unknown })[slot];
      if (typeof child === 'object' && child !== null) break;
      child = undefined;
    }
    if (child === undefined) {
      // A getter further down may have changed it.
      if (keys === undefined && (frame.source as unknown[]).length !== length) return undefined;
      open.pop();
      seal(copy);
      ancestors?.delete(frame.source);
      continue;
    }
    if (ancestors !== undefined) ancestors.add(frame.source);
    else if (open.length > SCANNED_DEPTH) ancestors = new Set(open.map(({ source }) => source));
    if (isAncestor(child as object, open, ancestors)) return undefined;
    const childCopy = copyContainer(child as object, open, seal);
    if (childCopy === undefined) return undefined;
    size += 1;
    (copy as { [slot: string | number]: unknown })[slot] = childCopy;
  }
  return size;
}

function isAncestor(child: object, open: readonly Frame[], ancestors: Set<object> | undefined): boolean {
  if (ancestors !== undefined) return ancestors.has(child);
  for (const frame of open) if (frame.source === child) return true;
  return false;
}

/**
 * Copies one container's slots; nested containers stay what they were, and the frame that will copy them is opened.
 *
 * @returns `undefined` when the container itself cannot be carried
 */
function copyContainer(source: object, open: Frame[], seal: Seal): Container | undefined {
  return Array.isArray(source) ? copyArray(source, open, seal) : copyObject(source, open, seal);
}

function copyArray(source: readonly unknown[], open: Frame[], seal: Seal): unknown[] | undefined {
  if (!isDenseArray(source)) return undefined;
  const { length } = source;
  const copy: unknown[] = [];
  let nested = -1;
  for (let index = 0; index < length; index += 1) {
    const item = source[index];
    if (typeof item === 'object' && item !== null) {
      if (nested < 0) nested = index;
    } else if (!isJsonScalar(item)) return undefined;
    copy.push(item);
  }
  // A getter may have changed it.
  if (source.length !== length) return undefined;
  if (nested < 0) return seal(copy);
  open.push({ source, copy, keys: undefined, length, next: nested });
  return copy;
}

/** One read of each enumerable slot; a key called `__proto__` becomes an own property. */
function copySlots(source: object, names: readonly string[], seal: Seal): { [key: string]: unknown } {
  // An assigned copy is several times cheaper to freeze than a spread one, but assignment heeds what Object.prototype has.
  if (seal === keep || names.some((name) => name in Object.prototype)) {
    return { ...(source as { [key: string]: unknown }) };
  }
  return Object.assign({} as { [key: string]: unknown }, source);
}

function copyObject(source: object, open: Frame[], seal: Seal): Container | undefined {
  if (!hasPlainPrototype(source)) return undefined;
  const names = ownStringKeys(source);
  if (names === undefined) return undefined;
  const copy = copySlots(source, names, seal);
  const keys = Object.keys(copy);
  // A Proxy may have named `__proto__` only when it was copied.
  if (keys.length !== names.length || Object.getPrototypeOf(copy) !== Object.prototype) return undefined;
  let nested = -1;
  for (let index = 0; index < keys.length; index += 1) {
    const item = copy[keys[index]!];
    if (typeof item === 'object' && item !== null) {
      if (nested < 0) nested = index;
    } else if (!isJsonScalar(item)) return undefined;
  }
  if (nested < 0) return seal(copy);
  open.push({ source, copy, keys, length: keys.length, next: nested });
  return copy;
}
