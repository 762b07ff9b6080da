import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolExecutionToken, ToolRunContext } from '../../runtime/contract/execution.js';
import { canonical } from '../foreign-tool/canonical.js';
import { foreignTool } from '../foreign-tool/foreign-tool.js';
import type { ForeignCheck, JsonSchemaConverter, SchemaReading } from '../foreign-tool/read-schema.js';
import type { AiSdkExecutionOptions, AiSdkTool, CallableAiSdkTool } from './ai-sdk-types.js';
import { outputContent } from './model-output.js';
import { readAiSdkSchema } from './read-ai-sdk-schema.js';

/** How an AI SDK tool is imported. */
export interface ImportAiSdkToolOptions {
  /** The tool's calls may overlap with others. @default false */
  readonly isConcurrencySafe?: boolean | undefined;
  /** The conversation that the tool is told of. @default none */
  readonly messages?: (() => readonly object[]) | undefined;
  /** Handed to the tool as `experimental_context`. */
  readonly context?: unknown;
  /** Told of what a tool yields before its last value; what it throws fails the call. */
  readonly onPreliminary?: ((exec: ToolRunContext, value: unknown) => void) | undefined;
  /** Asked for the JSON Schema where a schema's library gives none. */
  readonly toJsonSchema?: JsonSchemaConverter | undefined;
}

/**
 * Makes a definition of an AI SDK tool.
 *
 * `toModelOutput` decides what a model reads, the last value of a generator is the value. A tool that runs elsewhere, at
 * the provider or in a browser, and one whose schema cannot be used make a definition that refuses each call with the
 * reason. `needsApproval` is not part of a definition: see `registerAiSdkTools`.
 *
 * @example
 * tools.register(await importAiSdkTool('weather', weather));
 */
export async function importAiSdkTool(
  name: string,
  tool: AiSdkTool,
  options: ImportAiSdkToolOptions = {},
): Promise<ToolDefinition> {
  return (await readAiSdkTool(name, tool, options)).definition;
}

/** The same with the tool's own check of its input, where it has one. */
export async function readAiSdkTool(
  name: string,
  tool: AiSdkTool,
  options: ImportAiSdkToolOptions,
): Promise<{ readonly definition: ToolDefinition; readonly check: ForeignCheck | undefined }> {
  const { isConcurrencySafe = false, onPreliminary, toJsonSchema } = options;
  const elsewhere = whereElse(tool);
  const input: SchemaReading =
    elsewhere === undefined
      ? await readAiSdkSchema(tool.inputSchema, 'input', toJsonSchema)
      : { refusal: elsewhere };
  const output: SchemaReading =
    tool.outputSchema === undefined
      ? { schema: {} }
      : await readAiSdkSchema(tool.outputSchema, 'output', toJsonSchema);
  const callable = tool as unknown as CallableAiSdkTool;
  const contents = new Map<ToolExecutionToken, readonly ContentBlock[]>();
  const definition = foreignTool({
    name,
    description: tool.description ?? '',
    input,
    output,
    ...(isConcurrencySafe ? { isConcurrencySafe: () => true } : {}),
    async execute(args, exec) {
      const value = await lastValue(callable.execute(args, executionOptions(exec, options)), (preliminary) =>
        onPreliminary?.(exec, preliminary),
      );
      if (callable.toModelOutput !== undefined) {
        const shown = { toolCallId: exec.callId, input: args, output: canonical(value) };
        contents.set(exec.token, outputContent(await callable.toModelOutput(shown)));
      }
      return value;
    },
    projectContent: (exec, result) => (result.isError ? undefined : contents.get(exec.token)),
    finalizeContent(exec) {
      contents.delete(exec.token);
      return undefined;
    },
  });
  return { definition, check: 'check' in input ? input.check : undefined };
}

/** What the AI SDK would hand to a tool with this call. */
export function executionOptions(
  exec: Pick<ToolRunContext, 'callId' | 'signal'>,
  { messages, context }: ImportAiSdkToolOptions,
): AiSdkExecutionOptions {
  return {
    toolCallId: exec.callId,
    messages: [...(messages?.() ?? [])] as never[],
    abortSignal: exec.signal,
    ...(context === undefined ? {} : { experimental_context: context }),
  };
}

function whereElse(tool: AiSdkTool): string | undefined {
  if (tool.type?.startsWith('provider')) return 'its provider carries it out, not the host';
  return typeof tool.execute === 'function' ? undefined : 'it has no "execute" and is carried out elsewhere';
}

/** A tool may return a value, a promise, or a series whose last member is the value. */
async function lastValue(returned: unknown, onPreliminary: (value: unknown) => void): Promise<unknown> {
  const settled: unknown = await returned;
  if (!isSeries(settled)) return settled;
  let held: { readonly value: unknown } | undefined;
  for await (const value of settled) {
    if (held !== undefined) onPreliminary(held.value);
    held = { value };
  }
  return held?.value;
}

function isSeries(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] ===
    'function'
  );
}
