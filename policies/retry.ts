import { setTimeout as delay } from 'node:timers/promises';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../runtime/contract/result.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { ToolTimeoutError } from '../runtime/core/errors.js';
import { functionOption, knownOptions, positiveInteger, timerMs } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { inPolicy } from './in-policy.js';

const TIMEOUT_CODE: ToolTimeoutError['code'] = 'TOOL_TIMEOUT';

/** What can be set of `retry`. */
export interface RetryOptions {
  /** Attempts in all, the first included. @default 3 */
  readonly attempts?: number;
  /** Pause before the second attempt, ms; it doubles with each further one. @default 200 */
  readonly backoffMs?: number;
  /** Longest pause, ms. @default 5000 */
  readonly maxBackoffMs?: number;
  /** Whether this failure may pass by itself. @default one without a code, or that of a deadline */
  readonly isTransient?: (failure: ToolExecutionFailure, exec: Readonly<ToolExecution>) => boolean;
  /** Waits; rejects when the signal aborts. @default a timer */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Repeats calls that failed, where repeating is harmless.
 *
 * Hook: one `tools/execute` wrapper that may repeat what is inside it. Default: three attempts, only for tools that are
 * registered as `idempotent` (an MCP server's hint is one), and only for failures without a code of the library, or of an
 * attempt's own deadline: a refused argument stays refused. Never after an abort. Registered after a timeout policy it stands
 * inside it, and the deadline bounds the whole operation; registered before, each attempt has its own. What a repeated
 * attempt deferred is dropped.
 *
 * What it does not do: it never repeats a tool that does not say it may be, and it repeats no denial.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = retry(tools, { attempts: 5 });
 */
export function retry(tools: ToolsService, options: RetryOptions = {}): Disposer {
  attachedTo('retry', tools);
  knownOptions('retry', options, ['attempts', 'backoffMs', 'maxBackoffMs', 'isTransient', 'pause']);
  const attempts = positiveInteger('attempts', options.attempts ?? 3);
  const backoffMs = timerMs('backoffMs', options.backoffMs ?? 200);
  const maxBackoffMs = timerMs('maxBackoffMs', options.maxBackoffMs ?? 5000);
  const isTransient = functionOption('isTransient', options.isTransient ?? mayPass);
  const pause = functionOption('pause', options.pause ?? timerPause);
  return tools.on(
    'tools/execute',
    async (exec, next) => {
      let result: ToolExecutionResult = await next();
      if (!result.isError || tools.registration(exec.name, exec.agent)?.idempotent !== true) return result;
      for (let attempt = 1; attempt < attempts && result.isError; attempt += 1) {
        const failure: ToolExecutionFailure = result;
        if (exec.signal.aborted || !inPolicy('retry', () => isTransient(failure, exec))) break;
        if (!(await waited(pause, Math.min(backoffMs * 2 ** (attempt - 1), maxBackoffMs), exec.signal)))
          break;
        result = await next();
      }
      return result;
    },
    { repeats: true },
  );
}

/** @returns whether the time is over and nobody has given up */
async function waited(
  pause: NonNullable<RetryOptions['pause']>,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await pause(ms, signal);
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    return inPolicy('retry', () => {
      throw error;
    });
  }
}

function mayPass({ error }: ToolExecutionFailure): boolean {
  return error.info === undefined || error.info.code === TIMEOUT_CODE;
}

function timerPause(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}
