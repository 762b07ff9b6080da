import type { ContentBlock } from '../contract/content.js';
import type { ToolDefinition, ToolResult } from '../contract/definition.js';
import type { ToolRunContext } from '../contract/execution.js';
import type { ToolCallView, ToolResultView } from '../contract/views.js';
import { ToolArgsError, ToolOutputError } from '../core/errors.js';
import type { JsonValue } from '../core/json-value.js';
import { optionError, received } from '../core/option-error.js';
import { functionOption, nonEmptyString, positiveFinite } from '../core/options.js';
import { violationList } from '../core/violation-list.js';
import { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from '../schema/compile.js';
import type { ParameterSchemaSpec, ValueSchemaSpec } from '../schema/dsl.js';
import type { InferArgs, InferValue } from '../schema/infer.js';
import { schemaValidator } from '../schema/schema-validator.js';

/**
 * A tool as its author writes it: schemas in the DSL, functions typed by them.
 *
 * @example
 * const spec: ToolSpec<{}, { type: 'null' }> = {
 *   name: 'noop',
 *   description: 'Does nothing',
 *   parameters: {},
 *   output: { schema: { type: 'null' }, render: () => [] },
 *   execute: async () => null,
 * };
 */
export interface ToolSpec<P extends ParameterSchemaSpec, O extends ValueSchemaSpec> {
  readonly name: string;
  readonly description: string;
  readonly parameters: P;
  readonly output: {
    readonly schema: O;
    /** Pure and replayable: the content a model reads for this value. */
    render(args: InferArgs<P>, value: NoInfer<InferValue<O>>): readonly ContentBlock[];
    /** Pure and replayable: what a UI gets beside the content. */
    presentationMeta?(args: InferArgs<P>, value: NoInfer<InferValue<O>>): JsonValue;
  };
  /** Returns only the canonical value; observes `exec.signal`; settles after its own work is quiet. */
  execute(args: InferArgs<P>, exec: ToolRunContext): Promise<NoInfer<InferValue<O>>>;
  /** Gets the execution, not typed arguments: it also runs for a call whose arguments were refused. */
  readonly projectContent?: NonNullable<ToolDefinition['projectContent']>;
  /** Gets the execution, not typed arguments: it also runs for a call whose arguments were refused. */
  readonly finalizeContent?: NonNullable<ToolDefinition['finalizeContent']>;
  /** Cooperative budget in milliseconds, positive and finite. */
  readonly timeoutMs?: number;
  /** Pure and synchronous; only an exact `true` lets the call overlap with others. */
  isConcurrencySafe?(args: InferArgs<P>): boolean;
  /** Pure: the card of a pending call. */
  presentCall?(args: InferArgs<P>): ToolCallView | undefined;
  /** Pure: the card of a finished call. */
  presentResult?(args: InferArgs<P>, result: ToolResult): ToolResultView | undefined;
}

const OPTIONAL_FUNCTIONS = [
  'projectContent',
  'finalizeContent',
  'isConcurrencySafe',
  'presentCall',
  'presentResult',
] as const;

/**
 * Makes a definition whose functions only ever see arguments that match its parameters.
 *
 * Both schemas are compiled here, so a mistake in one fails the module that defines the tool. `execute` validates first.
 * Presenters answer `undefined` for arguments that do not match, and never throw; `isConcurrencySafe` answers `false`.
 * Optional members that the author left out are absent from the definition.
 *
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when a schema has mistakes
 * @throws {TypeError} when `timeoutMs` is not positive and finite, or a name, the output or a function is missing
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers',
 *   parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
 *   output: { schema: { type: 'number' }, render: (_, sum) => [{ type: 'text', text: String(sum) }] },
 *   execute: async ({ a, b }) => a + b,
 * });
 */
export function defineTool<const P extends ParameterSchemaSpec, const O extends ValueSchemaSpec>(
  spec: ToolSpec<P, O>,
): ToolDefinition {
  type Args = InferArgs<P>;
  type Value = InferValue<O>;
  if (typeof spec !== 'object' || spec === null) {
    throw new TypeError(`Cannot define a tool: wanted an object, received ${received(spec)}`);
  }
  const { output, isConcurrencySafe, presentCall, presentResult } = spec;
  const name = nonEmptyString('name', spec.name);
  functionOption(`${name}.execute`, spec.execute);
  for (const key of OPTIONAL_FUNCTIONS) {
    if (spec[key] !== undefined) functionOption(`${name}.${key}`, spec[key]);
  }
  if (typeof output !== 'object' || output === null) {
    throw optionError(`${name}.output`, 'an object with schema and render', output);
  }
  const { presentationMeta } = output;
  functionOption(`${name}.output.render`, output.render);
  if (presentationMeta !== undefined) functionOption(`${name}.output.presentationMeta`, presentationMeta);
  const parameters = parameterSchemaSpecToJsonSchema(spec.parameters);
  const validate = schemaValidator(parameters);
  const mismatches = (args: unknown) => validate(args, '');
  const isValid = (args: unknown): args is Args => mismatches(args).length === 0;
  const forRendering = (args: unknown): Args => {
    const violations = mismatches(args);
    if (violations.length === 0) return args as Args;
    throw new ToolOutputError(`Cannot render "${name}" for invalid arguments: ${violationList(violations)}`);
  };
  return {
    name,
    description: spec.description,
    parameters,
    output: {
      schema: valueSchemaSpecToJsonSchema(output.schema),
      render: (args, value) => output.render(forRendering(args), value as Value),
      ...(presentationMeta && {
        presentationMeta: (args, value) => presentationMeta.call(output, forRendering(args), value as Value),
      }),
    },
    execute(args, exec) {
      try {
        const violations = mismatches(args);
        if (violations.length > 0) throw new ToolArgsError(violations);
        // The author's own promise, where it is one: another around it would make every call wait longer.
        return Promise.resolve(spec.execute(args as Args, exec));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    ...(spec.projectContent && { projectContent: spec.projectContent }),
    ...(spec.finalizeContent && { finalizeContent: spec.finalizeContent }),
    ...(spec.timeoutMs !== undefined && { timeoutMs: positiveFinite(`${name}.timeoutMs`, spec.timeoutMs) }),
    ...(isConcurrencySafe && {
      isConcurrencySafe: (args) => isValid(args) && isConcurrencySafe.call(spec, args) === true,
    }),
    ...(presentCall && {
      presentCall: (args) => softly(() => (isValid(args) ? presentCall.call(spec, args) : undefined)),
    }),
    ...(presentResult && {
      presentResult: (args, result) =>
        softly(() => (isValid(args) ? presentResult.call(spec, args, result) : undefined)),
    }),
  };
}

function softly<T>(present: () => T | undefined): T | undefined {
  try {
    return present();
  } catch {
    return undefined;
  }
}
