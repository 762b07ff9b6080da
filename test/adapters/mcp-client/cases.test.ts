import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTools, ptcExecutor, sandboxRuntime, toolCallId } from 'ptc-runtime';
import { registerMcpTools } from 'ptc-runtime/adapters/mcp-client';
import { afterAll, describe, expect, it } from 'vitest';
import { type McpHttpTestServer, startMcpHttpServer } from '../../support/mcp-http-server.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/cases');

interface McpCase {
  readonly $case: { readonly case: string; readonly kind: string; readonly expect: string };
  readonly tool: Record<string, unknown>;
  readonly callToolResult: Record<string, unknown>;
  readonly program: string;
  readonly expectedValue: unknown;
}

const cases = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as McpCase)
  .filter(({ $case }) => $case?.kind === 'mcp');

/** The requirement that each case is an instance of. */
const IDS: Readonly<Record<string, string>> = { 147: 'X2', 153: 'X3', 155: 'X3', 158: 'X2' };

describe.each(['isolated-vm', 'quickjs'] as const)('results of MCP tools in programs on %s', (engine) => {
  const runtime = sandboxRuntime({ engine });
  afterAll(() => runtime.dispose());

  async function run(tool: Record<string, unknown>, answer: unknown, programs: readonly string[]) {
    const server: McpHttpTestServer = await startMcpHttpServer({
      tools: [{ inputSchema: { type: 'object' }, ...tool }],
      call: () => answer,
    });
    const tools = createTools();
    const mcp = await registerMcpTools(tools, [{ name: 'far', url: server.url, headers: {} }]);
    tools.setExecutor(ptcExecutor({ runtime }));
    try {
      const { results } = await tools.execute({
        agent: { id: 'a' },
        signal: new AbortController().signal,
        calls: programs.map((code, n) => ({
          callId: toolCallId(`c${n}`),
          name: 'run_code',
          arguments: JSON.stringify({ code, description: 'case' }),
        })),
      });
      const sent = server.seen
        .filter(({ body }) => body?.method === 'tools/call')
        .map(({ body }) => body?.params);
      return { results: results.map(({ result }) => result), sent };
    } finally {
      await mcp.close();
      await server.close();
    }
  }

  it('every case of the kind is here', () => {
    expect(cases.length).toBeGreaterThanOrEqual(9);
  });

  it.each(cases.map((one) => [one.$case.case, IDS[one.$case.case] ?? 'X1', one.$case.expect, one] as const))(
    'case %s, %s: %s',
    async (_case, _id, _expect, { tool, callToolResult, program, expectedValue }) => {
      const { results } = await run(tool, callToolResult, [program]);
      expect(results[0]?.value).toEqual({ logs: [], result: expectedValue });
    },
  );

  it.each(['42', 'null', 'true', '"q"'])('case 146, X1: the text %s stays text', async (text) => {
    const { results } = await run({ name: 'remote' }, { content: [{ type: 'text', text }] }, [
      'return await tools.remote({})',
    ]);
    expect(results[0]?.value).toEqual({ logs: [], result: text });
  });

  it('case 155, X3: printing an image shows no base64 to the model', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD'.repeat(5_000) };
    const { results } = await run({ name: 'remote' }, { content: [image] }, [
      'const r = await tools.remote({}); console.log("got", r[0].mimeType); return r[0].type',
    ]);
    const text = results[0]?.content.map((block) => JSON.stringify(block)).join('') ?? '';
    expect(text).not.toContain('QUJDQUJD');
    const [context] = results[0]?.additionalContexts ?? [];
    expect(context?.content).toEqual([image]);
  });

  it('case 159, X4: a call without arguments sends {}, and what is no object is not sent', async () => {
    const { results, sent } = await run({ name: 'remote' }, { content: [] }, [
      'await tools.remote()',
      'await tools.remote({})',
      'await tools.remote(undefined)',
      ...['5', '[1]', '"x"'].map(
        (arg) => `try { await tools.remote(${arg} as any); } catch (e: any) { return e.message; }`,
      ),
    ]);
    expect(sent).toEqual([1, 2, 3].map(() => ({ name: 'remote', arguments: {} })));
    for (const { value } of results.slice(3)) {
      expect((value as { result?: string }).result).toMatch(/object/);
    }
  });
});
