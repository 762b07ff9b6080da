import type { DurableEvents } from '../contract/events.js';
import type { ToolExecutionResult } from '../contract/result.js';

/** What a durable event keeps of a result. */
export type DurableOutcome = Pick<DurableEvents['tool/result'], 'content' | 'isError' | 'error' | 'meta'>;

/**
 * The durable part of a result: content, the identity of the failure with its user-facing reason, and meta.
 *
 * The canonical value is never part of it, so a replay rebuilds what was shown and nothing else.
 *
 * @example
 * session.append('tool/result', { turn, step, callId, callSeq, ...durableOutcome(result) });
 */
export function durableOutcome(result: ToolExecutionResult): DurableOutcome {
  const { content, isError, error, meta } = result;
  return {
    content,
    isError,
    ...(error?.info !== undefined && { error: error.info }),
    ...(meta !== undefined && { meta }),
  };
}
