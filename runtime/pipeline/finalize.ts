import type { ToolExecutionResult } from '../contract/result.js';
import { errorMessage } from '../core/error-text.js';
import { notifyObservers } from '../core/observers.js';
import type { Call } from './call.js';
import { runHook } from './captured-hooks.js';
import { failureOf, withContent } from './outcome.js';
import { report } from './report.js';

/**
 * The tool's last word on content, then the observers. Total.
 *
 * @returns deep-frozen: the very object that the observers got
 */
export function finalize(call: Call, candidate: ToolExecutionResult): ToolExecutionResult {
  const { host, execution } = call;
  const result = finalContent(call, candidate);
  try {
    const observers = host.listeners('tools/result', execution.agent);
    if (observers.length === 0) return result;
    notifyObservers(observers, [execution, result], (message, cause) => report(host, message, cause));
  } catch (cause) {
    report(host, `Cannot list the observers of "${execution.name}": ${errorMessage(cause)}`, cause);
  }
  return result;
}

function finalContent(call: Call, candidate: ToolExecutionResult): ToolExecutionResult {
  const { hooks, execution } = call;
  if (hooks.finalizeContent === undefined) return candidate;
  try {
    const content = runHook(hooks, hooks.finalizeContent, execution, candidate);
    if (content === undefined) return candidate;
    return withContent(candidate, content, `the final content of "${execution.name}"`);
  } catch (error) {
    return failureOf(error);
  }
}
