import type { CodeRunResult } from '../runtime/contract/code-runtime.js';
import { received } from '../runtime/core/option-error.js';

/**
 * Takes what a code runtime answered. A runtime may be anybody's, so its answer is looked at before a model reads it.
 *
 * @throws {TypeError} when it is no outcome of a run
 * @example
 * const result = takeOutcome(await runtime.run(request));
 */
export function takeOutcome(result: CodeRunResult): CodeRunResult {
  if (typeof result !== 'object' || result === null) throw refusal('{ logs, value?, error?, stats }', result);
  const { logs, error } = result;
  if (!Array.isArray(logs) || logs.some((line) => typeof line !== 'string')) {
    throw refusal('"logs" as an array of strings', logs);
  }
  if (error !== undefined && (typeof error?.kind !== 'string' || typeof error.message !== 'string')) {
    throw refusal('"error" as { kind, message }', error);
  }
  return result;
}

function refusal(wanted: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot take the outcome of the code runtime: wanted ${wanted}, received ${received(value)}`,
  );
}
