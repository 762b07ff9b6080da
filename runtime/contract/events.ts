import type { JsonValue } from '../core/json-value.js';
import type { ContentBlock } from './content.js';
import type { PostToolDecision, PreToolDecision } from './decisions.js';
import type { SourcePosition, ToolCallId, ToolDispatchExecution, ToolExecution } from './execution.js';
import type { ToolErrorInfo, ToolExecutionResult } from './result.js';
import type { Agent } from './scope.js';

/** The durable copy of one sub-call's outcome, as the `tools/ptc-dispatch-log` waterfall sees it. */
export interface PtcDispatchLog {
  /** The outer `run_code` execution. */
  readonly exec: ToolExecution;
  readonly agent?: Agent | undefined;
  readonly subCallId: ToolCallId;
  readonly name: string;
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
}

/** Every event of the service with its listener. Waterfalls take `next` last and may short-circuit. */
export interface ToolEvents {
  'tools/change': () => void;
  'tools/pre-execute': (
    exec: ToolExecution,
    next: () => Promise<PreToolDecision>,
  ) => Promise<PreToolDecision>;
  'tools/execute': (
    exec: ToolDispatchExecution,
    next: () => Promise<ToolExecutionResult>,
  ) => Promise<ToolExecutionResult>;
  'tools/post-execute': (
    exec: ToolExecution,
    result: Readonly<ToolExecutionResult>,
    next: () => Promise<PostToolDecision>,
  ) => Promise<PostToolDecision>;
  'tools/ptc-dispatch-log': (
    dispatch: PtcDispatchLog,
    next: () => Promise<readonly ContentBlock[]>,
  ) => Promise<readonly ContentBlock[]>;
  'tools/result': (exec: Readonly<ToolExecution>, result: Readonly<ToolExecutionResult>) => void;
}

/** The name of an event. */
export type ToolEventName = keyof ToolEvents;

/** Payloads of the durable events, by type. */
export interface DurableEvents {
  'tool/call': {
    readonly turn: number;
    readonly step: number;
    readonly callId: ToolCallId;
    readonly name: string;
    /** The raw text the model sent. */
    readonly arguments: string;
  };
  'tool/result': {
    readonly turn: number;
    readonly step: number;
    readonly callId: ToolCallId;
    readonly content: readonly ContentBlock[];
    readonly isError: boolean;
    readonly error?: ToolErrorInfo;
    readonly meta?: JsonValue;
    /** The sequence number of its `tool/call`. */
    readonly callSeq: number;
  };
  'tool/ptc-dispatch-start': {
    readonly rootCallId: ToolCallId;
    readonly parentCallId: ToolCallId;
    readonly subCallId: ToolCallId;
    readonly name: string;
    readonly arguments: JsonValue;
    readonly position?: SourcePosition;
  };
  'tool/ptc-dispatch': {
    readonly rootCallId: ToolCallId;
    readonly parentCallId: ToolCallId;
    readonly subCallId: ToolCallId;
    readonly name: string;
    readonly isError: boolean;
    readonly content: readonly ContentBlock[];
    readonly error?: ToolErrorInfo;
    readonly meta?: JsonValue;
    readonly position?: SourcePosition;
  };
}
