import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolRunContext } from '../../runtime/contract/execution.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { nonEmptyString, positiveFinite } from '../../runtime/core/options.js';
import { foreignTool } from '../foreign-tool/foreign-tool.js';
import { type JsonSchemaConverter, readSchema } from '../foreign-tool/read-schema.js';
import type { StandardInput, StandardOutput, StandardSchema } from '../foreign-tool/standard-schema.js';

/** A tool whose schemas come from a library that keeps to Standard Schema, such as zod, valibot or arktype. */
export interface StandardToolSpec<I extends StandardSchema, O extends StandardSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: I;
  /** @default any JSON value */
  readonly output?: O;
  /** Gets what the input schema made of the arguments; settles after its own work is quiet. */
  execute(args: StandardOutput<I>, exec: ToolRunContext): Promise<StandardInput<O>>;
  /** Pure: what a model reads of a value. @default the text itself, or indented JSON */
  readonly render?: (args: unknown, value: JsonValue) => readonly ContentBlock[];
  /** Cooperative budget in milliseconds, positive and finite. */
  readonly timeoutMs?: number;
  /** Only an exact `true` lets a call overlap with others. It sees the arguments as they were sent. */
  readonly isConcurrencySafe?: (args: unknown) => boolean;
  /** Asked for the JSON Schema where the library gives none. */
  readonly toJsonSchema?: JsonSchemaConverter;
}

/**
 * Makes a definition of a tool with Standard Schema types: arguments and value are inferred and validated by the library.
 *
 * A schema without a JSON Schema makes a tool that refuses each call with the reason.
 *
 * @throws {TypeError} when the name is empty or `timeoutMs` is not positive and finite
 * @example
 * tools.register(
 *   standardTool({
 *     name: 'add',
 *     description: 'Adds two numbers.',
 *     input: z.object({ a: z.number(), b: z.number() }),
 *     output: z.number(),
 *     execute: async ({ a, b }) => a + b,
 *   }),
 * );
 */
export function standardTool<I extends StandardSchema, O extends StandardSchema = StandardSchema>(
  spec: StandardToolSpec<I, O>,
): ToolDefinition {
  const { input, output = {}, toJsonSchema, execute, render, timeoutMs, isConcurrencySafe } = spec;
  const name = nonEmptyString('name', spec.name);
  return foreignTool({
    name,
    description: spec.description,
    input: readSchema(input, 'input', toJsonSchema),
    output: readSchema(output, 'output', toJsonSchema),
    render,
    ...(timeoutMs === undefined ? {} : { timeoutMs: positiveFinite(`${name}.timeoutMs`, timeoutMs) }),
    ...(isConcurrencySafe === undefined ? {} : { isConcurrencySafe }),
    execute: (args, exec) => execute.call(spec, args as StandardOutput<I>, exec),
  });
}
