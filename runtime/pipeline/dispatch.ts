import type { ToolDispatchExecution } from '../contract/execution.js';
import type { ToolExecutionResult } from '../contract/result.js';
import { runWaterfall, type WaterfallListener } from '../core/waterfall.js';
import { launchBody } from './body.js';
import type { Call } from './call.js';
import { lendSignal, restoreSignal } from './call-execution.js';
import { cancelledIfAborted } from './cancellation.js';
import { normaliseResult, recordCanonical } from './normalise.js';
import { withContexts } from './outcome.js';

/** A listener of `tools/execute`. */
export type Wrapper = WaterfallListener<[ToolDispatchExecution], ToolExecutionResult>;

/**
 * Runs the body inside its wrappers.
 *
 * @param wrappers at least one, outermost first
 * @returns canonical
 * @throws whatever a wrapper throws or rejects with; contexts of the body are lost with it
 */
export async function runWrapped(call: Call, wrappers: readonly Wrapper[]): Promise<ToolExecutionResult> {
  const lent = lendSignal(call.execution);
  const innermost = () =>
    new Promise<ToolExecutionResult>((resolve) => {
      launchBody(call, lent.signal, (result) => resolve(recordCanonical(call, result)));
    });
  try {
    // Each level is normalised, so that an outer wrapper never sees what an inner one made up.
    return await runWaterfall(wrappers, [lent], innermost, (raw) => normaliseResult(call, raw));
  } finally {
    restoreSignal(call.execution);
  }
}

/** What comes out of the dispatch for post-execute: with the body's contexts in front of the wrappers'. */
export function dispatched(call: Call, result: ToolExecutionResult): ToolExecutionResult {
  return cancelledIfAborted(
    call,
    call.deferred.length === 0
      ? result
      : withContexts(result, [...call.deferred, ...(result.additionalContexts ?? [])]),
  );
}
