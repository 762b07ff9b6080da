// An OpenAPI document becomes typed tools; a program calls them at a local server, which wants the host's own key.
import { createServer } from 'node:http';
import { createTools, ptcExecutor, sandboxRuntime, toolCallId } from 'ptc-runtime';
import { registerOpenApiTools } from 'ptc-runtime/adapters/openapi';

const prices = { pen: 30, paper: 50, ink: 30 };
const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === 'Bearer key-of-the-host';
  response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isKnown ? { price: prices[request.url.split('/').at(-1)] } : null));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const priceSchema = { type: 'object', properties: { price: { type: 'integer' } }, required: ['price'] };
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/prices/{article}': {
      get: {
        operationId: 'price',
        summary: 'Looks up the price of an article.',
        parameters: [{ name: 'article', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: priceSchema } } } },
      },
    },
  },
};

const runtime = sandboxRuntime();
const tools = createTools();
tools.setExecutor(ptcExecutor({ runtime }));
registerOpenApiTools(tools, document, {
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  authorize: () => ({ headers: { authorization: 'Bearer key-of-the-host' } }),
});

const code = `
  const found = await Promise.all(['pen', 'paper', 'ink'].map((article) => tools.price({ article })));
  return found.reduce((sum, { price }) => sum + price, 0);
`;
const { results } = await tools.execute({
  calls: [
    {
      callId: toolCallId('call_1'),
      name: 'run_code',
      arguments: JSON.stringify({ code, description: 'Total price' }),
    },
  ],
  signal: new AbortController().signal,
});
console.log(results[0].result.value.result);
await runtime.dispose();
server.close();
server.closeAllConnections();
