// A tool that declares a time ends when it is over, if it forwards its signal.
import { setTimeout as wait } from 'node:timers/promises';
import { createTools, toolCallId, toolTimeout } from 'ptc-runtime';

const tools = createTools();
toolTimeout(tools);
tools.register({
  name: 'slow',
  description: 'Takes its time.',
  parameters: { type: 'object' },
  output: { schema: {}, render: () => [] },
  timeoutMs: 20,
  execute: async (_args, { signal }) => wait(60_000, 'done', { signal }),
});
const call = { callId: toolCallId('1'), name: 'slow', arguments: {}, signal: new AbortController().signal };
console.log((await tools.pipeline.execute(call)).error.info.code); // TOOL_TIMEOUT
