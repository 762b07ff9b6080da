import type { ContentBlock, ImageBlock, UserMessage } from '../../runtime/contract/content.js';
import type { ToolExecutionResult } from '../../runtime/contract/result.js';

/** A piece that every model API can be told: a text or an image. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/**
 * Content as texts and images; a block of any other kind is its JSON text, and an empty text is left out.
 *
 * @example
 * contentParts([{ type: 'resource', uri: 'a' }]) // [{ type: 'text', text: '{"type":"resource","uri":"a"}' }]
 */
export function contentParts(content: readonly ContentBlock[]): Part[] {
  return content.flatMap((block): Part[] => {
    if (block.type === 'text' && typeof block['text'] === 'string') {
      return block['text'] === '' ? [] : [{ type: 'text', text: block['text'] }];
    }
    if (isImage(block)) return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
    return [{ type: 'text', text: JSON.stringify(block) }];
  });
}

/** The parts of a result. A failure that shows nothing still says why. */
export function resultParts(result: ToolExecutionResult): Part[] {
  const parts = contentParts(result.content);
  if (result.isError && !parts.some(({ type }) => type === 'text')) {
    return [{ type: 'text', text: `Error: ${result.error.message}` }, ...parts];
  }
  return parts;
}

/** The parts of all contexts, in order. */
export function contextParts(contexts: readonly UserMessage[]): Part[] {
  return contexts.flatMap(({ content }) => contentParts(content));
}

/** The texts of some parts, one below the other. */
export function joinedText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** An image as a URL that carries it. */
export function dataUrl({ data, mimeType }: Omit<ImageBlock, 'type'>): string {
  return `data:${mimeType};base64,${data}`;
}

function isImage(block: ContentBlock): block is ImageBlock {
  const { type, data, mimeType } = block as Partial<ImageBlock>;
  return type === 'image' && typeof data === 'string' && typeof mimeType === 'string';
}
