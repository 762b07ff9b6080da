import type { McpLogMessage, McpProgress, McpRoot } from 'ptc-runtime/adapters/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { httpHost, type McpHost } from '../../support/mcp-host.ts';

describe('what MCP servers tell beside their results', () => {
  let host: McpHost | undefined;
  afterEach(() => host?.close());
  const open = async (...args: Parameters<typeof httpHost>) => {
    const opened = await httpHost(...args);
    host = opened;
    return opened;
  };

  it('X6: progress reaches the host with the call that it belongs to', async () => {
    const heard: McpProgress[] = [];
    const { call } = await open({}, {}, { onProgress: (progress) => heard.push(progress) });
    expect((await call('steps')).value).toBe('stepped');
    const about = { server: 'remote', tool: 'steps', callId: 'c', total: 2 };
    expect(heard).toEqual([
      { ...about, progress: 1, message: 'step 1' },
      { ...about, progress: 2, message: 'step 2' },
    ]);
  });

  it('log messages reach the host without secrets; a listener that throws breaks nothing', async () => {
    const heard: McpLogMessage[] = [];
    const { call } = await open(
      {},
      { headers: { 'x-key': 's3cret-key' } },
      {
        onLog(message) {
          heard.push(message);
          throw new Error('the host is broken');
        },
      },
    );
    const messages = [
      { level: 'info', data: { text: 'with s3cret-key', n: 1 } },
      { level: 'error', logger: 'db', data: 'lost s3cret-key' },
    ];
    expect((await call('say', { messages })).value).toBe('said');
    expect(heard).toEqual([
      { server: 'remote', level: 'info', data: { text: 'with [hidden]', n: 1 } },
      { server: 'remote', level: 'error', logger: 'db', data: 'lost [hidden]' },
    ]);
  });

  it('ten thousand log messages and malformed ones do not break the call they come with', async () => {
    let heard = 0;
    const { call, warnings } = await open({}, {}, { onLog: () => (heard += 1) });
    const flood = Array.from({ length: 10_000 }, () => ({ level: 'debug', data: 'x' }));
    expect((await call('say', { messages: [{ level: 7 }, ...flood] })).value).toBe('said');
    expect(heard).toBe(10_000);
    expect(warnings.length).toBeLessThanOrEqual(3);
  });

  it('roots are told when asked for, and that they changed', async () => {
    let roots: McpRoot[] = [{ uri: 'file:///a', name: 'a' }];
    const { call, server, mcp } = await open({}, {}, { roots: () => roots });
    const asked = async () => JSON.stringify((await call('roots')).value);
    expect(await asked()).toContain('file:///a');
    roots = [{ uri: 'file:///b' }];
    await mcp.rootsChanged();
    expect(server.seen.map(({ body }) => body?.method)).toContain('notifications/roots/list_changed');
    expect(await asked()).toContain('file:///b');
  });

  it('without roots a server is told that there is no such thing', async () => {
    const { call, server } = await open();
    expect(JSON.stringify((await call('roots')).value)).toContain('-32601');
    const initialize = server.seen.find(({ body }) => body?.method === 'initialize');
    expect(initialize?.body?.params).toMatchObject({ capabilities: {} });
  });
});

describe('resources and prompts as tools', () => {
  let host: McpHost | undefined;
  afterEach(() => host?.close());
  const script = {
    tools: [{ name: 'list_prompts', inputSchema: { type: 'object' } }],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    results: {
      'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': { contents: [{ uri: 'file:///a', text: 'body' }], _meta: { x: 1 } },
      'prompts/list': { prompts: [{ name: 'greet' }] },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }] },
    },
  };

  it('X3, X4: they exist when asked for, read only, and a resource keeps its text and its address', async () => {
    const opened = await httpHost(script, { resources: true, prompts: true });
    host = opened;
    const { call, tools, server } = opened;
    expect((await call('list_resources')).value).toEqual([{ uri: 'file:///a', name: 'a' }]);
    const read = await call('read_resource', { uri: 'file:///a' });
    expect(read.value).toEqual({ contents: [{ uri: 'file:///a', text: 'body' }] });
    expect(read.content).toEqual([{ type: 'resource', resource: { uri: 'file:///a', text: 'body' } }]);
    expect((await call('get_prompt', { name: 'greet', arguments: { to: 'you' } })).value).toEqual(
      script.results['prompts/get'],
    );
    expect(server.seen.at(-1)?.body?.params).toEqual({ name: 'greet', arguments: { to: 'you' } });
    expect((await call('list_resource_templates')).value).toEqual([]);
    expect(tools.registration('read_resource')).toMatchObject({ readOnly: true, source: 'remote' });
    expect(tools.get('read_resource')?.isConcurrencySafe?.({})).toBe(true);
    expect((await call('read_resource')).error?.info?.code).toBe('INVALID_ARGS');
    // A tool of the server that has the name keeps it.
    expect((await call('list_prompts')).value).toBe('called list_prompts');
  });

  it('they do not exist unasked, nor for a server that offers none', async () => {
    const opened = await httpHost({ tools: [] }, { resources: true, prompts: true });
    host = opened;
    expect(opened.tools.definitions()).toEqual([]);
  });
});
