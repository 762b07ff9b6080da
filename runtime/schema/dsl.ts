import type { JsonValue } from '../core/json-value.js';

/** What every node of the author DSL may say beside its constraints. `default` is documentation, never applied. */
export interface ValueSchemaAnnotations {
  readonly description?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly examples?: JsonValue;
}

interface ScalarValueSchemaSpec<N extends string, V> extends ValueSchemaAnnotations {
  readonly type: N;
  /** At least one value. */
  readonly enum?: readonly V[];
  /** One of `enum` when both are there. */
  readonly const?: V;
}

/** A text. */
export interface StringValueSchemaSpec extends ScalarValueSchemaSpec<'string', string> {}

/** A finite number other than `-0`. */
export interface NumberValueSchemaSpec extends ScalarValueSchemaSpec<'number', number> {}

/** A whole number. */
export interface IntegerValueSchemaSpec extends ScalarValueSchemaSpec<'integer', number> {}

/** `true` or `false`. */
export interface BooleanValueSchemaSpec extends ScalarValueSchemaSpec<'boolean', boolean> {}

/** `null`. */
export interface NullValueSchemaSpec extends ScalarValueSchemaSpec<'null', null> {}

/** A list; without `items`, of any lossless JSON. */
export interface ArrayValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'array';
  readonly items?: ValueSchemaSpec;
}

/** A record. Whether it may hold undeclared properties has to be said. */
export interface ObjectValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'object';
  readonly properties?: ParameterSchemaSpec;
  readonly additionalProperties: boolean;
}

/** Any lossless JSON. */
export interface JsonValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'json';
}

/** Exactly one of at least two alternatives. */
export interface OneOfValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type?: never;
  readonly oneOf: readonly [ValueSchemaSpec, ValueSchemaSpec, ...ValueSchemaSpec[]];
}

/**
 * A value, as a tool's author describes it. It compiles to the raw subset and to a TypeScript type.
 *
 * @example
 * const rows = { type: 'array', items: { type: 'object', additionalProperties: false, properties: {
 *   id: { type: 'integer', required: true },
 *   note: { type: 'string' },
 * } } } as const satisfies ValueSchemaSpec;
 */
export type ValueSchemaSpec =
  | StringValueSchemaSpec
  | NumberValueSchemaSpec
  | IntegerValueSchemaSpec
  | BooleanValueSchemaSpec
  | NullValueSchemaSpec
  | ArrayValueSchemaSpec
  | ObjectValueSchemaSpec
  | JsonValueSchemaSpec
  | OneOfValueSchemaSpec;

/** A property: a value that may be required. */
export type ParameterPropertySpec = ValueSchemaSpec & { readonly required?: true };

/** Properties by name: the parameters of a tool, or what an object holds. */
export interface ParameterSchemaSpec {
  readonly [key: string]: ParameterPropertySpec;
  readonly [key: symbol]: never;
}
