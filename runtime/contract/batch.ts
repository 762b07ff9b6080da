import type { UserMessage } from './content.js';
import type { ToolCallId } from './execution.js';
import type { ToolExecutionResult } from './result.js';
import type { Agent, ResolvedToolSet } from './scope.js';

/** One call as a model wrote it: `arguments` is raw JSON text. */
export interface ToolCallBlock {
  readonly callId: ToolCallId;
  readonly name: string;
  readonly arguments: string;
}

/** The calls of one model message. */
export interface ToolBatchInput {
  readonly calls: readonly ToolCallBlock[];
  readonly signal: AbortSignal;
  /** Overlap cap of this batch's root calls; a positive integer. Overrides the executor's. */
  readonly maxParallelToolCalls?: number | undefined;
  readonly agent?: Agent | undefined;
  readonly toolSet?: ResolvedToolSet | undefined;
  /** Records `tool/call` and `tool/result` in the agent's session; requires `agent`. */
  readonly log?: { readonly turn: number; readonly step: number } | undefined;
}

/** One call's outcome with its id. */
export interface ToolCallResult {
  readonly callId: ToolCallId;
  readonly result: ToolExecutionResult;
}

/** What a settled batch hands back. */
export interface ToolBatchResult {
  /** One per input call, in input order. */
  readonly results: readonly ToolCallResult[];
  /** To be appended after all results, in this order. */
  readonly additionalContexts: readonly UserMessage[];
  /** A committed success asked to end the turn. */
  readonly concluded: boolean;
}
