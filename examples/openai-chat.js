// A whole turn over OpenAI's chat completions, with the calls of the program shown as they run.
import OpenAI from 'openai';
import { runAgentTurn } from 'ptc-runtime/adapters/agent-step';
import { openaiChat } from 'ptc-runtime/adapters/openai';
import { runtime, tools } from './price-tools.js';
import { scriptedFetch } from './scripted-model.js';

const client = new OpenAI({ apiKey: 'none', fetch: scriptedFetch });

const { reply, messages, steps } = await runAgentTurn({
  tools,
  format: openaiChat(),
  model: { provider: 'openai', model: 'gpt-5' },
  messages: [{ role: 'user', content: 'What do a pen, paper and ink cost together?' }],
  callModel: async (request) => {
    const system = { role: 'developer', content: request.instructions };
    const { choices } = await client.chat.completions.create({
      model: 'gpt-5',
      tools: request.tools,
      messages: [system, ...request.messages],
    });
    return choices[0].message;
  },
  onProgress: ({ kind, name, isSubCall }) => {
    if (kind === 'finished') console.log(`${isSubCall ? '  ' : ''}${name} finished`);
  },
});
console.log(`${reply.content} (${steps} steps, ${messages.length} messages)`);
await runtime.dispose();
