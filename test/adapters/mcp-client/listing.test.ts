import { createTools, defineTool, ptcExecutor, sandboxRuntime } from 'ptc-runtime';
import { type McpToolListing, registerMcpTools } from 'ptc-runtime/adapters/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_TOOLS } from '../../fixtures/mcp/scripted-server.js';
import { httpHost, type McpHost, mcpHost, untilTools } from '../../support/mcp-host.ts';

const any = { type: 'object' };
const named = (name: string, more: object = {}) => ({ name, inputSchema: any, ...more });

describe('lists of MCP servers', () => {
  let host: McpHost | undefined;
  afterEach(async () => {
    await host?.close();
    expect(host?.tools.definitions() ?? []).toEqual([]);
    host = undefined;
  });
  const open = async (...args: Parameters<typeof httpHost>) => {
    const opened = await httpHost(...args);
    host = opened;
    return opened;
  };
  const names = () => host?.tools.definitions().map(({ name }) => name) ?? [];

  it('5,000 tools on a hundred pages are all registered', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => named(`tool_${index}`));
    const { call } = await open({ tools: many, pageSize: 50 });
    expect(names()).toHaveLength(5_000);
    expect((await call('tool_4999')).value).toBe('called tool_4999');
  });

  it('a server that names a page twice is refused in one line', async () => {
    const endless = httpHost({ results: { 'tools/list': { tools: [named('a')], nextCursor: 'again' } } });
    await expect(endless).rejects.toThrow('Cannot read the list: the server names the page "again" twice');
  });

  it.each([
    [{ $error: 'no lists today' }, 'no lists today'],
    [{ tools: 'many' }, 'Cannot read the list: wanted an array "tools", received none'],
  ])('a first list that cannot be read, %j, names its server in one line', async (answer, reason) => {
    await expect(httpHost({ results: { 'tools/list': answer } })).rejects.toThrow(
      `Cannot list the tools of MCP server "remote": ${reason}`,
    );
  });

  it('a name with line breaks does not break the line that tells of it', async () => {
    const { warnings } = await open({ tools: [named('two\nlines'), named('two\nlines')] });
    expect(warnings.map((warning) => warning.split('\n').length)).toEqual(warnings.map(() => 1));
  });

  it('F5: one tool without a schema, with a broken one or with none of the wanted form costs no other', async () => {
    const { call, warnings } = await open({
      tools: [
        { name: 'bare' },
        named('dangling', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } } }),
        named('text_schema', { inputSchema: 'object' }),
        named('fine'),
        named('fine'),
        { inputSchema: any },
        null,
        named('no_description', { description: 7 }),
      ],
    });
    expect(names()).toEqual(['bare', 'dangling', 'fine', 'no_description']);
    expect((await call('bare', { anything: 1 })).value).toBe('called bare');
    expect((await call('fine')).value).toBe('called fine');
    expect((await call('dangling')).error?.message).toMatch(
      /^Cannot call "dangling": its parameters cannot be used: /,
    );
    expect(warnings).toEqual([
      'MCP server "remote": its tool "text_schema" is left out: its input schema is no object',
      'MCP server "remote": its tool "fine" is listed twice: the first one counts',
      'MCP server "remote": entry 6 of its list is left out: it is no tool with a name',
      'MCP server "remote": entry 7 of its list is left out: it is no tool with a name',
    ]);
  });

  it('what is wrong with a list is told once, however often it is read, and not without end', async () => {
    const broken = Array.from({ length: 150 }, (_, n) => named(`broken_${n}`, { inputSchema: 'object' }));
    const { mcp, warnings } = await open({ tools: [...broken, named('fine')] });
    await mcp.refresh();
    expect(warnings).toHaveLength(100);
    expect(new Set(warnings).size).toBe(100);
    expect(warnings.at(-1)).toMatch(/"broken_99" .*; further ones are not told$/);
    expect(names()).toEqual(['fine']);
  });

  it('X1: a result that breaks its output schema fails the call, and only that', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const { call } = await open({ tools: [named('counted', { outputSchema })] });
    const answer = (n: unknown) => ({ $result: { content: [], structuredContent: { n } } });
    const wrong = await call('counted', answer('many'));
    expect(wrong.error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
    expect(wrong.error?.message).toContain('n');
    expect((await call('counted', answer(3))).value).toEqual({ n: 3 });
  });

  it('X6: a changed list is read again: new tools appear in the SDK text, removed ones are unknown, changed ones replaced', async () => {
    const { tools, call } = await open();
    const runtime = sandboxRuntime({ minIdle: 0 });
    tools.setExecutor(ptcExecutor({ runtime }));
    const sdk = () =>
      tools
        .describe()
        .sections?.map(({ text }) => text)
        .join('\n') ?? '';
    expect(sdk()).toContain('hang(');
    const list = [...DEFAULT_TOOLS.filter(({ name }) => name !== 'hang'), named('fresh')].map((tool) =>
      tool['name'] === 'remote' ? { ...tool, description: 'Described anew.' } : tool,
    );
    await call('become', { tools: list, times: 500 });
    await untilTools(tools, () => tools.get('fresh') !== undefined && tools.get('hang') === undefined);
    expect(sdk()).toContain('fresh(');
    expect(sdk()).not.toContain('hang(');
    expect(sdk()).toContain('Described anew.');
    expect((await call('hang')).error?.info?.code).toBe('UNKNOWN_TOOL');
    expect((await call('fresh')).value).toBe('called fresh');
    await runtime.dispose();
  });

  it('X6: a flood of announcements is read once or twice, not once each', async () => {
    const { tools, call, server } = await open({}, {}, { changeDelayMs: 20 });
    await call('become', { tools: [...DEFAULT_TOOLS, named('fresh')], times: 1_000 });
    await untilTools(tools, () => tools.get('fresh') !== undefined);
    expect(server.seen.filter(({ body }) => body?.method === 'tools/list').length).toBeLessThanOrEqual(3);
  });

  it('X6: a re-read that fails keeps the tools that are there, and says so', async () => {
    const { call, warnings } = await open();
    const before = names();
    await call('become', { broken: true });
    await expect
      .poll(() => warnings)
      .toEqual([
        'MCP server "remote": its tools stay as they were, since the list could not be read again: Cannot list the tools of MCP server "remote": the list is broken',
      ]);
    expect(names()).toEqual(before);
    expect((await call('remote')).value).toBe('called remote');
  });

  it('a list that the host kept needs no connection until a tool is called, and is replaced then', async () => {
    const kept: McpToolListing[] = [named('remote'), named('gone_since')];
    const listings: [string, number][] = [];
    const { call, server, tools } = await open(
      {},
      {},
      {
        cachedListing: () => kept,
        onListing: (name, listing) => listings.push([name, listing.length]),
      },
    );
    expect(names()).toEqual(['remote', 'gone_since']);
    expect(server.seen).toEqual([]);
    expect((await call('remote')).value).toBe('called remote');
    await untilTools(tools, () => tools.get('gone_since') === undefined && tools.get('hang') !== undefined);
    expect(listings).toEqual([['remote', DEFAULT_TOOLS.length]]);
  });

  it('allow and deny choose tools by the name the server gives them', async () => {
    await open({}, { tools: { allow: ['remote', 'hang', 'gone'], deny: ['hang'] } });
    expect(names()).toEqual(['remote']);
  });

  it('X4: hints are kept, feed concurrency, and are overridden per server and per tool', async () => {
    const facts = (name: string) => {
      const { readOnly, destructive, idempotent } = host?.tools.registration(name) ?? {};
      return { readOnly, destructive, idempotent, overlaps: host?.tools.get(name)?.isConcurrencySafe?.({}) };
    };
    await open();
    expect(facts('hang')).toEqual({ readOnly: true, overlaps: true });
    expect(facts('write')).toEqual({ readOnly: false, destructive: true });
    await host?.close();
    await open(
      {},
      {
        hints: { readOnlyHint: false, idempotentHint: true },
        toolHints: { write: { readOnlyHint: true, destructiveHint: false } },
      },
    );
    expect(facts('hang')).toEqual({ readOnly: false, idempotent: true });
    expect(facts('write')).toEqual({ readOnly: true, destructive: false, idempotent: true, overlaps: true });
  });

  it('X5: a plain name that is taken or reserved is reachable under the joined one, keyed by server and real name', async () => {
    const tools = createTools();
    const own = defineTool({
      name: 'remote',
      description: 'The host’s own.',
      parameters: {},
      output: { schema: { type: 'string' }, render: () => [] },
      execute: async () => 'own',
    });
    const dispose = tools.register(own);
    const { server } = await open({ tools: [named('remote'), named('run_code')] });
    const mcp = await mcpHost([{ name: 'far', url: server.url, headers: {} }], {}, tools);
    expect((await mcp.call('remote')).value).toBe('own');
    expect((await mcp.call('far__remote')).value).toBe('called remote');
    expect((await mcp.call('far__run_code')).value).toBe('called run_code');
    expect(tools.registration('far__remote')).toMatchObject({ source: 'far', sourceName: 'remote' });
    expect(mcp.warnings).toEqual([]);
    await mcp.close();
    dispose();
  });

  it('X5: servers whose cleaned names collide are both reachable, with a source of their own each', async () => {
    const { server } = await open();
    const both = await mcpHost([
      { name: 'my-files', url: server.url, headers: {} },
      { name: 'my.files', url: server.url, headers: {} },
    ]);
    expect(both.tools.registration('my_files__write')).toMatchObject({
      source: 'my-files',
      sourceName: 'write',
    });
    expect(both.tools.registration('my_files_2__write')).toMatchObject({
      source: 'my.files',
      sourceName: 'write',
    });
    await both.close();
  });

  it('two servers of one name are refused', async () => {
    const server = { name: 'twin', url: 'http://127.0.0.1:1', headers: {} };
    await expect(registerMcpTools(createTools(), [server, server])).rejects.toThrow(
      'Cannot use MCP server "twin": two servers have that name',
    );
  });
});
