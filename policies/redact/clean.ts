import type { UserMessage } from '../../runtime/contract/content.js';
import type { PostToolDecision } from '../../runtime/contract/decisions.js';
import type { ToolExecutionFailure } from '../../runtime/contract/result.js';
import { errorMessage } from '../../runtime/core/error-text.js';
import { type Hiding, hideInContent, hideInText } from './hide.js';

/** The same error without secrets in its message; class and code stay. */
export function cleanError(error: unknown, hiding: Hiding): unknown {
  const message = errorMessage(error);
  const clean = hideInText(message, hiding);
  if (clean === message) return error;
  if (!(error instanceof Error)) return new Error(clean);
  return Object.create(error, { message: { value: clean }, stack: { value: clean } });
}

/** The same failure without secrets in its message, its reason and its content. */
export function cleanFailure(failure: ToolExecutionFailure, hiding: Hiding): ToolExecutionFailure {
  const { message, info } = failure.error;
  const error = { message: hideInText(message, hiding) };
  const reason = info?.reason === undefined ? {} : { reason: hideInText(info.reason, hiding) };
  const cleanInfo = info === undefined ? {} : { info: { ...info, ...reason } };
  const content = hideInContent(failure.content, hiding);
  const isSame = error.message === message && content === failure.content && reason.reason === info?.reason;
  return isSame ? failure : { ...failure, error: { ...error, ...cleanInfo }, content };
}

/** The contexts of a decision without secrets, ready to be spread into one. */
export function cleanContexts(
  { additionalContexts }: Pick<PostToolDecision, 'additionalContexts'>,
  hiding: Hiding,
): { readonly additionalContexts?: readonly UserMessage[] } {
  if (additionalContexts === undefined) return {};
  return {
    additionalContexts: additionalContexts.map((context) => ({
      ...context,
      content: hideInContent(context.content, hiding),
    })),
  };
}

/** A failure of the policy's own says nothing of what it was looking at. */
export function closed<T>(part: () => T): T {
  try {
    return part();
  } catch {
    throw new Error('Policy "redact" failed, so nothing of the result is shown');
  }
}
