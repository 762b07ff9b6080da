import { isDenseArray, isPlainRecord } from '../core/plain.js';

/**
 * Reads a plain record's own properties, each once.
 *
 * @returns `undefined` for anything that is no plain record, or that throws while it is looked at
 * @example
 * readRecord({ type: 'string' })?.get('type') // 'string'
 */
export function readRecord(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return !Array.isArray(value) && isPlainRecord(value) ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a dense plain array's items, each once.
 *
 * @returns `undefined` for anything else, or for one that throws while it is looked at
 * @example
 * readList(['a', 'b']) // ['a', 'b'], another array
 */
export function readList(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) && isDenseArray(value) ? Array.from(value as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Defines an ordinary property, also one called `__proto__`.
 *
 * @example
 * setOwn(properties, '__proto__', node);
 */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
