import type { ToolExecutionResult } from '../contract/result.js';
import { fuseSignals } from '../core/deadline.js';
import { type Call, resolveDefinition } from './call.js';
import { cancellation } from './cancellation.js';
import { failureOf } from './outcome.js';
import { openRunScope } from './run-context.js';
import { buildSuccess } from './success.js';
import { unknownTool } from './unknown-tool.js';

/**
 * The innermost stage: resolves the tool again, runs its body and makes the canonical result. Never rejects.
 *
 * A body that has started is waited for, even one that ignores its signal. A wrapper that may repeat runs it again: then
 * only what the last attempt deferred and concluded counts.
 *
 * @param wrapperSignal the caller's own, or what a wrapper put in its place; it is listened to and never aborted
 * @returns deep-frozen
 */
export async function runBody(call: Call, wrapperSignal: AbortSignal): Promise<ToolExecutionResult> {
  const caller = call.signal;
  if (caller.aborted || wrapperSignal.aborted) {
    return cancellation(call.bodyInvoked ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH');
  }
  try {
    const definition = resolveDefinition(call.host, call.execution);
    if (definition === undefined) return failureOf(unknownTool(call.execution.name));
    const fused = fuseSignals(caller, wrapperSignal);
    const scope = openRunScope(call, fused.signal);
    if (call.bodyInvoked) {
      call.deferred = [];
      call.concludesTurn = false;
    }
    call.bodyInvoked = true;
    let value: unknown;
    try {
      value = await definition.execute(call.execution.arguments, scope.context);
    } finally {
      scope.close();
      fused.dispose();
    }
    const success = buildSuccess(call, definition, value);
    return fused.signal.aborted ? cancellation('ABORTED') : success;
  } catch (error) {
    return failureOf(error);
  }
}
