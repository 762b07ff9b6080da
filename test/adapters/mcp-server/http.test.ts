import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runCode, type Served, served, textOf } from '../../support/mcp-served.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** A request whose `Host` header can be chosen, which fetch does not allow. */
function ask(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

describe('who may speak to the server over HTTP', () => {
  let host: Served | undefined;
  afterEach(async () => {
    await host?.close();
    host = undefined;
  });
  const open = async (options: Parameters<typeof served>[1] = {}) => {
    host = await served('ptc', options);
    return host;
  };

  it.each([
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:80' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:6274' }, 200],
    [{}, 200],
  ])('a request with %j is answered with %i', async (headers, status) => {
    const { url } = await open();
    const answer = await ask(url, 'POST', { ...JSON_HEADERS, ...headers }, initialize);
    expect(answer.status).toBe(status);
  });

  it('hosts and origins can be allowed by name', async () => {
    const { url } = await open({ allowedHosts: ['tools.example'], allowedOrigins: ['app.example'] });
    const headers = { ...JSON_HEADERS, host: 'tools.example', origin: 'https://app.example' };
    const answer = await ask(url, 'POST', headers, initialize);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    const preflight = await ask(url, 'OPTIONS', { origin: 'https://app.example' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('mcp-session-id');
  });

  it('with a token, every request must carry it, and a wrong one is told how', async () => {
    const { url, connect: connectClient } = await open({ bearerToken: 'right-token' });
    for (const authorization of ['', 'Bearer wrong', 'Bearer ', 'right-token', 'Basic right-token']) {
      const answer = await ask(url, 'POST', { ...JSON_HEADERS, authorization }, initialize);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
    const connected = await connectClient('legacy');
    expect(textOf(await runCode(connected, 'return "in"'))).toBe('in');
  });

  it('an unknown path, session, method, body or type has its status and ends nothing', async () => {
    const { url, connect: connectClient } = await open();
    const statuses = await Promise.all([
      ask(url.replace('/mcp', '/other'), 'POST', JSON_HEADERS, initialize),
      ask(
        url,
        'POST',
        { ...JSON_HEADERS, 'mcp-session-id': 'gone' },
        initialize.replace('initialize', 'ping'),
      ),
      ask(url, 'PATCH', JSON_HEADERS, initialize),
      ask(url, 'POST', JSON_HEADERS, '{"half":'),
      ask(url, 'POST', { ...JSON_HEADERS, 'content-type': 'text/plain' }, initialize),
      ask(url, 'POST', JSON_HEADERS, initialize.replace('initialize', 'tools/list')),
      ask(url, 'GET', { accept: 'text/event-stream' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 405, 400, 415, 400, 400]);
    expect(textOf(await runCode(await connectClient('auto'), 'return "alive"'))).toBe('alive');
  });

  it('a body that is too large is refused, and bytes that are no HTTP end their own connection', async () => {
    const { url, connect: connectClient } = await open();
    const big = await ask(url, 'POST', JSON_HEADERS, `"${'x'.repeat(17 * 1024 * 1024)}"`).catch(() => ({
      status: 413,
    }));
    expect(big.status).toBe(413);
    const { port } = new URL(url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end('rubbish\r\n\r\n'));
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect(textOf(await runCode(await connectClient('legacy'), 'return "alive"'))).toBe('alive');
  });

  it('the session that was silent longest ends when there are too many', async () => {
    const { url } = await open({ maxSessions: 2 });
    const session = async () =>
      String((await ask(url, 'POST', JSON_HEADERS, initialize)).headers['mcp-session-id']);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    const status = async (id: string) =>
      (await ask(url, 'POST', { ...JSON_HEADERS, 'mcp-session-id': id }, list)).status;
    const [first, second] = [await session(), await session()];
    expect(await status(first)).toBe(200);
    const third = await session();
    expect([await status(first), await status(second), await status(third)]).toEqual([200, 404, 200]);
    await ask(url, 'DELETE', { 'mcp-session-id': third });
    expect(await status(third)).toBe(404);
  });
});
