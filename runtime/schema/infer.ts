import type { JsonValue } from '../core/json-value.js';

/** How many levels of arrays, objects and unions are typed exactly. */
type MaxLevels = 16;

/**
 * The type of the values that a schema of the author DSL describes.
 *
 * Exact for 16 levels of arrays, objects and unions; {@link JsonValue} below them. Validation knows no such bound.
 *
 * @example
 * type Rows = InferValue<{ type: 'array'; items: { type: 'string'; enum: readonly ['a', 'b'] } }>; // ('a' | 'b')[]
 */
export type InferValue<S> = InferAt<S, []>;

/**
 * The type of the arguments that a parameter map describes: `required: true` makes a key mandatory.
 *
 * @example
 * type Args = InferArgs<{ path: { type: 'string'; required: true }; line: { type: 'integer' } }>;
 * // { path: string; line?: number }
 */
export type InferArgs<P> = InferProperties<P, []>;

type InferAt<S, Level extends readonly unknown[]> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'null' }
            ? null
            : S extends { readonly type: 'json' }
              ? JsonValue
              : Level['length'] extends MaxLevels
                ? JsonValue
                : InferContainer<S, [...Level, unknown]>;

type InferContainer<S, Level extends readonly unknown[]> = S extends {
  readonly oneOf: readonly (infer B)[];
}
  ? B extends unknown
    ? InferAt<B, Level>
    : never
  : S extends { readonly type: 'array'; readonly items: infer I }
    ? InferAt<I, Level>[]
    : S extends { readonly type: 'array' }
      ? JsonValue[]
      : S extends {
            readonly type: 'object';
            readonly properties: infer P;
            readonly additionalProperties: true;
          }
        ? InferProperties<P, Level> & Record<string, JsonValue>
        : S extends { readonly type: 'object'; readonly properties: infer P }
          ? InferProperties<P, Level>
          : S extends { readonly type: 'object'; readonly additionalProperties: false }
            ? Record<string, never>
            : S extends { readonly type: 'object' }
              ? Record<string, JsonValue>
              : JsonValue;

type RequiredKeys<P> = {
  [K in keyof P & string]: P[K] extends { readonly required: true } ? K : never;
}[keyof P & string];

type InferProperties<P, Level extends readonly unknown[]> = string extends keyof P
  ? Record<string, JsonValue>
  : Flatten<
      { -readonly [K in RequiredKeys<P>]: InferAt<P[K], Level> } & {
        -readonly [K in Exclude<keyof P & string, RequiredKeys<P>>]?: InferAt<P[K], Level>;
      }
    >;

type Flatten<T> = { [K in keyof T]: T[K] };
