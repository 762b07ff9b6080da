import type { ToolSchema } from '../../runtime/contract/definition.js';
import { callBlock } from '../model-format/call-block.js';
import type { AnsweredCall, ModelFormat } from '../model-format/format.js';
import { objectRoot } from '../model-format/object-root.js';
import { contextParts, dataUrl, joinedText, type Part, resultParts } from '../model-format/parts.js';
import { OPENAI_NAMES } from './openai-names.js';

/** A tool of a Responses request. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Strict mode knows only part of JSON Schema; the pipeline validates. */
  strict: false;
}

/** A response, as far as calls go. */
export interface OpenAIResponsesReply {
  readonly output: readonly { readonly type: string }[];
}

/** An input item that answers a response. */
export type OpenAIResponsesAnswer =
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesPart[] }
  | { type: 'message'; role: 'user'; content: ResponsesPart[] };

/** A piece of an input item's content. */
export type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' };

/**
 * The format of OpenAI's Responses.
 *
 * A host that continues with `previous_response_id` sends the answers alone, otherwise the echoed reply and the answers.
 *
 * @typeParam Item what the host keeps its input in, e.g. the client's `ResponseInputItem`
 * @example
 * const format = openaiResponses<OpenAI.Responses.ResponseInputItem>();
 */
export function openaiResponses<Item = OpenAIResponsesAnswer | { readonly type: string }>(): ModelFormat<
  OpenAIResponsesTool[],
  OpenAIResponsesReply,
  Item
> {
  return {
    names: OPENAI_NAMES,
    tools: (schemas) => schemas.map(responsesTool),
    calls: ({ output }) =>
      output
        .filter(isFunctionCall)
        .map(({ call_id, name, arguments: text }) => callBlock(call_id, name, text)),
    echo: ({ output }) => output as readonly Item[],
    answers(calls, contexts) {
      const answers: OpenAIResponsesAnswer[] = calls.map(callOutput);
      const extra = contextParts(contexts).map(responsesPart);
      if (extra.length > 0) answers.push({ type: 'message', role: 'user', content: extra });
      return answers as Item[];
    },
  };
}

interface FunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isFunctionCall(item: { readonly type: string }): item is FunctionCall {
  return item.type === 'function_call';
}

function responsesTool({ name, description, parameters }: ToolSchema): OpenAIResponsesTool {
  return { type: 'function', name, description, parameters: objectRoot(parameters), strict: false };
}

function callOutput({ callId, result }: AnsweredCall): OpenAIResponsesAnswer {
  const parts = resultParts(result);
  const output = parts.every(({ type }) => type === 'text') ? joinedText(parts) : parts.map(responsesPart);
  return { type: 'function_call_output', call_id: callId, output };
}

function responsesPart(part: Part): ResponsesPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  return { type: 'input_image', image_url: dataUrl(part), detail: 'auto' };
}
