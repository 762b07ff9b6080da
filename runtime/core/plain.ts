import { inspect, types } from 'node:util';
import { isArrayPrototype, isObjectPrototype } from './realm.js';

/** From this length on inspecting an array is cheaper than listing its keys. */
const LONG = 100;
const ALL_BUT_ITEMS = { showHidden: true, maxArrayLength: 0, depth: 0, customInspect: false } as const;

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
  if (length > LONG && prototype === Array.prototype && !types.isProxy(value)) return isDenseLongArray(value);
  const keys = Reflect.ownKeys(value);
  // Indices come first and in order, then `length`, so this says: every index is there, and nothing else.
  if (keys.length !== length + 1 || keys[length] !== 'length') return false;
  return length === 0 || keys[length - 1] === nameOf(length - 1);
}

const INDEX_NAMES: readonly string[] = Array.from({ length: LONG }, (_, index) => String(index));

function nameOf(index: number): string {
  return INDEX_NAMES[index] ?? String(index);
}

/**
 * Listing the keys of a long array costs three times what copying its JSON does, for the text of every index. Inspection
 * passes over the indices: what it shows of an array without further properties depends on the length alone.
 */
function isDenseLongArray(value: readonly unknown[]): boolean {
  const { length } = value;
  if (inspect(value, ALL_BUT_ITEMS) !== inspect(new Array(length), ALL_BUT_ITEMS)) return false;
  for (let index = 0; index < length; index += 1) {
    if (!Object.hasOwn(value, index)) return false;
  }
  return true;
}

/**
 * Whether the prototype is `null` or the `Object.prototype` of some realm.
 *
 * @example
 * hasPlainPrototype(new Date()) // false
 */
export function hasPlainPrototype(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isObjectPrototype(prototype);
}

/**
 * The names of all own string keys, enumerable or not; `undefined` when there is a symbol key.
 *
 * @example
 * ownStringKeys({ a: 1 }) // ['a']
 */
export function ownStringKeys(value: object): readonly string[] | undefined {
  // Two calls with a fast path each; `Reflect.ownKeys` has none and costs twice as much.
  return Object.getOwnPropertySymbols(value).length > 0 ? undefined : Object.getOwnPropertyNames(value);
}
