import type { ContentBlock } from '#dist/runtime/contract/content.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';

/** A tool without parameters whose canonical value is its content, for tests that look at content alone. */
export function contentTool(name: string, content: readonly ContentBlock[]): ToolDefinition {
  return defineTool({
    name,
    description: `Answers with ${content.length} blocks`,
    parameters: {},
    output: {
      schema: { type: 'array', items: { type: 'json' } },
      render: (_, value) => value as unknown as ContentBlock[],
    },
    execute: async () => [...content] as never,
  });
}
