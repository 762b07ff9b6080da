import type { AnsweredCall } from '#dist/adapters/model-format/format.js';
import type { ContentBlock, UserMessage } from '#dist/runtime/contract/content.js';
import { toolCallId } from '#dist/runtime/core/ids.js';

export const image = (data: string, mimeType = 'image/png'): ContentBlock => ({
  type: 'image',
  data,
  mimeType,
});
export const text = (value: string): ContentBlock => ({ type: 'text', text: value });

export function succeeded(id: string, name: string, ...content: ContentBlock[]): AnsweredCall {
  return { callId: toolCallId(id), name, result: { isError: false, value: null, content } };
}

export function failed(id: string, name: string, message: string, ...content: ContentBlock[]): AnsweredCall {
  return { callId: toolCallId(id), name, result: { isError: true, error: { message }, content } };
}

export function context(...content: ContentBlock[]): UserMessage {
  return { role: 'user', content, source: { kind: 'plugin', plugin: 'test' } };
}
