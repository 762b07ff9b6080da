import type { JsonValue } from '../core/json-value.js';

/**
 * What every node of the author DSL may say beside its constraints. `default` is documentation, never applied.
 *
 * @example
 * const annotations: ValueSchemaAnnotations = { description: 'Where to start', default: 1, examples: [1, 10] };
 */
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

/**
 * A text.
 *
 * @example
 * const mode: StringValueSchemaSpec = { type: 'string', enum: ['fast', 'safe'] };
 */
export interface StringValueSchemaSpec extends ScalarValueSchemaSpec<'string', string> {}

/**
 * A finite number other than `-0`.
 *
 * @example
 * const ratio: NumberValueSchemaSpec = { type: 'number', description: '0 to 1' };
 */
export interface NumberValueSchemaSpec extends ScalarValueSchemaSpec<'number', number> {}

/**
 * A whole number.
 *
 * @example
 * const version: IntegerValueSchemaSpec = { type: 'integer', const: 2 };
 */
export interface IntegerValueSchemaSpec extends ScalarValueSchemaSpec<'integer', number> {}

/**
 * `true` or `false`.
 *
 * @example
 * const force: BooleanValueSchemaSpec = { type: 'boolean' };
 */
export interface BooleanValueSchemaSpec extends ScalarValueSchemaSpec<'boolean', boolean> {}

/**
 * `null`.
 *
 * @example
 * const nothing: NullValueSchemaSpec = { type: 'null' };
 */
export interface NullValueSchemaSpec extends ScalarValueSchemaSpec<'null', null> {}

/**
 * A list; without `items`, of any lossless JSON.
 *
 * @example
 * const tags: ArrayValueSchemaSpec = { type: 'array', items: { type: 'string' } };
 */
export interface ArrayValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'array';
  readonly items?: ValueSchemaSpec;
}

/**
 * A record. Whether it may hold undeclared properties has to be said.
 *
 * @example
 * const point: ObjectValueSchemaSpec = {
 *   type: 'object',
 *   properties: { x: { type: 'number', required: true }, label: { type: 'string' } },
 *   additionalProperties: false,
 * };
 */
export interface ObjectValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'object';
  readonly properties?: ParameterSchemaSpec;
  readonly additionalProperties: boolean;
}

/**
 * Any lossless JSON.
 *
 * @example
 * const anything: JsonValueSchemaSpec = { type: 'json' };
 */
export interface JsonValueSchemaSpec extends ValueSchemaAnnotations {
  readonly type: 'json';
}

/**
 * Exactly one of at least two alternatives.
 *
 * @example
 * const maybe: OneOfValueSchemaSpec = { oneOf: [{ type: 'string' }, { type: 'null' }] };
 */
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

/**
 * A property: a value that may be required.
 *
 * @example
 * const path: ParameterPropertySpec = { type: 'string', required: true };
 */
export type ParameterPropertySpec = ValueSchemaSpec & { readonly required?: true };

/**
 * Properties by name: the parameters of a tool, or what an object holds.
 *
 * @example
 * const parameters: ParameterSchemaSpec = { path: { type: 'string', required: true }, line: { type: 'integer' } };
 */
export interface ParameterSchemaSpec {
  readonly [key: string]: ParameterPropertySpec;
  readonly [key: symbol]: never;
}
