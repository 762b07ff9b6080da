import type { ToolSchema } from '../../runtime/contract/definition.js';
import { callBlock } from '../model-format/call-block.js';
import type { AnsweredCall, ModelFormat, NameLimits } from '../model-format/format.js';
import { objectRoot } from '../model-format/object-root.js';
import { contextParts, joinedText, type Part, resultParts } from '../model-format/parts.js';
import { aiSdkSchema } from './read-ai-sdk-schema.js';

/** What the providers behind the AI SDK all accept as the name of a tool. */
export const AI_SDK_NAMES: NameLimits = Object.freeze({ maxLength: 64, dashes: true });

/** A tool that the model is told of and the SDK does not carry out. */
export interface AiSdkModelTool {
  description: string;
  /** The SDK's own wrapper around a JSON Schema. */
  inputSchema: object;
}

/**
 * The part of `generateText`'s result that is read; of `streamText` the host awaits both.
 *
 * The calls are read from `toolCalls`: the messages do not hold what the model wrote where that is no JSON.
 */
export interface AiSdkReply {
  readonly response: { readonly messages: readonly AiSdkMessage[] };
  readonly toolCalls: readonly AiSdkCall[];
}

/** A message of a reply. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string }[];
}

/** A call of a reply. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** A message that answers a reply. */
export type AiSdkAnswer =
  | { role: 'tool'; content: AiSdkResultPart[] }
  | {
      role: 'user';
      content: ({ type: 'text'; text: string } | { type: 'image'; image: string; mediaType: string })[];
    };

/** One result. */
export interface AiSdkResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output:
    | { type: 'text' | 'error-text'; value: string }
    | {
        type: 'content';
        value: ({ type: 'text'; text: string } | { type: 'image-data'; data: string; mediaType: string })[];
      };
}

/**
 * The format of the AI SDK: model messages in and out, tools without `execute`, so that the host carries out the calls.
 *
 * Calls that a provider carried out stay its own. The SDK answers a call that it cannot parse by itself; here the pipeline
 * does, so that it is recorded and worded like any other.
 *
 * @typeParam Message what the host keeps its conversation in: the SDK's `ModelMessage`
 * @typeParam Tools what a request takes: the SDK's `ToolSet`
 * @example
 * const format = aiSdk<ModelMessage, ToolSet>();
 */
export function aiSdk<
  Message = AiSdkAnswer | AiSdkMessage,
  Tools = Record<string, AiSdkModelTool>,
>(): ModelFormat<Tools, AiSdkReply, Message> {
  return {
    names: AI_SDK_NAMES,
    tools: (schemas) => Object.fromEntries(schemas.map(modelTool)) as Tools,
    calls: ({ toolCalls }) =>
      toolCalls
        .filter(isOurs)
        .map(({ toolCallId, toolName, input }) => callBlock(toolCallId, toolName, input)),
    echo({ response, toolCalls }) {
      const ours = new Set(toolCalls.filter(isOurs).map(({ toolCallId }) => toolCallId));
      return response.messages.flatMap((message) => withoutResults(message, ours)) as Message[];
    },
    answers(calls, contexts) {
      const answers: AiSdkAnswer[] = [];
      if (calls.length > 0) answers.push({ role: 'tool', content: calls.map(resultPart) });
      const extra = contextParts(contexts).map((part) =>
        part.type === 'text'
          ? { type: 'text' as const, text: part.text }
          : { type: 'image' as const, image: part.data, mediaType: part.mimeType },
      );
      if (extra.length > 0) answers.push({ role: 'user', content: extra });
      return answers as Message[];
    },
  };
}

function isOurs({ providerExecuted }: AiSdkCall): boolean {
  return providerExecuted !== true;
}

function withoutResults(message: AiSdkMessage, ours: ReadonlySet<string>): AiSdkMessage[] {
  if (message.role !== 'tool' || typeof message.content === 'string') return [message];
  const content = message.content.filter(
    (part) => part.type !== 'tool-result' || !ours.has((part as Partial<AiSdkCall>).toolCallId ?? ''),
  );
  if (content.length === message.content.length) return [message];
  return content.length === 0 ? [] : [{ ...message, content }];
}

function modelTool({ name, description, parameters }: ToolSchema): [string, AiSdkModelTool] {
  return [name, { description, inputSchema: aiSdkSchema(objectRoot(parameters)) }];
}

function resultPart({ callId, name, result }: AnsweredCall): AiSdkResultPart {
  const parts = resultParts(result);
  const part = { type: 'tool-result' as const, toolCallId: callId, toolName: name };
  if (parts.every(({ type }) => type === 'text')) {
    const type = result.isError ? ('error-text' as const) : ('text' as const);
    return { ...part, output: { type, value: joinedText(parts) } };
  }
  return { ...part, output: { type: 'content', value: parts.map(outputPart) } };
}

function outputPart(part: Part) {
  if (part.type === 'text') return { type: 'text' as const, text: part.text };
  return { type: 'image-data' as const, data: part.data, mediaType: part.mimeType };
}
