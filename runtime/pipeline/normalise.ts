import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { received } from '../core/option-error.js';
import { type Call, resolveDefinition } from './call.js';
import { takeBlocks, takeContexts, takeFailure, takeJson } from './materialise.js';
import { appendContexts, failureOf } from './outcome.js';
import { buildSuccess } from './success.js';
import { unknownTool } from './unknown-tool.js';

const WHAT = 'the result of a "tools/execute" listener';

/** Remembers a result as this call's own. */
export function recordCanonical<R extends ToolExecutionResult>(call: Call, result: R): R {
  call.canonical = [...call.canonical, result];
  return result;
}

/**
 * Makes a canonical result of whatever a wrapper returned.
 *
 * A result that this very call made passes as it is. Of any other success only the value and the contexts count: content
 * and meta are made anew by the tool's own contract. Of a failure the error, content, meta and contexts are kept.
 *
 * @throws {TypeError} when it is no result at all: that is the wrapper's failure
 */
export function normaliseResult(call: Call, raw: unknown): ToolExecutionResult {
  if (call.canonical.includes(raw as ToolExecutionResult)) return raw as ToolExecutionResult;
  if (typeof raw !== 'object' || raw === null) throw notAResult(raw);
  const { isError } = raw as { readonly isError?: unknown };
  if (typeof isError !== 'boolean') throw notAResult(raw);
  try {
    return recordCanonical(call, isError ? takeFailureResult(raw) : remakeSuccess(call, raw));
  } catch (error) {
    return recordCanonical(call, failureOf(error));
  }
}

function remakeSuccess(call: Call, raw: object): ToolExecutionResult {
  const { value, additionalContexts } = raw as {
    readonly value?: unknown;
    readonly additionalContexts?: unknown;
  };
  const contexts = takeContexts(additionalContexts, `the contexts of ${WHAT}`);
  return appendContexts(rebuild(call, value), contexts);
}

function rebuild(call: Call, value: unknown): ToolExecutionResult {
  const definition = resolveDefinition(call.host, call.execution);
  if (definition === undefined) return failureOf(unknownTool(call.execution.name));
  try {
    return buildSuccess(call, definition, value);
  } catch (error) {
    return failureOf(error);
  }
}

function takeFailureResult(raw: object): ToolExecutionFailure {
  const { error, content, meta, additionalContexts } = raw as { readonly [key: string]: unknown };
  const failure = Object.freeze({
    isError: true as const,
    error: takeFailure(error, `the error of ${WHAT}`),
    content: takeBlocks(content, `the content of ${WHAT}`),
    ...(meta !== undefined && { meta: takeJson(meta, `the meta of ${WHAT}`) }),
  });
  return appendContexts(failure, takeContexts(additionalContexts, `the contexts of ${WHAT}`));
}

function notAResult(raw: unknown): TypeError {
  return new TypeError(`Cannot take ${WHAT}: wanted a result with "isError", received ${received(raw)}`);
}
