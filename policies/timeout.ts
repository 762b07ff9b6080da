import type { ToolExecutionFailure } from '../runtime/contract/result.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { ToolTimeoutError } from '../runtime/core/errors.js';

/**
 * Ends calls of tools that declare `timeoutMs` when that time is over.
 *
 * Hook: one `tools/execute` wrapper. Default: a tool without `timeoutMs` has no deadline and its signal is untouched.
 * The deadline is cooperative: it aborts the call's signal with a reason of its own and waits until the tool has settled.
 * Only a call whose own deadline fired becomes `TOOL_TIMEOUT`; a caller that aborted first keeps its abort. Registered
 * outside a retry wrapper it bounds the whole operation, inside it each attempt.
 *
 * What it does not do: it gives no tool a budget that declares none, and it cannot stop a tool that ignores its signal.
 *
 * @returns removes the policy
 * @example
 * const dispose = toolTimeout(tools);
 */
export function toolTimeout(tools: ToolsService): Disposer {
  return tools.on('tools/execute', async (exec, next) => {
    const timeoutMs = tools.executable(exec.name, exec.agent, exec.toolSet)?.timeoutMs;
    if (timeoutMs === undefined) return next();
    const caller = exec.signal;
    const deadline = new AbortController();
    const expired = new ToolTimeoutError(`Tool "${exec.name}" did not finish within ${timeoutMs} ms`);
    const timer = setTimeout(() => deadline.abort(expired), timeoutMs);
    const fused = AbortSignal.any([caller, deadline.signal]);
    exec.signal = fused;
    try {
      const result = await next();
      return fused.reason === expired ? timedOut(expired) : result;
    } finally {
      clearTimeout(timer);
      exec.signal = caller;
    }
  });
}

function timedOut(error: ToolTimeoutError): ToolExecutionFailure {
  return {
    isError: true,
    error: { message: error.message, info: { name: error.name, code: error.code } },
    content: [{ type: 'text', text: `Error: ${error.message}` }],
  };
}
