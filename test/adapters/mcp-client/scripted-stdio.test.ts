import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpHost, mcpHost, stdioServer } from '../../support/mcp-host.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

describe('a server over standard streams that does not behave', () => {
  let host: McpHost;
  beforeAll(async () => {
    host = await mcpHost([stdioServer({}, { env: { TOKEN: 's3cret-token' }, maxMessageBytes: 60_000_000 })]);
  });
  afterAll(() => host.close());
  const recorded = async () =>
    ((await host.call('recorded')).value as unknown as { messages: Message[] }).messages;

  it('X6: an aborted call sends notifications/cancelled with the id of its request', async () => {
    const abort = new AbortController();
    const pending = host.call('hang', {}, abort.signal);
    // Answered after the server has read the first request.
    const hanging = (await recorded()).find(({ params }) => params?.['name'] === 'hang');
    abort.abort(new Error('enough'));
    expect((await pending).error?.message).toContain('enough');
    const cancelled = (await recorded()).filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.map(({ params }) => params)).toEqual([
      { requestId: hanging?.id, reason: 'Error: enough' },
    ]);
  });

  it.each([
    [{ $raw: '"text"' }, 'it sent a line that is no JSON-RPC message'],
    [{ $raw: '{"content":[],"n":NaN}' }, 'it sent a line that is no JSON-RPC message'],
    [{ $result: { content: 'x' } }, 'wanted an array "content", received string "x"'],
    [{ $result: { content: 3 } }, 'wanted an array "content", received number 3'],
  ])('an answer that is no result, %j, fails its call alone', async (args, reason) => {
    const [broken, fine] = await Promise.all([host.call('remote', args), host.call('remote')]);
    expect(broken.error?.message).toContain(reason);
    expect(fine.value).toBe('called remote');
  });

  it('what can be read of an odd result is read', async () => {
    const content = [3, null, { type: 'text', text: 'x' }, { type: 'unheard-of', y: 1 }];
    const result = await host.call('remote', { $result: { content } });
    expect(result.value).toEqual([
      { type: 'text', text: '3' },
      { type: 'text', text: 'null' },
      { type: 'text', text: 'x' },
      { type: 'unheard-of', y: 1 },
    ]);
    expect((await host.call('remote', { $result: { structuredContent: 3 } })).value).toBe(3);
    expect((await host.call('remote', { $result: {} })).value).toBeNull();
  });

  it('X6: progress that arrives in one piece with the answer is heard', async () => {
    const heard: number[] = [];
    const listening = await mcpHost([stdioServer()], { onProgress: ({ progress }) => heard.push(progress) });
    expect((await listening.call('steps')).value).toBe('stepped');
    expect(heard).toEqual([1, 2]);
    await listening.close();
  });

  it('X6: an answer that comes after its call was cancelled is no complaint', async () => {
    const before = host.warnings.length;
    const abort = new AbortController();
    const pending = host.call('later', {}, abort.signal);
    await recorded();
    abort.abort(new Error('enough'));
    await pending;
    // It answers what it held back, late, before this one.
    expect((await host.call('release')).value).toBe('released');
    expect(host.warnings.length).toBe(before);
  });

  it('lines that are no messages are reported a few times and cost no call', async () => {
    expect((await host.call('rubbish')).value).toBe('after the rubbish');
    const told = 'MCP server "local": it sent a line that is no JSON-RPC message';
    expect(host.warnings).toEqual([
      `${told}: "no json"`,
      `${told}: "{\\"jsonrpc\\":\\"1.0\\"}"`,
      `${told}: "[]"; further ones are not told`,
    ]);
  });

  it('a result of 50 MB arrives; one over the bound fails its call alone', async () => {
    const [large, other, small] = await Promise.all([
      host.call('big', { bytes: 50_000_000 }),
      host.call('big', { bytes: 60_000_001 }),
      host.call('remote'),
    ]);
    expect((large.value as string).length).toBe(50_000_000);
    expect(other.error?.message).toBe(
      'MCP server "local" did not answer "big" as it should: its message is larger than 60000000 bytes',
    );
    expect(small.value).toBe('called remote');
  });

  it('a server that dies fails the calls in flight with its last words and no secret, and is back for the next', async () => {
    const [hanging, dying] = await Promise.all([host.call('hang'), host.call('die')]);
    expect(dying.error?.message).toBe(
      'MCP server "local" went away before it answered "die" (exit code 7: last words [hidden])',
    );
    expect(hanging.error?.message).toContain('went away before it answered "hang"');
    expect((await host.call('remote')).value).toBe('called remote');
  });

  it('a secret that a server quotes in an error does not reach the program', async () => {
    expect((await host.call('environment')).error?.message).toBe('token [hidden]');
  });
});

describe('a server that does not come back', () => {
  it('is tried again after a growing wait, once for all calls that wait, and close ends the wait', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
    const once = join(folder, 'started');
    const waits: number[] = [];
    const host = await mcpHost([stdioServer({ onlyOnce: once })], {
      retryDelayMs(failures) {
        waits.push(failures);
        return failures < 3 ? 0 : 2_147_483_647;
      },
    });
    expect(existsSync(once)).toBe(true);
    await host.call('die');
    const first = await Promise.all([host.call('remote'), host.call('remote')]);
    expect(first.map(({ error }) => error?.message)).toEqual(
      first.map(() => expect.stringMatching(/^Cannot start MCP server "local" .*exit code 4/)),
    );
    await host.call('remote');
    await host.call('remote');
    expect(waits).toEqual([1, 2]);
    const waiting = host.call('remote');
    const abort = new AbortController();
    const given = host.call('remote', {}, abort.signal);
    abort.abort(new Error('no more'));
    expect((await given).error?.message).toContain('no more');
    expect(waits).toEqual([1, 2, 3]);
    const closing = host.close();
    expect((await waiting).error?.message).toContain('was closed');
    await closing;
    rmSync(folder, { recursive: true });
  });
});
