import type { ToolDispatchExecution } from '../contract/execution.js';
import type { ToolExecutionResult } from '../contract/result.js';
import { runWaterfall, type WaterfallListener } from '../core/waterfall.js';
import { runBody } from './body.js';
import type { Call } from './call.js';
import { lendSignal, restoreSignal } from './call-execution.js';
import { cancelledIfAborted } from './cancellation.js';
import { normaliseResult, recordCanonical } from './normalise.js';
import { withContexts } from './outcome.js';

type Wrapper = WaterfallListener<[ToolDispatchExecution], ToolExecutionResult>;

/**
 * The wrappers around the body, and what comes out of them for post-execute.
 *
 * @returns canonical, with the body's contexts in front of the wrappers'
 * @throws whatever a wrapper throws or rejects with; contexts of the body are lost with it
 */
export async function runAround(call: Call): Promise<ToolExecutionResult> {
  const wrappers = call.host.listeners('tools/execute', call.execution.agent);
  const result = wrappers.length === 0 ? await runBody(call, call.signal) : await wrap(call, wrappers);
  return cancelledIfAborted(
    call,
    call.deferred.length === 0
      ? result
      : withContexts(result, [...call.deferred, ...(result.additionalContexts ?? [])]),
  );
}

async function wrap(call: Call, wrappers: readonly Wrapper[]): Promise<ToolExecutionResult> {
  const lent = lendSignal(call.execution);
  const innermost = async () => recordCanonical(call, await runBody(call, lent.signal));
  try {
    // Each level is normalised, so that an outer wrapper never sees what an inner one made up.
    return await runWaterfall(wrappers, [lent], innermost, (raw) => normaliseResult(call, raw));
  } finally {
    restoreSignal(call.execution);
  }
}
