import type { JsonValue } from '../core/json-value.js';
import type { ContentBlock, UserMessage } from './content.js';
import type { ToolExecution } from './execution.js';
import type { ToolErrorInfo } from './result.js';

/** Prompt text by locale; `en` is always there. */
export interface LocalizedText {
  readonly en: string;
  readonly [locale: string]: string;
}

/** What a `tools/pre-execute` listener decides. */
export type PreToolDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly info?: ToolErrorInfo }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'ask'; readonly reason?: string; readonly displayReason?: LocalizedText };

/** What a `tools/post-execute` listener decides. Owning both `content` and `value` is an error, even if one is undefined. */
export type PostToolDecision =
  | {
      readonly kind: 'accept';
      readonly content?: readonly ContentBlock[];
      readonly value?: never;
      readonly additionalContexts?: readonly UserMessage[];
    }
  | {
      readonly kind: 'accept';
      readonly value: JsonValue;
      readonly content?: never;
      readonly additionalContexts?: readonly UserMessage[];
    }
  | {
      readonly kind: 'block';
      readonly feedback: readonly ContentBlock[];
      readonly additionalContexts?: readonly UserMessage[];
    };

/** Synchronous last check before dispatch: a string denies with that reason, `undefined` abstains. */
export type ToolGuard = (execution: Readonly<ToolExecution>) => string | undefined;

/** Whether a call may overlap with others. */
export type ToolExecutionMode = { readonly kind: 'parallel' } | { readonly kind: 'exclusive' };
