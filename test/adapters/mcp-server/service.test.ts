import { defineTool, importTool } from 'ptc-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate } from '../../support/gate.ts';
import { type Era, runCode, type Served, served, textOf } from '../../support/mcp-served.ts';

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'https://example.test/a', name: 'a' };
const sound = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };

const anyOutput = { schema: { type: 'json' }, render: () => [{ type: 'text', text: 'done' }] } as const;

function addTools({ tools }: Served) {
  const entered = gate();
  const stopped = gate<unknown>();
  const made: string[] = [];
  tools.register(
    defineTool({
      name: 'add',
      description: 'Adds.',
      parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
      output: { schema: { type: 'number' }, render: (_, value) => [{ type: 'text', text: String(value) }] },
      isConcurrencySafe: () => true,
      execute: async ({ a, b }) => a + b,
    }),
    { readOnly: true },
  );
  tools.register(
    defineTool({
      name: 'wait',
      description: 'Waits until it is aborted.',
      parameters: {},
      output: anyOutput,
      isConcurrencySafe: () => true,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.open(signal.reason);
            reject(signal.reason);
          });
          entered.open();
        }),
    }),
  );
  tools.register(
    defineTool({
      name: 'write',
      description: 'Writes.',
      parameters: { path: { type: 'string', required: true } },
      output: anyOutput,
      isConcurrencySafe: () => true,
      execute: async ({ path }) => {
        made.push(path);
        return null;
      },
    }),
    { source: 'files', sourceName: 'write_file', destructive: true },
  );
  tools.register(
    defineTool({
      name: 'show',
      description: 'Shows.',
      parameters: { what: { type: 'json', required: true } },
      output: { schema: { type: 'json' }, render: (_, value) => value as never },
      execute: async ({ what }) => what,
    }),
  );
  return { entered, stopped, made };
}

describe.each(['legacy', 'auto'] as const)('a service for MCP clients, %s', (era: Era) => {
  let host: Served;
  let probes: ReturnType<typeof addTools>;
  const open = async (...args: Parameters<typeof served>) => {
    host = await served(...args);
    probes = addTools(host);
    return host;
  };
  beforeEach(async () => {
    await open();
  });
  afterEach(() => host.close());

  it('offers run_code alone, with the text that declares the tools', async () => {
    const { client } = await host.connect(era);
    expect(client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['run_code']);
    expect(tools[0]?.description).toContain('add(args: { a: number; b: number }');
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['code', 'description'] });
  });

  it('runs a program, reports each of its calls as progress and its log as log messages', async () => {
    const connected = await host.connect(era);
    if (era === 'legacy') await connected.client.setLoggingLevel('info');
    const code = `console.log('seen'); return (await Promise.all([1, 2].map((n) => tools.add({ a: n, b: n })))).join()`;
    const result = await connected.client.callTool(
      {
        name: 'run_code',
        arguments: { code, description: 'adds' },
        ...(era === 'auto' && { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }),
      },
      { onprogress: (progress) => connected.heard.progress.push(progress) },
    );
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain('2,4');
    const { progress, logs } = connected.heard;
    expect(progress.map(({ message }) => message).sort()).toEqual([
      '-> 1 add',
      '-> 2 add',
      '<- 1 add ok',
      '<- 2 add ok',
    ]);
    expect(progress.map((one) => one.progress)).toEqual([1, 2, 3, 4]);
    expect(logs).toEqual([{ level: 'info', logger: 'program', data: 'seen' }]);
  });

  it('a program that fails is a failed result with the model’s own text, and the connection goes on', async () => {
    const connected = await host.connect(era);
    const failed = await runCode(connected, 'throw new Error("broken on purpose")');
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('broken on purpose');
    expect(textOf(await runCode(connected, 'return await tools.add({ a: 1, b: 1 })'))).toContain('2');
  });

  it('X3: images, sounds and links of sub-calls are passed on, each once; other kinds as text', async () => {
    const connected = await host.connect(era);
    const shown = JSON.stringify([image, link, sound]);
    const result = await runCode(
      connected,
      `await tools.show({ what: ${shown} }); await tools.show({ what: ${shown} }); return 'shown'`,
    );
    const kinds = result.content.map(({ type }) => type);
    expect(kinds.filter((kind) => kind === 'image').length).toBeGreaterThanOrEqual(1);
    expect(result.content).toContainEqual(link);
    expect(result.content).toContainEqual(sound);
    expect(textOf(result)).not.toContain('aGk=');
    const odd = await runCode(
      connected,
      `await tools.show({ what: [{ type: 'audio', data: 3 }] }); return 1`,
    );
    expect(odd.content.at(-1)).toEqual({ type: 'text', text: '{"type":"audio","data":3}' });
  });

  it('X6: cancelling a call ends its program and the calls that it made', async () => {
    const connected = await host.connect(era);
    const abort = new AbortController();
    const pending = runCode(connected, 'return await tools.wait({})', abort.signal);
    pending.catch(() => {});
    await probes.entered.promise;
    abort.abort(new Error('no longer wanted'));
    await expect(pending).rejects.toThrow();
    expect(await probes.stopped.promise).toBeInstanceOf(Error);
    expect(textOf(await runCode(connected, 'return "alive"'))).toBe('alive');
  });

  it('an approval is a question to the person at the client: accepted calls run, declined ones do not', async () => {
    const { tools } = host;
    tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'write' ? { kind: 'ask', reason: 'Writing is asked about.' } : next(),
    );
    const asked: string[] = [];
    const connected = await host.connect(era, (message) => {
      asked.push(message);
      return message.includes('"b.txt"') ? { action: 'decline' } : { action: 'accept', content: {} };
    });
    const code = `const done = await Promise.allSettled(['a.txt', 'b.txt', 'c.txt'].map((path) => tools.write({ path })));
return done.map((one) => one.status === 'fulfilled' ? 'ok' : one.reason.message).join('\\n')`;
    const result = await runCode(connected, code);
    expect(textOf(result).split('\n').slice(0, 3)).toEqual([
      'ok',
      'The call of "write" was rejected by the approver',
      'ok',
    ]);
    expect(probes.made.sort()).toEqual(['a.txt', 'c.txt']);
    expect(asked[0]).toMatch(
      /^Allow write \("write_file" of "files"\), line 1 of the program\?\nWriting is asked about\.\n/,
    );
  });

  it('questions one after the other keep the program where it is', async () => {
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'write' ? { kind: 'ask' } : next(),
    );
    let asked = 0;
    const connected = await host.connect(era, () => {
      asked += 1;
      return { action: 'accept', content: {} };
    });
    const code = `let n = 0; for (const path of ['a', 'b', 'c']) { await tools.write({ path }); n += 1; } return n`;
    expect(textOf(await runCode(connected, code))).toContain('3');
    expect({ asked, made: probes.made }).toEqual({ asked: 3, made: ['a', 'b', 'c'] });
  });

  it('a client that cannot be asked gets a denial and no write', async () => {
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'write' ? { kind: 'ask' } : next(),
    );
    const code = `try { await tools.write({ path: 'a' }); } catch (e: any) { return e.message }`;
    expect(textOf(await runCode(await host.connect(era), code))).toContain('requires approval');
    expect(probes.made).toEqual([]);
  });

  it('changed tools are announced, and the next list has them', async () => {
    const { client, heard } = await host.connect(era);
    await client.listTools();
    host.tools.register(
      importTool({
        name: 'fresh',
        description: 'New.',
        parameters: { type: 'object' },
        output: { schema: {}, render: () => [] },
        execute: async () => null,
      }),
    );
    await expect.poll(() => heard.changes).toBeGreaterThanOrEqual(1);
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain('fresh(');
  });

  it('a tool that does not exist is a protocol error, bad arguments a failed result', async () => {
    const { client } = await host.connect(era);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(
      'Unknown tool: no_such_tool',
    );
    const bad = await client.callTool({ name: 'run_code', arguments: { code: 3 } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toContain('code');
  });

  it('a tool that only programs may call says so when it is called directly', async () => {
    const { client } = await host.connect(era);
    const direct = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    expect(direct.isError).toBe(true);
    expect(textOf(direct)).toContain('run_code');
  });

  it('mode native offers the tools themselves with their hints, mode both both', async () => {
    await host.close();
    await open('native');
    const { client } = await host.connect(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['add', 'wait', 'write', 'show']);
    expect(tools[0]?.annotations).toEqual({ readOnlyHint: true });
    expect(tools[2]?.annotations).toEqual({ destructiveHint: true });
    expect((await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).content).toEqual([
      { type: 'text', text: '3' },
    ]);
    await host.close();
    await open('both');
    const both = await host.connect(era);
    expect((await both.client.listTools()).tools.map(({ name }) => name)).toEqual([
      'run_code',
      'add',
      'wait',
      'write',
      'show',
    ]);
    expect(textOf(await both.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }))).toBe('3');
    expect(textOf(await runCode(both, 'return await tools.add({ a: 2, b: 2 })'))).toContain('4');
  });

  it('two clients run at the same time on one pool, and hear only of their own', async () => {
    const [one, two] = await Promise.all([host.connect(era), host.connect(era)]);
    const results = await Promise.all([
      runCode(one, 'return await tools.add({ a: 1, b: 0 })'),
      runCode(two, 'await tools.add({ a: 1, b: 0 }); return await tools.add({ a: 2, b: 0 })'),
    ]);
    expect(results.map(textOf)).toEqual([expect.stringContaining('1'), expect.stringContaining('2')]);
    expect([one.heard.progress.length, two.heard.progress.length]).toEqual([2, 4]);
  });

  it('a source that logs without end buries nobody in messages', async () => {
    const connected = await host.connect(era);
    if (era === 'legacy') await connected.client.setLoggingLevel('info');
    for (let n = 0; n < 10_000; n += 1) host.service.log('info', `line ${n}`, `loud/${n}`, 'loud');
    host.service.log('info', 'still heard', 'quiet');
    expect(textOf(await runCode(connected, 'return "alive"'))).toBe('alive');
    if (era === 'auto') return;
    await expect.poll(() => connected.heard.logs.at(-1)?.data).toBe('still heard');
    const { logs } = connected.heard;
    expect(logs).toHaveLength(202);
    expect(logs[200]).toEqual({
      level: 'warning',
      logger: 'loud/200',
      data: 'more messages than a client is told in a second; the rest is left out',
    });
  });

  it('closing ends what runs, with an answer for who waits', async () => {
    const connected = await host.connect(era);
    const pending = runCode(connected, 'return await tools.wait({})');
    const outcome = pending.then(
      (result) => result.isError,
      () => 'gone',
    );
    await probes.entered.promise;
    const closing = host.close();
    expect(await probes.stopped.promise).toBeInstanceOf(Error);
    expect([true, 'gone']).toContain(await outcome);
    await closing;
    await open();
  });
});

describe('a question that nobody answers', () => {
  it('ends the call after the limit, so that no program waits for ever', async () => {
    const host = await served('ptc', { approvalTimeoutMs: 300 });
    const { made } = addTools(host);
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'write' ? { kind: 'ask' } : next(),
    );
    const connected = await host.connect('legacy', () => new Promise<never>(() => {}));
    const code = `try { await tools.write({ path: 'a' }); } catch (e: any) { return e.message }`;
    expect(textOf(await runCode(connected, code))).toContain('no approver is available');
    expect(made).toEqual([]);
    await host.close();
  });

  it('an unknown request state is refused', async () => {
    const host = await served();
    const { client } = await host.connect('auto');
    const forged = client.request({
      method: 'tools/call',
      params: { name: 'run_code', arguments: {}, requestState: 'guessed', inputResponses: {} },
    } as never);
    await expect(forged).rejects.toThrow('the call is over');
    await host.close();
  });
});
