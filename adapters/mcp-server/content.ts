import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ContentBlock } from '../../runtime/contract/content.js';

type McpBlock = CallToolResult['content'][number];
type Fields = Readonly<Record<string, unknown>>;

/** What each kind of block must hold; a client refuses a whole result for one block that does not. */
const FORMS: ReadonlyMap<string, (block: Fields) => boolean> = new Map([
  ['text', ({ text }) => typeof text === 'string'],
  ['image', hasData],
  ['audio', hasData],
  ['resource_link', ({ uri, name }) => typeof uri === 'string' && typeof name === 'string'],
  ['resource', ({ resource }) => isResource(resource)],
]);

/**
 * Blocks as an MCP client takes them; a kind that MCP does not know becomes text.
 *
 * @example
 * mcpBlocks([{ type: 'text', text: 'hi' }]) // the same
 */
export function mcpBlocks(blocks: readonly ContentBlock[]): McpBlock[] {
  return blocks.map((block) =>
    FORMS.get(block.type)?.(block as Fields)
      ? ({ ...block } as unknown as McpBlock)
      : { type: 'text', text: JSON.stringify(block) },
  );
}

function hasData({ data, mimeType }: Fields): boolean {
  return typeof data === 'string' && typeof mimeType === 'string';
}

function isResource(resource: unknown): boolean {
  if (typeof resource !== 'object' || resource === null) return false;
  const { uri, text, blob } = resource as Fields;
  return typeof uri === 'string' && (typeof text === 'string' || typeof blob === 'string');
}
