import type { JsonValue } from '../core/json-value.js';
import type { ContentBlock, UserMessage } from './content.js';

/** Durable identity of a failure. */
export interface ToolErrorInfo {
  readonly name: string;
  readonly code: string;
  /** User-facing detail: durable, never in the content a model reads. */
  readonly reason?: string;
}

/** Why a call failed. `message` has no "Error: " prefix. */
export interface ToolFailure {
  readonly message: string;
  readonly info?: ToolErrorInfo;
}

/** A call that succeeded; deep-frozen. */
export interface ToolExecutionSuccess {
  readonly isError: false;
  readonly value: JsonValue;
  readonly content: readonly ContentBlock[];
  readonly meta?: JsonValue;
  readonly additionalContexts?: readonly UserMessage[];
  readonly concludesTurn?: true;
  readonly error?: never;
}

/** A call that failed; deep-frozen. */
export interface ToolExecutionFailure {
  readonly isError: true;
  readonly error: ToolFailure;
  readonly content: readonly ContentBlock[];
  readonly meta?: JsonValue;
  readonly additionalContexts?: readonly UserMessage[];
  readonly value?: never;
  readonly concludesTurn?: never;
}

/** Exactly one per call. It carries the outcome only; identity stays on the execution. */
export type ToolExecutionResult = ToolExecutionSuccess | ToolExecutionFailure;
