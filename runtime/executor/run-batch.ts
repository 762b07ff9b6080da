import type { ToolBatchInput, ToolBatchResult, ToolCallResult } from '../contract/batch.js';
import type { UserMessage } from '../contract/content.js';
import type { ToolDispatch } from '../contract/execution.js';
import type { ToolExecutorHost } from '../contract/executor.js';
import { positiveInteger } from '../core/options.js';
import { sharedSignal } from '../core/shared-signal.js';
import { ToolBatchExecutionError } from './batch-error.js';
import { BatchLog } from './batch-log.js';
import { checkBatch } from './check-batch.js';
import { modeHost } from './mode-host.js';
import { RootCall } from './root-call.js';
import type { ScheduledEntry } from './scheduled-entry.js';
import { Scheduler } from './scheduler.js';

/** What an executor adds to a batch. */
export interface BatchPlan {
  /** Overlap cap where the batch names none. */
  readonly maxParallel: number;
  /** Goes with every call to the pipeline. */
  readonly dispatch: ToolDispatch;
}

/**
 * Carries out the calls of one model message through the pipeline.
 *
 * Starts and commits follow the order of the calls; concurrency-safe ones overlap. An abort lets nothing more start: what
 * has started is drained and committed, and the rest is recorded as aborted before dispatch. Never settles while started
 * work runs.
 *
 * @returns one result per call, in their order, aborted ones included
 * @throws {TypeError} before anything starts, when the batch is malformed, `log` comes without `agent` or the cap is no
 *   positive integer
 * @throws {ToolBatchExecutionError} when the batch's own work failed
 */
export async function runBatch(
  input: ToolBatchInput,
  host: ToolExecutorHost,
  plan: BatchPlan,
): Promise<ToolBatchResult> {
  checkBatch(input);
  const { calls, signal, maxParallelToolCalls = plan.maxParallel } = input;
  const maxParallel = positiveInteger('maxParallelToolCalls', maxParallelToolCalls);
  const results = new Array<ToolCallResult | undefined>(calls.length);
  const contexts: UserMessage[] = [];
  let concluded = false;
  const context = {
    input,
    host,
    modes: modeHost(host),
    dispatch: plan.dispatch,
    log: new BatchLog(input),
    committed(index: number, committed: ToolCallResult) {
      results[index] = committed;
      contexts.push(...(committed.result.additionalContexts ?? []));
      concluded ||= committed.result.concludesTurn === true;
    },
  };
  const scheduler = new Scheduler({ maxParallel, commitOrder: 'submission' });
  const skipped: ScheduledEntry[] = [];
  const onAbort = () => {
    skipped.push(...scheduler.stop());
  };
  sharedSignal(signal).addEventListener('abort', onAbort);
  try {
    if (signal.aborted) onAbort();
    for (const [index, block] of calls.entries()) {
      const call = new RootCall(context, block, index);
      if (scheduler.submit(call) === undefined && signal.aborted) skipped.push(call);
    }
    await scheduler.idle();
    for (const call of skipped) (call as RootCall).skip();
  } catch (error) {
    const committed = results.filter((result) => result !== undefined);
    throw new ToolBatchExecutionError(committed, contexts, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return { results: results as ToolCallResult[], additionalContexts: contexts, concluded };
}
