// A whole turn over the AI SDK: its own tools are registered as they are, zod schemas and all, and a program calls them.
import { createGateway, generateText, tool } from 'ai';
import { createTools, ptcExecutor, sandboxRuntime } from 'ptc-runtime';
import { runAgentTurn } from 'ptc-runtime/adapters/agent-step';
import { aiSdk, registerAiSdkTools } from 'ptc-runtime/adapters/ai-sdk';
import { z } from 'zod';
import { scriptedFetch } from './scripted-model.js';

const runtime = sandboxRuntime();
const tools = createTools();
tools.setExecutor(ptcExecutor({ runtime }));
const price = tool({
  description: 'Looks up the price of an article.',
  inputSchema: z.object({ article: z.string() }),
  outputSchema: z.number(),
  execute: async ({ article }) => article.length * 10,
});
await registerAiSdkTools(tools, { price }, { registration: () => ({ readOnly: true }) });

const gateway = createGateway({ apiKey: 'none', fetch: scriptedFetch });
const { reply, steps } = await runAgentTurn({
  tools,
  format: aiSdk(),
  model: { provider: 'openai', model: 'gpt-5' },
  messages: [{ role: 'user', content: 'What do a pen, paper and ink cost together?' }],
  callModel: ({ tools, instructions, messages }) =>
    generateText({ model: gateway('openai/gpt-5'), system: instructions, tools, messages }),
});
console.log(`${reply.text} (${steps} steps)`);
await runtime.dispose();
