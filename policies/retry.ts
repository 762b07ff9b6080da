import { setTimeout as delay } from 'node:timers/promises';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../runtime/contract/result.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { functionOption, knownOptions, positiveInteger, timerMs } from '../runtime/core/options.js';

/** What can be set of `retry`. */
export interface RetryOptions {
  /** Attempts in all, the first included. @default 3 */
  readonly attempts?: number;
  /** Pause before the second attempt, ms; it doubles with each further one. @default 200 */
  readonly backoffMs?: number;
  /** Longest pause, ms. @default 5000 */
  readonly maxBackoffMs?: number;
  /** Whether this failure may pass by itself. @default any failure that has no code of the library */
  readonly isTransient?: (failure: ToolExecutionFailure, exec: Readonly<ToolExecution>) => boolean;
  /** Waits; rejects when the signal aborts. @default a timer */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Repeats calls that failed, where repeating is harmless.
 *
 * Hook: one `tools/execute` wrapper. Default: three attempts, only for tools that are declared idempotent or read-only, and
 * only for failures that are not the library's own (a refused argument stays refused). Never after an abort. Registered
 * after a timeout policy it stands inside it, and the deadline bounds the whole operation; registered before, each attempt
 * has its own.
 *
 * What it does not do: it never repeats a tool that does not say it may be, and it repeats no denial.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = retry(tools, { attempts: 5 });
 */
export function retry(tools: ToolsService, options: RetryOptions = {}): Disposer {
  knownOptions('retry', options, ['attempts', 'backoffMs', 'maxBackoffMs', 'isTransient', 'pause']);
  const attempts = positiveInteger('attempts', options.attempts ?? 3);
  const backoffMs = timerMs('backoffMs', options.backoffMs ?? 200);
  const maxBackoffMs = timerMs('maxBackoffMs', options.maxBackoffMs ?? 5000);
  const isTransient = functionOption('isTransient', options.isTransient ?? hasNoCode);
  const pause = functionOption('pause', options.pause ?? timerPause);
  return tools.on('tools/execute', async (exec, next) => {
    const { idempotent, readOnly } = tools.registration(exec.name, exec.agent) ?? {};
    let result: ToolExecutionResult = await next();
    if (idempotent !== true && readOnly !== true) return result;
    for (let attempt = 1; attempt < attempts && result.isError; attempt += 1) {
      if (exec.signal.aborted || !isTransient(result, exec)) return result;
      try {
        await pause(Math.min(backoffMs * 2 ** (attempt - 1), maxBackoffMs), exec.signal);
      } catch {
        return result;
      }
      if (exec.signal.aborted) return result;
      result = await next();
    }
    return result;
  });
}

function hasNoCode({ error }: ToolExecutionFailure): boolean {
  return error.info === undefined;
}

function timerPause(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}
