// What the examples share: a tool in one line, and one direct call through the pipeline.
import { toolCallId } from 'ptc-runtime';

export const agent = { id: 'example', session: { id: 'example', append: () => ({ seq: 1 }) } };

export const tool = (name, execute = async () => name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: 'object' },
  output: { schema: {}, render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }] },
  execute,
});

let calls = 0;
export async function call(tools, name, args = {}) {
  calls += 1;
  const { signal } = new AbortController();
  const ids = { callId: toolCallId(`call-${calls}`), agent, signal };
  return tools.pipeline.execute({ ...ids, name, arguments: args });
}

/** What a model reads of the result. */
export const text = ({ content }) => content.map((block) => block.text).join('\n');
