// One tool and the executor that lets a model call it from programs, for the examples beside this file.
import { createTools, defineTool, ptcExecutor, sandboxRuntime } from 'ptc-runtime';

export const runtime = sandboxRuntime();
export const tools = createTools();

tools.setExecutor(ptcExecutor({ runtime }));
tools.register(
  defineTool({
    name: 'price',
    description: 'Looks up the price of an article.',
    parameters: { article: { type: 'string', required: true } },
    output: {
      schema: { type: 'number' },
      render: (_args, value) => [{ type: 'text', text: String(value) }],
    },
    isConcurrencySafe: () => true,
    execute: async ({ article }) => article.length * 10,
  }),
);
