import type { McpServerConfig } from 'ptc-runtime/adapters/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { type McpHost, mcpHost } from '../../support/mcp-host.ts';
import { type McpHttpTestServer, startMcpHttpServer } from '../../support/mcp-http-server.ts';

const { signal } = new AbortController();
const any = { tools: {}, resources: {}, prompts: {} };
const listed = (...uris: string[]) => ({ resources: uris.map((uri) => ({ uri, name: uri })) });
const content = (uri: string, text: string) => ({ contents: [{ uri, text }] });
const refused = (uri: string) => ({ $error: `no resource ${uri} here`, code: -32602 });

describe('what MCP servers offer beside tools', () => {
  const servers: McpHttpTestServer[] = [];
  let host: McpHost | undefined;
  afterEach(async () => {
    await host?.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function open(results: Record<string, object>, config: object = { resources: true, prompts: true }) {
    const configs: McpServerConfig[] = [];
    for (const [name, answers] of Object.entries(results)) {
      const server = await startMcpHttpServer({ capabilities: any, results: answers });
      servers.push(server);
      configs.push({ name, url: server.url, headers: {}, ...config });
    }
    host = await mcpHost(configs);
    return host.mcp.catalogue;
  }

  it('is one list of all of them, each address once, and without what is no entry', async () => {
    const { resources, hasResources, hasPrompts } = await open({
      one: { 'resources/list': listed('a://1', 'a://2') },
      two: { 'resources/list': { resources: [...listed('a://2', 'b://1').resources, null, { uri: 3 }, {}] } },
      broken: { 'resources/list': { $error: 'out of order' } },
    });
    expect([hasResources, hasPrompts]).toEqual([true, true]);
    expect((await resources(signal)).map(({ uri }) => uri)).toEqual(['a://1', 'a://2', 'b://1']);
  });

  it('an address is read where it is listed, else where somebody has it; what its own server says of a failure counts', async () => {
    const has = (texts: Record<string, string>) => (params: { uri: string }) =>
      params.uri in texts ? content(params.uri, texts[params.uri] ?? '') : refused(params.uri);
    const { resources, readResource } = await open({
      one: {
        'resources/list': listed('a://1'),
        'resources/read': has({ 'a://1': 'of one', 'b://2': 'unlisted' }),
      },
      two: {
        'resources/list': listed('b://1'),
        'resources/read': has({ 'a://1': 'of two', 'b://1': 'of two' }),
      },
    });
    await resources(signal);
    expect(await readResource('a://1', signal)).toEqual(content('a://1', 'of one'));
    expect(await readResource('b://1', signal)).toEqual(content('b://1', 'of two'));
    expect(await readResource('b://2', signal)).toEqual(content('b://2', 'unlisted'));
    await expect(readResource('c://1', signal)).rejects.toThrow('no resource c://1 here');
  });

  it('prompts of several servers have their prefixes, and are got by them', async () => {
    const prompts = (server: string) => ({
      'prompts/list': { prompts: [{ name: 'hello', description: server }] },
      'prompts/get': ({ name, arguments: args }: { name: string; arguments: object }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify([server, name, args]) } }],
      }),
    });
    const catalogue = await open({ one: prompts('one'), two: prompts('two') });
    expect((await catalogue.prompts(signal)).map(({ name }) => name)).toEqual(['one__hello', 'two__hello']);
    expect(JSON.stringify(await catalogue.getPrompt('two__hello', { who: 'me' }, signal))).toContain(
      JSON.stringify(JSON.stringify(['two', 'hello', { who: 'me' }])).slice(1, -1),
    );
    await expect(catalogue.getPrompt('hello', {}, signal)).rejects.toThrow('there is no such prompt');
  });

  it('every policy sees a reading', async () => {
    const { resources, readResource } = await open({
      one: { 'resources/list': listed('a://1'), 'resources/read': content('a://1', 'secret') },
    });
    const seen: string[] = [];
    host?.tools.on('tools/pre-execute', async ({ name }, next) => {
      seen.push(name);
      return name === 'read_resource' ? { kind: 'deny', reason: 'not today' } : next();
    });
    expect(await resources(signal)).toHaveLength(1);
    await expect(readResource('a://1', signal)).rejects.toThrow('not today');
    expect(seen).toEqual(['list_resources', 'read_resource']);
  });

  it('a server whose configuration does not say so offers nothing, and is asked nothing', async () => {
    const catalogue = await open({ one: { 'resources/list': listed('a://1') } }, {});
    expect([catalogue.hasResources, catalogue.hasPrompts]).toEqual([false, false]);
    expect(await catalogue.resources(signal)).toEqual([]);
    await expect(catalogue.readResource('a://1', signal)).rejects.toThrow('no server offers resources');
    expect(servers[0]?.seen.map(({ body }) => body?.method)).not.toContain('resources/list');
  });
});
