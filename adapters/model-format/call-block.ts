import type { ToolCallBlock } from '../../runtime/contract/batch.js';
import { toolCallId } from '../../runtime/core/ids.js';

/**
 * One call of a reply, its arguments as the text that the pipeline reads.
 *
 * @param input text as the model wrote it, or what a client library parsed of it
 * @throws {TypeError} when the id is empty: a result could not be matched with its call
 * @example
 * callBlock('call_1', 'add', { a: 1 }) // { callId: 'call_1', name: 'add', arguments: '{"a":1}' }
 */
export function callBlock(id: string, name: string, input: unknown): ToolCallBlock {
  const text = typeof input === 'string' ? input : (JSON.stringify(input ?? {}) ?? '');
  return { callId: toolCallId(id), name, arguments: text };
}
