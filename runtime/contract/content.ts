import type { JsonValue } from '../core/json-value.js';

/** Text that a model reads. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** An image that a model sees; `data` is base64. */
export interface ImageBlock {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** Any further kind of block: lossless JSON that passes through untouched. */
export interface OtherBlock {
  readonly type: string;
  readonly [key: string]: JsonValue;
}

/**
 * One piece of what a model reads of a result.
 *
 * @example
 * const block: ContentBlock = { type: 'text', text: '3 files changed' };
 */
export type ContentBlock = TextBlock | ImageBlock | OtherBlock;

/** Who wrote a message: the user, or a named plugin acting for the host. */
export type MessageSource = { readonly kind: 'user' } | { readonly kind: 'plugin'; readonly plugin: string };

/**
 * A context: a user message that follows the results of a batch, never between them.
 *
 * @example
 * const reminder: UserMessage = {
 *   role: 'user',
 *   content: [{ type: 'text', text: 'The build is still running.' }],
 *   source: { kind: 'plugin', plugin: 'build-watch' },
 * };
 */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly ContentBlock[];
  readonly source: MessageSource;
  readonly meta?: JsonValue;
}
