import type { ContentBlock } from '../../runtime/contract/content.js';
import { snapshotJsonValue } from '../../runtime/core/json.js';
import type { JsonValue } from '../../runtime/core/json-value.js';

/** The part of a `tools/call` result that decides on value and content. */
export interface McpCallResult {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/**
 * The canonical value of a successful MCP result.
 *
 * `structuredContent` wins. Else: no content is `null`; text blocks are their text joined by newlines, parsed only when
 * it is a JSON object or array without integers that a number cannot hold; anything else is the array of blocks.
 *
 * @example
 * mcpValue({ content: [{ type: 'text', text: '[1,2]' }] }) // [1, 2]
 */
export function mcpValue(result: McpCallResult): JsonValue {
  if (result.structuredContent !== undefined) return asJson(result.structuredContent);
  const blocks = result.content ?? [];
  if (blocks.length === 0) return null;
  const texts = blocks.map(textOf);
  if (texts.every((text) => text !== undefined)) return parseContainer(texts.join('\n'));
  return asJson(blocks);
}

/**
 * The text of a failed MCP result, for its message.
 *
 * @example
 * mcpErrorText({ isError: true, content: [{ type: 'text', text: 'no such file' }] }) // 'no such file'
 */
export function mcpErrorText(result: McpCallResult): string {
  const text = (result.content ?? []).flatMap((block) => textOf(block) ?? []).join('\n');
  return text === '' ? 'The tool reported an error without a text' : text;
}

/**
 * The blocks that a model may be shown. Images keep their data; nothing is fetched.
 *
 * @returns `undefined` when there is nothing to show
 * @example
 * mcpContent({ content: [{ type: 'text', text: 'hi' }] }) // [{ type: 'text', text: 'hi' }]
 */
export function mcpContent(result: McpCallResult): readonly ContentBlock[] | undefined {
  const blocks = result.content ?? [];
  return blocks.length === 0 ? undefined : (asJson(blocks) as readonly ContentBlock[]);
}

function textOf(block: unknown): string | undefined {
  const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

function parseContainer(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return holdsLargeIntegers(text) ? text : asJson(parsed);
  } catch {
    return text;
  }
}

/** Walks the tokens of valid JSON text: a number's own text is gone once it is parsed. */
function holdsLargeIntegers(text: string): boolean {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return true;
    if (token[0] !== '"' && !Number.isFinite(Number(token))) return true;
  }
  return false;
}

/** JSON text has `-0` and structured content may hold `undefined`; a canonical value has neither. */
function asJson(value: unknown): JsonValue {
  const snapshot = snapshotJsonValue(value);
  if (snapshot !== undefined) return snapshot;
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as JsonValue);
}
