// A whole turn over OpenAI's Responses.
import OpenAI from 'openai';
import { runAgentTurn } from 'ptc-runtime/adapters/agent-step';
import { openaiResponses } from 'ptc-runtime/adapters/openai';
import { runtime, tools } from './price-tools.js';
import { scriptedFetch } from './scripted-model.js';

const client = new OpenAI({ apiKey: 'none', fetch: scriptedFetch });

const { reply, steps } = await runAgentTurn({
  tools,
  format: openaiResponses(),
  model: { provider: 'openai', model: 'gpt-5' },
  messages: [{ role: 'user', content: 'What do a pen, paper and ink cost together?' }],
  callModel: ({ tools, instructions, messages }) =>
    client.responses.create({ model: 'gpt-5', tools, instructions, input: messages }),
});
console.log(`${reply.output_text} (${steps} steps)`);
await runtime.dispose();
