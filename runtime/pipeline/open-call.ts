import type { ToolExecutionInput } from '../contract/execution.js';
import type { ToolExecutionFailure } from '../contract/result.js';
import { errorMessage } from '../core/error-text.js';
import { frozenSnapshot } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
import { type Call, resolveDefinition } from './call.js';
import { CallExecution, completeExecution } from './call-execution.js';
import { type CapturedHooks, captureHooks, NO_HOOKS } from './captured-hooks.js';
import type { PipelineHost } from './host.js';
import { containRejection } from './materialise.js';
import { failureOf, failureResult } from './outcome.js';

const NONE: readonly never[] = Object.freeze([]);

/**
 * Gives a call its identity: reads each field of the input once, captures the tool's callbacks, takes the arguments.
 *
 * @throws whatever a field other than `arguments` throws when it is read
 */
export function openCall(host: PipelineHost, input: ToolExecutionInput): Call {
  const execution = new CallExecution(input);
  let refusal: ToolExecutionFailure | undefined;
  let hooks: CapturedHooks = NO_HOOKS;
  try {
    hooks = captureHooks(resolveDefinition(host, execution));
  } catch (error) {
    refusal = failureOf(error);
  }
  // After the capture: a getter among the arguments may take the tool away.
  let args: JsonValue | undefined;
  try {
    const raw = input.arguments;
    args = frozenSnapshot(raw);
    if (args === undefined) {
      containRejection(raw);
      refusal = failureResult(
        `Cannot call "${execution.name}": the arguments must be losslessly serialisable as JSON`,
      );
    }
  } catch (error) {
    refusal = failureResult(errorMessage(error));
  }
  completeExecution(execution, args);
  return {
    host,
    execution,
    signal: execution.signal,
    hooks,
    refusal,
    bodyInvoked: false,
    concludesTurn: false,
    deferred: NONE,
    canonical: NONE,
  };
}
