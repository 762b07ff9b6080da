import { isRecord, kindOf } from './config-entry.js';
import type { McpCallResult } from './value.js';

/**
 * Takes the answer to a `tools/call` apart. What can be read is read: a block that has no kind becomes text.
 *
 * @throws {Error} when it is no result at all
 * @example
 * callResult({ content: [{ type: 'text', text: 'hi' }] })
 */
export function callResult(answer: unknown): McpCallResult {
  if (!isRecord(answer))
    throw new Error(`The server’s answer is no result: wanted an object, received ${kindOf(answer)}`);
  const { content = [], structuredContent, isError } = answer;
  if (!Array.isArray(content)) {
    throw new Error(
      `The server’s answer is no result: wanted an array "content", received ${kindOf(content)}`,
    );
  }
  return {
    content: content.map((block: unknown) =>
      isRecord(block) && typeof block['type'] === 'string'
        ? block
        : { type: 'text', text: JSON.stringify(block) ?? 'null' },
    ),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === true ? { isError } : {}),
  };
}
