import type { CodeRunFailure } from '../contract/code-runtime.js';

// What a model reads of an end that either the sandbox notices or the host has to.

/**
 * The failure of a program that computed too long.
 *
 * @param computeMs the budget, ms
 * @param usedMs ms, where it is known
 * @example
 * computeFailure(10_000, 10_018).budget // 'compute'
 */
export function computeFailure(computeMs: number, usedMs?: number): CodeRunFailure {
  return {
    kind: 'timeout',
    budget: 'compute',
    limit: computeMs,
    ...(usedMs !== undefined && { used: Math.round(usedMs) }),
    message: `The program was busy for longer than its compute budget of ${computeMs} ms`,
  };
}

/**
 * The failure of a program that took too long by the clock.
 *
 * @param wallMs the budget, ms
 * @example
 * wallFailure(120_000).budget // 'wall'
 */
export function wallFailure(wallMs: number): CodeRunFailure {
  return {
    kind: 'timeout',
    budget: 'wall',
    limit: wallMs,
    message: `The program did not end within its wall budget of ${wallMs} ms`,
  };
}

/**
 * The failure of a program that needed more memory than it may have.
 *
 * @param memoryMb the limit, MiB
 * @example
 * memoryFailure(128).kind // 'memory-limit'
 */
export function memoryFailure(memoryMb: number): CodeRunFailure & { readonly kind: 'memory-limit' } {
  return {
    kind: 'memory-limit',
    limit: memoryMb,
    message: `The program used more than its memory limit of ${memoryMb} MiB`,
  };
}

/** The failure of a program that waits for what can never come. */
export const DEADLOCK: CodeRunFailure = {
  kind: 'deadlock',
  message: 'The program can make no more progress: it awaits a promise that nothing can settle any more',
  hint: 'No call and no timer is pending: resolve every promise that is awaited, or do not await it',
};
