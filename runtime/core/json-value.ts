/**
 * A value that JSON text can carry without loss.
 *
 * Numbers are finite and not `-0`; arrays are dense; objects are plain. See `snapshotJsonValue` for the test.
 *
 * @example
 * const value: JsonValue = { rows: [1, 'two', null] };
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
