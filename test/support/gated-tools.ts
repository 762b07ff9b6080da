import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolRunContext } from '#dist/runtime/contract/execution.js';
import { type Gate, gate } from './gate.ts';

/** One body that runs or has run. */
export interface Body extends Gate<unknown> {
  readonly args: unknown;
  readonly exec: ToolRunContext;
  isOpen: boolean;
}

/** A tool whose every body waits until the test settles it. */
export interface GatedTool {
  readonly definition: ToolDefinition;
  /** In the order of their starts. */
  readonly bodies: Body[];
  /** Bodies that run now. */
  readonly running: number;
}

export function gatedTool(name: string, overrides: Partial<ToolDefinition> = {}): GatedTool {
  const bodies: Body[] = [];
  return {
    bodies,
    get running() {
      return bodies.filter((body) => body.isOpen).length;
    },
    definition: {
      name,
      description: `What ${name} does.`,
      parameters: { type: 'object', properties: {} },
      output: { schema: {}, render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }] },
      isConcurrencySafe: () => true,
      execute: async (args, exec) => {
        const body: Body = { ...gate<unknown>(), args, exec, isOpen: true };
        bodies.push(body);
        try {
          return await body.promise;
        } finally {
          body.isOpen = false;
        }
      },
      ...overrides,
    },
  };
}
