import { types } from 'node:util';
import { hasPlainPrototype, isDenseArray, ownStringKeys } from './plain.js';
import { markSnapshot } from './snapshot-mark.js';

type Slots = { [slot: string | number]: unknown };
type Container = Slots | unknown[];

/** A container whose copy is being finished. */
interface Frame {
  readonly source: object;
  readonly copy: Slots;
  /** `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The next slot to look at; everything before it is finished. */
  next: number;
}

/** Up to this depth, looking through the open frames for a cycle is cheaper than a set. */
const SCANNED_DEPTH = 16;

/** Up to this length an array is copied item by item: a literal takes no room for growth. */
const SHORT = 4;

const NO_NAMES: readonly string[] = [];

/**
 * Copies a container and everything in it, each slot read once; see `snapshotJsonValue` for what can be copied. No recursion.
 *
 * @param isFrozen whether every container of the copy is frozen; then the copy is marked as a snapshot
 * @returns `undefined` when something in it cannot be carried
 * @throws whatever a getter or a Proxy's trap throws
 * @example
 * copyJson({ a: [1] }, true) // { a: [1] }
 */
export function copyJson(source: object, isFrozen: boolean): object | undefined {
  return new Walk(isFrozen).copy(source);
}

/**
 * Whether a value that is no container is JSON.
 *
 * @example
 * isJsonScalar(-0) // false
 */
export function isJsonScalar(value: unknown): boolean {
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

class Walk {
  readonly #isFrozen: boolean;
  /** The containers from the root down to the one that is being finished; most values have a root alone. */
  #open: Frame[] | undefined;
  #ancestors: Set<object> | undefined;
  /** Names that were found to be assignable: the rows of a list share them. */
  #assignable = NO_NAMES;
  /** Levels of containers. */
  #depth = 1;

  constructor(isFrozen: boolean) {
    this.#isFrozen = isFrozen;
  }

  copy(source: object): Container | undefined {
    const root = this.#copyContainer(source);
    if (root === undefined) return undefined;
    if (this.#open !== undefined && !this.#finish(this.#open)) return undefined;
    if (this.#isFrozen) {
      markSnapshot(root, this.#depth);
      Object.freeze(root);
    }
    return root;
  }

  /**
   * Copies one container's slots; nested containers stay what they were, and the frame that will copy them is opened.
   *
   * @returns `undefined` when the container itself cannot be carried
   */
  #copyContainer(source: object): Container | undefined {
    return Array.isArray(source) ? this.#copyArray(source) : this.#copyObject(source);
  }

  /**
   * Copies what lies below the open frames, depth first.
   *
   * @returns `false` when something there cannot be carried
   */
  #finish(open: Frame[]): boolean {
    while (open.length > 0) {
      const level = open.length;
      const frame = open[level - 1]!;
      const { source, copy, keys, length } = frame;
      let { next } = frame;
      if (level >= this.#depth) this.#depth = level + 1;
      if (level > SCANNED_DEPTH) this.#noteAncestor(source, open);
      while (next < length && open.length === level) {
        const slot = keys === undefined ? next : keys[next]!;
        next += 1;
        const child = copy[slot];
        if (typeof child !== 'object' || child === null) continue;
        if (this.#isAncestor(child, open)) return false;
        const childCopy = this.#copyContainer(child);
        if (childCopy === undefined) return false;
        // What has nothing open below it is final.
        if (this.#isFrozen && open.length === level) Object.freeze(childCopy);
        copy[slot] = childCopy;
      }
      frame.next = next;
      if (open.length > level) continue;
      // A getter further down may have changed it.
      if (keys === undefined && (source as unknown[]).length !== length) return false;
      open.pop();
      if (this.#isFrozen && level > 1) Object.freeze(copy);
      this.#ancestors?.delete(source);
    }
    return true;
  }

  #descend(frame: Frame): void {
    if (this.#open === undefined) this.#open = [frame];
    else this.#open.push(frame);
  }

  #noteAncestor(source: object, open: readonly Frame[]): void {
    if (this.#ancestors === undefined) this.#ancestors = new Set(open.map((frame) => frame.source));
    else this.#ancestors.add(source);
  }

  #isAncestor(child: object, open: readonly Frame[]): boolean {
    if (this.#ancestors !== undefined) return this.#ancestors.has(child);
    for (let index = 0; index < open.length; index += 1) if (open[index]!.source === child) return true;
    return false;
  }

  #copyArray(source: readonly unknown[]): unknown[] | undefined {
    if (!isDenseArray(source)) return undefined;
    const { length } = source;
    const copy = copyItems(source, length);
    let nested = -1;
    for (let index = 0; index < length; index += 1) {
      const item = copy[index];
      if (typeof item === 'object' && item !== null) {
        if (nested < 0) nested = index;
      } else if (!isJsonScalar(item)) return undefined;
    }
    // A getter may have changed it.
    if (source.length !== length) return undefined;
    if (nested < 0) return copy;
    this.#descend({ source, copy: copy as unknown as Slots, keys: undefined, length, next: nested });
    return copy;
  }

  #copyObject(source: object): Slots | undefined {
    if (!hasPlainPrototype(source)) return undefined;
    const names = ownStringKeys(source);
    if (names === undefined) return undefined;
    const copy = this.#copySlots(source, names);
    let count = 0;
    let nested = -1;
    for (const key in copy) {
      // A Proxy may name more when it is copied; whatever else comes late is inherited.
      if (count === names.length) {
        if (Object.hasOwn(copy, key)) return undefined;
        break;
      }
      const item = copy[key];
      if (typeof item === 'object' && item !== null) {
        if (nested < 0) nested = count;
      } else if (!isJsonScalar(item)) return undefined;
      count += 1;
    }
    // A Proxy may have named `__proto__` only when it was copied.
    if (count !== names.length || Object.getPrototypeOf(copy) !== Object.prototype) return undefined;
    if (nested < 0) return copy;
    const keys = Object.keys(copy);
    if (keys.length !== count) return undefined;
    this.#descend({ source, copy, keys, length: count, next: nested });
    return copy;
  }

  /** One read of each enumerable slot; a key called `__proto__` becomes an own property. */
  #copySlots(source: object, names: readonly string[]): Slots {
    // An assigned copy is several times cheaper to freeze than a spread one, but assignment heeds what Object.prototype has.
    return this.#isFrozen && this.#isAssignable(names)
      ? Object.assign({} as Slots, source)
      : { ...(source as Slots) };
  }

  #isAssignable(names: readonly string[]): boolean {
    if (isSameList(names, this.#assignable)) return true;
    for (let index = 0; index < names.length; index += 1) if (names[index]! in Object.prototype) return false;
    this.#assignable = names;
    return true;
  }
}

function isSameList(list: readonly string[], other: readonly string[]): boolean {
  if (list.length !== other.length) return false;
  for (let index = 0; index < list.length; index += 1) if (list[index] !== other[index]) return false;
  return true;
}

/** One read of each item. */
function copyItems(source: readonly unknown[], length: number): unknown[] {
  if (length <= SHORT) {
    switch (length) {
      case 0:
        return [];
      case 1:
        return [source[0]];
      case 2:
        return [source[0], source[1]];
      case 3:
        return [source[0], source[1], source[2]];
      default:
        return [source[0], source[1], source[2], source[3]];
    }
  }
  if (isPlainlySliced(source)) return source.slice(0, length);
  const copy: unknown[] = [];
  for (let index = 0; index < length; index += 1) copy.push(source[index]);
  return copy;
}

/** Whether a slice is an array of ours, and nothing but the items is read for it. */
function isPlainlySliced(source: readonly unknown[]): boolean {
  return !types.isProxy(source) && source.constructor === Array && Array[Symbol.species] === Array;
}
