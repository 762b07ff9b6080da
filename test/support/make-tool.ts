import type { ToolDefinition } from '#dist/runtime/contract/definition.js';

/** A raw tool whose value is its own name, with what a test wants otherwise. */
export function makeTool(name: string, overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `What ${name} does.`,
    parameters: { type: 'object', properties: {} },
    output: {
      schema: { type: 'string' },
      render: (_args, value) => [{ type: 'text', text: String(value) }],
    },
    execute: async () => name,
    ...overrides,
  };
}
