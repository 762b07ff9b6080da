import type { ToolSchema } from '../../runtime/contract/definition.js';
import { callBlock } from '../model-format/call-block.js';
import type { AnsweredCall, ModelFormat } from '../model-format/format.js';
import { objectRoot } from '../model-format/object-root.js';
import { contextParts, dataUrl, joinedText, type Part, resultParts } from '../model-format/parts.js';
import { OPENAI_NAMES } from './openai-names.js';

/** A tool of a chat completions request. */
export interface OpenAIChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The message of a chat completion's choice, as far as calls go. */
export interface OpenAIChatReply {
  readonly role: 'assistant';
  readonly tool_calls?: readonly { readonly id: string; readonly type: string }[] | null | undefined;
}

/** A message that answers a reply. */
export type OpenAIChatAnswer =
  | { role: 'tool'; tool_call_id: string; content: string }
  | {
      role: 'user';
      content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[];
    };

/**
 * The format of OpenAI's chat completions, which many other providers speak too.
 *
 * Calls of custom tools are left to the host that declared them. A tool message holds text only, so images follow all of them in one user message, which names their calls.
 *
 * @typeParam Message what the host keeps its conversation in, e.g. the client's `ChatCompletionMessageParam`
 * @example
 * const format = openaiChat<OpenAI.ChatCompletionMessageParam>();
 */
export function openaiChat<Message = OpenAIChatReply | OpenAIChatAnswer>(): ModelFormat<
  OpenAIChatTool[],
  OpenAIChatReply,
  Message
> {
  return {
    names: OPENAI_NAMES,
    tools: (schemas) => schemas.map(chatTool),
    calls: ({ tool_calls }) =>
      (tool_calls ?? [])
        .filter(isFunctionCall)
        .map(({ id, function: { name, arguments: text } }) => callBlock(id, name, text)),
    echo: (reply) => [reply as Message],
    answers(calls, contexts) {
      const images = calls.flatMap(imagesOf);
      const extra = [...images, ...contextParts(contexts).map(chatPart)];
      const answers: OpenAIChatAnswer[] = calls.map(toolMessage);
      if (extra.length > 0) answers.push({ role: 'user', content: extra });
      return answers as Message[];
    },
  };
}

interface FunctionCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

function isFunctionCall(call: { readonly type: string }): call is FunctionCall {
  return call.type === 'function';
}

type ChatPart = Extract<OpenAIChatAnswer, { role: 'user' }>['content'][number];

function chatTool({ name, description, parameters }: ToolSchema): OpenAIChatTool {
  return { type: 'function', function: { name, description, parameters: objectRoot(parameters) } };
}

function toolMessage({ callId, result }: AnsweredCall): OpenAIChatAnswer {
  const parts = resultParts(result);
  const images = parts.filter(({ type }) => type === 'image').length;
  const text = joinedText(parts);
  const note = `[${images} image${images === 1 ? '' : 's'} below, after the tool results]`;
  const content = images === 0 ? text : text === '' ? note : `${text}\n${note}`;
  return { role: 'tool', tool_call_id: callId, content };
}

function imagesOf({ callId, name, result }: AnsweredCall): ChatPart[] {
  const images = resultParts(result).filter(({ type }) => type === 'image');
  if (images.length === 0) return [];
  return [{ type: 'text', text: `Images of the result of ${name} (${callId}):` }, ...images.map(chatPart)];
}

function chatPart(part: Part): ChatPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: dataUrl(part) } };
}
