import type { ToolSchema } from '../../runtime/contract/definition.js';
import { callBlock } from '../model-format/call-block.js';
import type { AnsweredCall, ModelFormat, NameLimits } from '../model-format/format.js';
import { type ObjectRoot, objectRoot } from '../model-format/object-root.js';
import { contextParts, type Part, resultParts } from '../model-format/parts.js';

/** What Anthropic accepts as the name of a tool. */
export const ANTHROPIC_NAMES: NameLimits = Object.freeze({ maxLength: 64, dashes: true });

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

/** A tool of a Messages request. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ObjectRoot;
}

/** A message of the model, as far as calls go. */
export interface AnthropicReply {
  readonly role: 'assistant';
  readonly content: readonly { readonly type: string }[];
}

/** A text or an image of a user message. */
export type AnthropicPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } };

/** The one user message that answers a reply: every result first, contexts behind them. */
export interface AnthropicAnswer {
  role: 'user';
  content: (
    | AnthropicPart
    | { type: 'tool_result'; tool_use_id: string; content?: AnthropicPart[]; is_error?: true }
  )[];
}

/**
 * The format of Anthropic's Messages. Calls that the API carries out itself are left to it.
 *
 * @typeParam Message what the host keeps its conversation in, e.g. the client's `MessageParam`
 * @example
 * const format = anthropicMessages<Anthropic.MessageParam>();
 */
export function anthropicMessages<
  Message = AnthropicAnswer | { role: 'assistant'; content: AnthropicReply['content'] },
>(): ModelFormat<AnthropicTool[], AnthropicReply, Message> {
  return {
    names: ANTHROPIC_NAMES,
    tools: (schemas) => schemas.map(anthropicTool),
    calls: ({ content }) =>
      content.filter(isToolUse).map(({ id, name, input }) => callBlock(id, name, input)),
    echo: ({ content }) => (content.length === 0 ? [] : [{ role: 'assistant', content } as Message]),
    answers(calls, contexts) {
      const content = [...calls.map(toolResult), ...contextParts(contexts).flatMap(anthropicPart)];
      return content.length === 0 ? [] : [{ role: 'user', content } as Message];
    },
  };
}

interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function isToolUse(block: { readonly type: string }): block is ToolUse {
  return block.type === 'tool_use';
}

function anthropicTool({ name, description, parameters }: ToolSchema): AnthropicTool {
  return { name, description, input_schema: objectRoot(parameters) };
}

function toolResult({ callId, result }: AnsweredCall): AnthropicAnswer['content'][number] {
  const content = resultParts(result).flatMap(anthropicPart);
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(content.length === 0 ? {} : { content }),
    ...(result.isError ? { is_error: true as const } : {}),
  };
}

/** The API refuses a request with a blank text or an image of another type. */
function anthropicPart(part: Part): AnthropicPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  const { data, mimeType } = part;
  if (!isImageType(mimeType))
    return [{ type: 'text', text: `[an image of type ${mimeType}, which cannot be shown]` }];
  return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
}

function isImageType(mimeType: string): mimeType is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(mimeType);
}
