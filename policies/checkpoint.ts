import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { AbortError } from '../runtime/core/errors.js';
import { attachedTo } from './attached-to.js';
import { awaitInPolicy } from './in-policy.js';
import { untilAborted } from './until-aborted.js';

/**
 * Makes the session's log safe before a direct call's body runs, so that a crash never hides a call that may have acted.
 *
 * Hook: one `tools/execute` wrapper. Default: it flushes for every direct call of an agent whose session can flush; the
 * sub-calls of a program are covered by their program and skip it. A call that is aborted during the flush ends as
 * ABORTED_BEFORE_DISPATCH; a flush that fails, fails the call, and the body does not run.
 *
 * What it does not do: it repairs nothing after a crash; `recoverUnknownOutcomes` does.
 *
 * @returns removes the policy
 * @throws {TypeError} when it is given anything beside the service: it has no options
 * @example
 * const dispose = checkpoint(tools);
 */
export function checkpoint(tools: ToolsService, ...extra: readonly never[]): Disposer {
  attachedTo('checkpoint', tools, extra);
  return tools.on(
    'tools/execute',
    async (exec, next) => {
      if (exec.parent !== undefined || exec.agent === undefined) return next();
      await flush(exec.agent, exec.signal);
      return next();
    },
    { prepend: true },
  );
}

async function flush({ session }: Agent, signal: AbortSignal): Promise<void> {
  if (session?.flush === undefined) return;
  const aborted = (): AbortError =>
    new AbortError('ABORTED_BEFORE_DISPATCH', 'The call was aborted while its session was being saved', {
      cause: signal.reason,
    });
  await untilAborted(
    awaitInPolicy('checkpoint', () => session.flush?.()),
    signal,
    aborted,
  );
}
