import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { type AbortCode, AbortError } from '../core/errors.js';
import type { Call } from './call.js';
import { failureOf, withContexts } from './outcome.js';

const MESSAGES: Readonly<Record<AbortCode, string>> = {
  ABORTED_BEFORE_DISPATCH: 'The call was aborted before the tool started',
  ABORTED: 'The call was aborted after the tool had started',
};

/**
 * The one result of a call that its caller gave up.
 *
 * @returns deep-frozen
 * @example
 * cancellation('ABORTED').error.info // { name: 'AbortError', code: 'ABORTED' }
 */
export function cancellation(code: AbortCode): ToolExecutionFailure {
  return failureOf(new AbortError(code, MESSAGES[code]));
}

/**
 * Replaces a success by a cancellation once the caller has aborted; contexts stay, and any failure is more specific.
 */
export function cancelledIfAborted(call: Call, result: ToolExecutionResult): ToolExecutionResult {
  if (result.isError || !call.signal.aborted) return result;
  const cancelled = cancellation(call.bodyInvoked ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH');
  return withContexts(cancelled, result.additionalContexts ?? []);
}
