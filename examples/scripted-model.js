// A model without a model: it answers requests of four APIs from a script. To a question it answers with one program, to the
// program's result with a sentence that holds it. It stands in for the network: give `scriptedFetch` to a client.

const code = `
  const articles = ['pen', 'paper', 'ink'];
  const prices = await Promise.all(articles.map((article) => tools.price({ article })));
  return prices.reduce((sum, price) => sum + price, 0);
`;
const input = { code, description: 'Total price' };
const call = { id: 'call_1', name: 'run_code', arguments: JSON.stringify(input) };
const sentence = (result) => `Together they cost ${result.trim()}.`;

const apis = {
  '/v1/chat/completions': ({ messages }) => {
    const result = messages.findLast(({ role }) => role === 'tool');
    const { id, ...called } = call;
    const message = result
      ? { role: 'assistant', content: sentence(result.content) }
      : { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] };
    return {
      id: 'chat_1',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    };
  },
  '/v1/responses': ({ input: items }) => {
    const result = items.findLast(({ type }) => type === 'function_call_output');
    const { id, ...called } = call;
    const text = result && sentence(result.output);
    const item = result
      ? {
          type: 'message',
          id: 'm1',
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [] }],
        }
      : { type: 'function_call', id: 'f1', call_id: id, ...called };
    return { id: 'resp_1', object: 'response', output: [item] };
  },
  '/v1/messages': ({ messages }) => {
    const result = messages.flatMap(({ content }) => content).findLast(({ type }) => type === 'tool_result');
    const block = result
      ? { type: 'text', text: sentence(result.content[0].text) }
      : { type: 'tool_use', id: 'toolu_1', name: call.name, input };
    return { id: 'msg_1', type: 'message', role: 'assistant', content: [block] };
  },
  // What the AI SDK's gateway speaks.
  '/v3/ai/language-model': ({ prompt }) => {
    const result = prompt.findLast(({ role }) => role === 'tool');
    const { id: toolCallId, name: toolName, arguments: text } = call;
    const part = result
      ? { type: 'text', text: sentence(result.content[0].output.value) }
      : { type: 'tool-call', toolCallId, toolName, input: text };
    return {
      content: [part],
      finishReason: { unified: result ? 'stop' : 'tool-calls' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
};

export const scriptedFetch = async (resource, init) => {
  const { pathname } = new URL(typeof resource === 'string' ? resource : (resource.url ?? resource.href));
  const answer = apis[pathname];
  if (answer === undefined) return new Response(`no script for ${pathname}`, { status: 404 });
  return Response.json(answer(JSON.parse(init.body)));
};
