import type { ToolExecutionFailure, ToolExecutionResult } from '../runtime/contract/result.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { clampTimeout, MAX_TIMER_DELAY_MS, startDeadline } from '../runtime/core/deadline.js';
import { ToolTimeoutError } from '../runtime/core/errors.js';
import { attachedTo } from './attached-to.js';

/**
 * Ends calls of tools that declare `timeoutMs` when that time is over.
 *
 * Hook: one `tools/execute` wrapper. Default: a tool without `timeoutMs` has no deadline and its signal is untouched.
 * Declaring one asserts that the tool forwards its signal to work that comes to rest on abort: the deadline is cooperative,
 * it aborts the call's signal with a reason of its own and waits until the tool has settled. Only a call whose own deadline
 * fired becomes `TOOL_TIMEOUT`; a caller that aborted first keeps its abort. Registered before a retry policy it bounds the
 * whole operation, registered after it each attempt.
 *
 * What it does not do: it gives no tool a budget that declares none, and it cannot stop a tool that ignores its signal.
 *
 * @returns removes the policy
 * @throws {TypeError} when it is given anything beside the service: it has no options
 * @example
 * const dispose = toolTimeout(tools);
 */
export function toolTimeout(tools: ToolsService, ...extra: readonly never[]): Disposer {
  attachedTo('toolTimeout', tools, extra);
  return tools.on('tools/execute', async (exec, next) => {
    const declared = tools.executable(exec.name, exec.agent, exec.toolSet)?.timeoutMs;
    if (declared === undefined) return next();
    const timeoutMs = clampTimeout(declared, 0, MAX_TIMER_DELAY_MS);
    const caller = exec.signal;
    let expired: ToolTimeoutError | undefined;
    const expire = (): ToolTimeoutError => {
      expired = new ToolTimeoutError(`Tool "${exec.name}" did not finish within ${declared} ms`);
      return expired;
    };
    const deadline = startDeadline(timeoutMs, expire, caller);
    exec.signal = deadline.signal;
    // Another policy's deadline has the same code, so the reason itself has to be ours.
    const ownReason = (): ToolTimeoutError | undefined =>
      deadline.signal.reason === expired ? expired : undefined;
    try {
      const result = await next();
      const reason = ownReason();
      return reason === undefined ? result : timedOut(reason, result);
    } catch (error) {
      const reason = ownReason();
      if (reason !== undefined) return timedOut(reason);
      throw error;
    } finally {
      deadline.dispose();
      exec.signal = caller;
    }
  });
}

function timedOut(error: ToolTimeoutError, replaced?: ToolExecutionResult): ToolExecutionFailure {
  const { additionalContexts } = replaced ?? {};
  return {
    isError: true,
    error: { message: error.message, info: { name: error.name, code: error.code } },
    content: [{ type: 'text', text: `Error: ${error.message}` }],
    ...(additionalContexts === undefined ? {} : { additionalContexts }),
  };
}
