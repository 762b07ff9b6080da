import type { ContentBlock } from '../../runtime/contract/content.js';
import { canonical } from '../foreign-tool/canonical.js';
import type { AiSdkOutput } from './ai-sdk-types.js';

/**
 * The content of what a tool's `toModelOutput` made. Images with their data stay images; a file or an address is its JSON.
 *
 * @example
 * outputContent({ type: 'text', value: 'sunny' }) // [{ type: 'text', text: 'sunny' }]
 */
export function outputContent({ type, value, reason }: AiSdkOutput): readonly ContentBlock[] {
  if (type === 'content' && Array.isArray(value)) return value.map(contentPart);
  if (type === 'execution-denied') return [{ type: 'text', text: reason ?? 'The execution was denied' }];
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(canonical(value)) }];
}

function contentPart(part: unknown): ContentBlock {
  const block = canonical(part) as ContentBlock;
  const { type, data, mediaType } = block as { type: string; data?: unknown; mediaType?: unknown };
  const holdsImage =
    type === 'image-data' ||
    ((type === 'media' || type === 'file-data') && String(mediaType).startsWith('image/'));
  if (holdsImage && typeof data === 'string' && typeof mediaType === 'string') {
    return { type: 'image', data, mimeType: mediaType };
  }
  return block;
}
