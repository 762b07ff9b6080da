import { isArrayPrototype, isObjectPrototype } from './realm.js';

/**
 * Whether an object is a plain record: an ordinary or null prototype, and nothing but enumerable string keys.
 *
 * Values are not looked at; getters do not run.
 *
 * @throws whatever a Proxy's traps throw
 * @example
 * isPlainRecord({ a: undefined }) // true
 * isPlainRecord(new Map()) // false
 */
export function isPlainRecord(value: object): boolean {
  return hasPlainPrototype(value) && ownStringKeys(value)?.length === Object.keys(value).length;
}

/**
 * Whether an array is dense and plain: an intrinsic prototype, an own slot for every index, and nothing else.
 *
 * Items are not looked at; getters do not run.
 *
 * @throws whatever a Proxy's traps throw
 * @example
 * isDenseArray([undefined]) // true
 * isDenseArray(new Array(1)) // false
 */
export function isDenseArray(value: readonly unknown[]): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype !== Array.prototype && (prototype === null || !isArrayPrototype(prototype))) return false;
  const { length } = value;
  const names = ownStringKeys(value);
  // Indices come first and in order, so this says: every index is there, and nothing else but `length`.
  return names?.length === length + 1 && (length === 0 || names[length - 1] === String(length - 1));
}

/** Whether the prototype is `null` or the `Object.prototype` of some realm. */
export function hasPlainPrototype(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isObjectPrototype(prototype);
}

/** The names of all own string keys, enumerable or not; `undefined` when there is a symbol key. */
export function ownStringKeys(value: object): readonly string[] | undefined {
  // Two calls with a fast path each; `Reflect.ownKeys` has none and costs twice as much.
  return Object.getOwnPropertySymbols(value).length > 0 ? undefined : Object.getOwnPropertyNames(value);
}
