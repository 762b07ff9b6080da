// A whole turn over Anthropic's Messages, step by step, for a host that keeps the loop in its own hands.
import Anthropic from '@anthropic-ai/sdk';
import { openAgentStep } from 'ptc-runtime/adapters/agent-step';
import { anthropicMessages } from 'ptc-runtime/adapters/anthropic';
import { runtime, tools } from './price-tools.js';
import { scriptedFetch } from './scripted-model.js';

const client = new Anthropic({ apiKey: 'none', fetch: scriptedFetch });
const format = anthropicMessages();
const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
const messages = [{ role: 'user', content: 'What do a pen, paper and ink cost together?' }];

for (let isLast = false; !isLast; ) {
  const step = await openAgentStep({ tools, format, model });
  try {
    const reply = await client.messages.create({
      model: model.model,
      max_tokens: 4096,
      system: step.request.instructions,
      tools: step.request.tools,
      messages,
    });
    const outcome = await step.answer(reply);
    messages.push(...outcome.messages);
    isLast = outcome.isLast;
  } finally {
    step.dispose();
  }
}
console.log(messages.at(-1).content[0].text);
await runtime.dispose();
