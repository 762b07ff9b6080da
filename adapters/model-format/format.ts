import type { ToolCallBlock } from '../../runtime/contract/batch.js';
import type { UserMessage } from '../../runtime/contract/content.js';
import type { ToolSchema } from '../../runtime/contract/definition.js';
import type { ToolCallId } from '../../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../../runtime/contract/result.js';

/** Which tool names an API accepts: these letters (A-Z, a-z, 0-9 and `_` always), at most so many. */
export interface NameLimits {
  readonly maxLength: number;
  /** A `-` is accepted too. */
  readonly dashes: boolean;
}

/** One call with its outcome, under the name that the model used. */
export interface AnsweredCall {
  readonly callId: ToolCallId;
  readonly name: string;
  readonly result: ToolExecutionResult;
}

/**
 * How one model API writes tools, calls and results. Pure: a format keeps no state and sends nothing.
 *
 * Names are those of the API throughout; whoever uses a format translates them.
 */
export interface ModelFormat<Tools, Reply, Message> {
  readonly names: NameLimits;
  /** The tools of a request. */
  tools(schemas: readonly ToolSchema[]): Tools;
  /** The calls of a reply that the host has to carry out, in order. */
  calls(reply: Reply): readonly ToolCallBlock[];
  /** The reply as messages of the next request. */
  echo(reply: Reply): readonly Message[];
  /** What follows the reply: every result, and after all of them the contexts. */
  answers(calls: readonly AnsweredCall[], contexts: readonly UserMessage[]): readonly Message[];
}
