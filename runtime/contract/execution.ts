import type { ToolCallId, ToolExecutionToken } from '../core/ids.js';
import type { UserMessage } from './content.js';
import type { ToolDefinition, ToolSchema } from './definition.js';
import type { ToolExecutionResult } from './result.js';
import type { Agent, ResolvedToolSet } from './scope.js';

export type { ToolCallId, ToolExecutionToken };

/** Where in a program's own text a sub-call was made; both count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** A call that a program has made and that waits for its start. */
export interface QueuedToolCall {
  readonly callId: ToolCallId;
  readonly rootCallId: ToolCallId;
  readonly name: string;
  /** Lossless JSON; not to be changed. */
  readonly arguments: unknown;
  readonly position?: SourcePosition | undefined;
}

/** What the selected executor says about the presentation of a call. Set by the built-in executors only. */
export interface ToolDispatch {
  /** The definition that answers to the transport name. */
  readonly definition?: ToolDefinition;
  /** `transport-only`: a call without `parent` that names another visible tool is refused before policy. */
  readonly direct: 'any' | 'transport-only';
  /** Called when an approver is asked; what it returns is called once the question is answered. Must not throw. */
  readonly onApproval?: (() => () => void) | undefined;
  /** What waits in the same lane at this moment, in the order of the calls, e.g. for somebody who is asked about this one. */
  readonly queued?: (() => readonly QueuedToolCall[]) | undefined;
}

/** One call as it is handed to the pipeline. Every field is read exactly once. */
export interface ToolExecutionInput {
  readonly callId: ToolCallId;
  /** @default callId */
  readonly rootCallId?: ToolCallId | undefined;
  readonly name: string;
  /** The schema a program was given when it was bound; carried, never logged. */
  readonly schema?: ToolSchema | undefined;
  readonly arguments: unknown;
  readonly agent?: Agent | undefined;
  readonly toolSet?: ResolvedToolSet | undefined;
  readonly dispatch?: ToolDispatch | undefined;
  /** The token of the execution that made this call. */
  readonly parent?: ToolExecutionToken | undefined;
  /** Where in the program the call was made. */
  readonly position?: SourcePosition | undefined;
  readonly signal: AbortSignal;
}

/** A call inside the pipeline: the input with its identity. */
export interface ToolExecution extends ToolExecutionInput {
  readonly rootCallId: ToolCallId;
  readonly token: ToolExecutionToken;
}

/** What a `tools/execute` wrapper sees: the signal may be replaced, never removed. */
export interface ToolDispatchExecution extends Omit<ToolExecution, 'signal'> {
  signal: AbortSignal;
}

/** What a tool's body sees. */
export interface ToolRunContext extends ToolExecution {
  /** Attaches a message that the host appends after this call's result. */
  deferContext(context: UserMessage): void;
  /** Asks the host to end the turn once this call has succeeded. */
  concludeTurn(): void;
}

/**
 * One call in three separately awaited parts, for an executor that orders them.
 *
 * The input is read and the arguments are taken when the call is staged. The parts run once each, in this order; each waits
 * for the one before to settle, and entering one out of order is the only thing that fails. A call that is finished
 * without having been dispatched counts as aborted before dispatch.
 */
export interface StagedToolCall {
  readonly execution: ToolExecution;
  /** `prepare`, without a promise where nothing has to be waited for. */
  start(): boolean | Promise<boolean>;
  /** `finish`, without a promise where nothing has to be waited for. */
  end(): ToolExecutionResult | Promise<ToolExecutionResult>;
  /** `dispatch`, with a callback in place of the promise: called exactly once, at once where nothing has to be waited for. */
  launch(settled: () => void): void;
  /** Policy, approval, guards. Resolves `true` when a body is to be launched. */
  prepare(): Promise<boolean>;
  /** Around-dispatch and the body. Does nothing when `prepare` did not say `true`. */
  dispatch(): Promise<void>;
  /** Post-execute, final content, observers: the one result. */
  finish(): Promise<ToolExecutionResult>;
}

/** The one way from a call to a result, shared by direct calls and the calls of programs. */
export interface ToolExecutionPipeline {
  /** Never rejects for a tool, listener, guard, approval, projector or finalizer failure: the failure is the result. */
  execute(input: ToolExecutionInput): Promise<ToolExecutionResult>;
  /** The same call in parts. */
  stage(input: ToolExecutionInput): StagedToolCall;
}
