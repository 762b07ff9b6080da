import type { LocalizedText } from './decisions.js';
import type { SourcePosition, ToolCallId, ToolExecution } from './execution.js';
import type { Agent } from './scope.js';

/** A question to whoever may allow a call. It carries no arguments. */
export interface ApprovalRequest {
  readonly agent: Agent;
  readonly toolName: string;
  readonly callId: ToolCallId;
  /** The audited text. */
  readonly reason?: string;
  /** Prompt text only. */
  readonly displayReason?: LocalizedText;
  /** Where in the program the call was made. */
  readonly position?: SourcePosition;
  readonly signal: AbortSignal;
}

/** The closed set of answers; anything else is a denial. */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable' | 'deferred';

/** An answer, with a note that is appended to the denial's text. */
export type ApprovalAnswer = ApprovalOutcome | { readonly outcome: ApprovalOutcome; readonly note?: string };

/** Answers `ask` decisions. A host that wants to show arguments reads them from the execution beside the request. */
export interface ApprovalService {
  request(
    request: ApprovalRequest,
    execution?: Readonly<ToolExecution>,
  ): Promise<ApprovalAnswer> | ApprovalAnswer;
}
