import type { JsonValue } from '../core/json-value.js';
import type { JsonSchemaNode, SchemaDialect } from '../schema/json-schema.js';
import type { ContentBlock } from './content.js';
import type { ToolExecution, ToolRunContext } from './execution.js';
import type { ToolExecutionResult } from './result.js';
import type { ToolCallView, ToolResultView } from './views.js';

export type { SchemaDialect };

/** What a model is told of a tool. `parameters` is a JSON Schema object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaNode;
}

/** How a tool's canonical value is validated and shown. */
export interface ToolOutputDefinition {
  readonly schema: JsonSchemaNode;
  /** @default 'subset' */
  readonly dialect?: SchemaDialect;
  /** Pure and replayable: the content a model reads for this value. */
  render(args: unknown, value: JsonValue): readonly ContentBlock[];
  /** Pure and replayable: what a UI gets beside the content. */
  presentationMeta?(args: unknown, value: JsonValue): JsonValue;
}

/** What a presenter sees of a finished call. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly meta?: JsonValue;
}

/**
 * A tool as the registry holds it: borrowed, never cloned.
 *
 * `execute` returns only the canonical JSON value, observes `exec.signal`, and settles after its own work is quiet.
 */
export interface ToolDefinition extends ToolSchema {
  readonly output: ToolOutputDefinition;
  execute(args: unknown, exec: ToolRunContext): Promise<unknown>;
  /** Replaces the content of a normalised outcome before post-execute; `undefined` keeps it. */
  projectContent?(
    exec: Readonly<ToolExecution>,
    result: Readonly<ToolExecutionResult>,
  ): readonly ContentBlock[] | undefined;
  /** Last word on content, for every outcome; synchronous, total, must not throw; `undefined` keeps it. */
  finalizeContent?(
    exec: Readonly<ToolExecution>,
    result: Readonly<ToolExecutionResult>,
  ): readonly ContentBlock[] | undefined;
  /** Cooperative budget in milliseconds, positive and finite, read by the timeout policy; never shown to a model. */
  readonly timeoutMs?: number;
  /** Pure and synchronous; only an exact `true` lets the call overlap with others. */
  isConcurrencySafe?(args: unknown): boolean;
  /** Pure: the card of a pending call. */
  presentCall?(args: unknown): ToolCallView | undefined;
  /** Pure: the card of a finished call. */
  presentResult?(args: unknown, result: ToolResult): ToolResultView | undefined;
}
