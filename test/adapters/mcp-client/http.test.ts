import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpHost, type McpHost, mcpHost } from '../../support/mcp-host.ts';

describe('MCP servers over streamable HTTP', () => {
  let host: (McpHost & { readonly server?: unknown }) | undefined;
  afterEach(async () => {
    await host?.close();
    host = undefined;
  });
  const open = async (...args: Parameters<typeof httpHost>) => {
    const opened = await httpHost(...args);
    host = opened;
    return opened;
  };

  it('X4: calls carry an arguments object, and every request the configured headers', async () => {
    const { call, server } = await open({}, { headers: { authorization: 'Bearer t0ken-of-mine' } });
    expect((await call('remote')).value).toBe('called remote');
    const sent = server.seen.filter(({ body }) => body?.method === 'tools/call');
    expect(sent.map(({ body }) => body?.params)).toEqual([{ name: 'remote', arguments: {} }]);
    expect(server.seen.map(({ headers }) => headers['authorization'])).toEqual(
      server.seen.map(() => 'Bearer t0ken-of-mine'),
    );
  });

  it('X6: an aborted call sends notifications/cancelled with the id of its request', async () => {
    const { call, server } = await open();
    const abort = new AbortController();
    const pending = call('hang', {}, abort.signal);
    await expect.poll(() => server.seen.some(({ body }) => body?.params?.['name'] === 'hang')).toBe(true);
    abort.abort(new Error('enough'));
    expect((await pending).error?.message).toContain('enough');
    const hanging = server.seen.find(({ body }) => body?.params?.['name'] === 'hang');
    await expect
      .poll(() =>
        server.seen.map(({ body }) => body).filter((body) => body?.method === 'notifications/cancelled'),
      )
      .toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: hanging?.body?.id, reason: 'Error: enough' },
        },
      ]);
    expect((await call('remote')).isError).toBe(false);
  });

  it('a server that closes the stream before it answers fails that call, and the next one works', async () => {
    const { call, server } = await open();
    server.answerNext((response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end());
    expect((await call('remote')).error?.message).toBe(
      'MCP server "remote" did not answer "remote" as it should: it ended the connection without an answer',
    );
    expect((await call('remote')).value).toBe('called remote');
  });

  it('a connection that breaks fails that call with the server named, and the next one works', async () => {
    const { call, server } = await open();
    server.answerNext((response) => response.destroy());
    expect((await call('remote')).error?.message).toMatch(
      /^MCP server "remote" went away before it answered "remote" \([^\n]+\)$/,
    );
    expect((await call('remote')).value).toBe('called remote');
  });

  it('a server that has lost the session gets a new one, and the call is made again', async () => {
    const { call, server } = await open();
    server.forgetSessions();
    expect((await call('remote')).value).toBe('called remote');
    expect(server.seen.filter(({ body }) => body?.method === 'initialize')).toHaveLength(2);
  });

  it('an answer that is no JSON-RPC fails its call alone', async () => {
    const { call, server } = await open();
    server.answerNext((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"half":'),
    );
    expect((await call('remote')).error?.message).toMatch(/^MCP server "remote" [^\n]+$/);
    server.answerNext((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect((await call('remote')).error?.message).toMatch(/^MCP server "remote" [^\n]+$/);
    expect((await call('remote')).value).toBe('called remote');
  });

  it.each(['application/json', 'text/event-stream'])(
    'a message over the bound in %s fails its call alone',
    async (type) => {
      const { call, server } = await open({}, { maxMessageBytes: 10_000 });
      const frame = type === 'application/json' ? '"' : 'data: "';
      server.answerNext((response) =>
        response.writeHead(200, { 'content-type': type }).end(frame + 'x'.repeat(20_000)),
      );
      expect((await call('remote')).error?.message).toContain('its message is larger than 10000 bytes');
      expect((await call('remote')).value).toBe('called remote');
    },
  );

  it('a request that takes longer than the server may take fails with a timeout, and is cancelled', async () => {
    const { call, server } = await open({}, { timeoutMs: 1_000 });
    const { error } = await call('hang');
    expect(error).toMatchObject({
      message: 'MCP server "remote" did not answer "hang" within 1000 ms',
      info: { code: 'TOOL_TIMEOUT' },
    });
    await expect
      .poll(() => server.seen.filter(({ body }) => body?.method === 'notifications/cancelled'))
      .toHaveLength(1);
  });

  it('a server that cannot be reached is named with its address, without query and credentials', async () => {
    const url = 'http://user:passw0rd@127.0.0.1:1/mcp?key=s3cret-key';
    const failed = mcpHost([{ name: 'gone', url, headers: { 'x-key': 'an0ther' } }]);
    await expect(failed).rejects.toThrow(
      /^Cannot reach MCP server "gone" \(http:\/\/127\.0\.0\.1:1\/mcp\): [^\n]+$/,
    );
    const message = await failed.catch((error: Error) => error.message);
    for (const secret of ['passw0rd', 's3cret-key', 'an0ther']) expect(message).not.toContain(secret);
  });

  it.each<[answer: (response: ServerResponse) => void, reason: string]>([
    [
      (response) => response.writeHead(401).end('{}'),
      'it wants to know who calls (HTTP status 401): does "headers" hold a valid token?',
    ],
    [(response) => response.writeHead(403).end(), 'it denies access (HTTP status 403)'],
    [
      (response) => response.writeHead(404).end('<html>\n<b>Not found</b>'),
      'no MCP server answers at this address (HTTP status 404): is the path right?',
    ],
    [
      (response) => response.writeHead(500).end('out of\nmemory'),
      'it answered with HTTP status 500: out of memory',
    ],
    [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello'),
      'what it answers is no MCP message (Unexpected content type: text/html): is the path right?',
    ],
    [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      'what it answers is no MCP message: is the address that of an MCP server?',
    ],
    [(response) => void response.destroy(), 'fetch failed: other side closed'],
    [() => {}, 'it did not answer within 500 ms: is it an MCP server?'],
  ])('an address that no MCP server answers is told with what to look at, %#', async (answer, reason) => {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    const warnings: string[] = [];
    const failed = mcpHost([{ name: 'odd', url, headers: {}, timeoutMs: 500 }], {
      onWarning: (message) => warnings.push(message),
    });
    await expect(failed).rejects.toThrow(`Cannot reach MCP server "odd" (${url}): ${reason}`);
    expect(warnings).toEqual([]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('what the system said of a server that cannot be reached is told once', async () => {
    const failed = mcpHost([{ name: 'gone', url: 'http://127.0.0.1:1/mcp', headers: {} }]);
    await expect(failed).rejects.toThrow(
      /: fetch failed: connect ECONNREFUSED 127\.0\.0\.1:1$|: fetch failed: bad port$/,
    );
  });

  it('a server that quotes a secret in an error shows nothing of it', async () => {
    const { call, server } = await open({}, { headers: { authorization: 'Bearer t0ken-of-mine' } });
    server.answerNext((response) => response.writeHead(500).end('bad token t0ken-of-mine'));
    const { error } = await call('remote');
    expect(error?.message).toContain('[hidden]');
    expect(error?.message).not.toContain('t0ken-of-mine');
    const quoted = { $result: { isError: true, content: [{ type: 'text', text: 'bad: t0ken-of-mine' }] } };
    expect((await call('remote', quoted)).error?.message).toBe('bad: [hidden]');
  });

  it('several servers are reached at once, each under its own prefix', async () => {
    const first = await open();
    const both = await mcpHost([
      { name: 'one', url: first.server.url, headers: {} },
      { name: 'two', url: first.server.url, headers: {} },
    ]);
    const results = await Promise.all([both.call('one__remote'), both.call('two__remote')]);
    expect(results.map(({ value }) => value)).toEqual(['called remote', 'called remote']);
    await both.close();
  });
});
