import type { UserMessage } from '../contract/content.js';
import type { ToolErrorInfo, ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { errorInfo, errorMessage } from '../core/error-text.js';
import { takeBlocks } from './materialise.js';

/**
 * Makes a failure whose content is its message.
 *
 * @param message without the "Error: " prefix, which only the content carries
 * @param info becomes frozen
 * @returns deep-frozen
 * @example
 * failureResult('disk full').content // [{ type: 'text', text: 'Error: disk full' }]
 */
export function failureResult(message: string, info?: ToolErrorInfo): ToolExecutionFailure {
  const error = info === undefined ? { message } : { message, info: Object.freeze(info) };
  return Object.freeze({
    isError: true,
    error: Object.freeze(error),
    content: Object.freeze([Object.freeze({ type: 'text', text: `Error: ${message}` })]),
  });
}

/**
 * Turns whatever was thrown into a failure. Total; only the library's coded errors keep their `{name, code}`.
 *
 * @returns deep-frozen
 * @example
 * failureOf(new ToolNotFoundError('no such tool')).error.info // { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' }
 */
export function failureOf(thrown: unknown): ToolExecutionFailure {
  return failureResult(errorMessage(thrown), errorInfo(thrown));
}

/** The same outcome with other contexts; none leaves no key. */
export function withContexts<R extends ToolExecutionResult>(result: R, contexts: readonly UserMessage[]): R {
  const { additionalContexts: _, ...rest } = result;
  return Object.freeze(
    contexts.length === 0 ? rest : { ...rest, additionalContexts: Object.freeze([...contexts]) },
  ) as R;
}

/** The same outcome with further contexts behind its own. */
export function appendContexts<R extends ToolExecutionResult>(
  result: R,
  contexts: readonly UserMessage[],
): R {
  return contexts.length === 0
    ? result
    : withContexts(result, [...(result.additionalContexts ?? []), ...contexts]);
}

/**
 * The same outcome with content that somebody else made.
 *
 * @param what names the content in the error
 * @throws {TypeError} when it is no array of blocks, or not lossless JSON
 */
export function withContent<R extends ToolExecutionResult>(result: R, content: unknown, what: string): R {
  return Object.freeze({ ...result, content: takeBlocks(content, what) } as R);
}
