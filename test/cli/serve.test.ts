import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answerer,
  type Era,
  runCode,
  type TestClient,
  testClient,
  textOf,
} from '../support/mcp-served.ts';
import { ptc, withFiles } from './support.ts';

const TWO = ['--mcp', 'examples/mcp.json'];
const BOTH_SERVERS = `const [dir, sum] = await Promise.all([
  tools.filesystem__list_directory({ path: 'examples' }),
  tools['everything__get-sum']({ a: 20, b: 22 }),
]);
return { listed: dir.content.includes('mcp.json'), sum }`;

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function overStdio(
  args: readonly string[],
  era: Era = 'legacy',
  answer?: Answerer,
): Promise<TestClient> {
  const made = testClient(era, answer);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/cli/main.js', 'serve', ...args],
    stderr: 'ignore',
  });
  await made.client.connect(transport);
  open.push(made.client);
  return made;
}

interface HttpServer {
  readonly url: string;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

function overHttp(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<HttpServer> {
  const child = spawn(process.execPath, ['dist/cli/main.js', 'serve', '--http', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const url = /serving (\S+)/.exec(stderr)?.[1];
      if (url !== undefined) resolve({ url, ended, kill: (signal) => void child.kill(signal) });
    });
    void ended.then(() => reject(new Error(stderr)));
  });
}

async function connectTo(url: string, era: Era, headers: Record<string, string> = {}, answer?: Answerer) {
  const made = testClient(era, answer);
  await made.client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  open.push(made.client);
  return made;
}

describe.each(['legacy', 'auto'] as const)('ptc serve over standard streams, %s', (era) => {
  it('serves one program that uses two servers in parallel, with progress', async () => {
    const connected = await overStdio(TWO, era);
    expect(connected.client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy');
    expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual(['run_code']);
    const result = await runCode(connected, BOTH_SERVERS);
    expect(textOf(result)).toContain('"listed": true');
    expect(textOf(result)).toContain('42');
    const messages = connected.heard.progress.map(({ message }) => message);
    expect(messages).toContain('-> 1 filesystem__list_directory');
    expect(messages).toContain('-> 2 everything__get-sum');
    // The SDK's client drops the last one where it arrives in one piece with the answer.
    expect(messages.filter((message) => message?.startsWith('<- '))).not.toEqual([]);
  });

  it('progress of a server behind comes along, told with the call that it belongs to', async () => {
    const connected = await overStdio(TWO, era);
    const operation = `tools['everything__trigger-long-running-operation']({ duration: 0.2, steps: 2 })`;
    await runCode(connected, `await ${operation}`);
    const messages = connected.heard.progress.map(({ message }) => message);
    expect(messages).toContain('.. 1 everything__trigger-long-running-operation 1/2');
    const native = await overStdio(['--mcp', 'examples/mcp.json', '--mode', 'native'], era);
    await native.client.callTool(
      { name: 'everything__trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
      { onprogress: (progress) => native.heard.progress.push(progress) },
    );
    expect(native.heard.progress).toContainEqual({ progress: 1, total: 2 });
  });

  it('images and links of a server are passed on', async () => {
    const two = await overStdio(TWO, era);
    const shown = await runCode(two, `await tools['everything__get-tiny-image']({}); return 'shown'`);
    expect(shown.content.map(({ type }) => type)).toContain('image');
    const links = await runCode(
      two,
      `await tools['everything__get-resource-links']({ count: 2 }); return 'linked'`,
    );
    expect(links.content.map(({ type }) => type)).toContain('resource_link');
  });

  it('a form that a server behind asks for is filled in at the client', async () => {
    const seen: string[] = [];
    const connected = await overStdio(TWO, era, (message) => {
      seen.push(message);
      return { action: 'accept', content: { name: 'Ada', check: true } };
    });
    const result = await runCode(
      connected,
      `return await tools['everything__trigger-elicitation-request']({})`,
    );
    expect(textOf(result)).toContain('Ada');
    expect(seen).toEqual([expect.stringMatching(/^"everything" asks: /)]);
  });

  it('resources and prompts of servers whose configuration says so are passed on', async () => {
    const path = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const everything = { command: 'node', args: [path, 'stdio'], resources: true, prompts: true };
    const config = JSON.stringify({ mcpServers: { everything } });
    await withFiles({ 'mcp.json': config }, async (folder) => {
      const { client } = await overStdio(['--mcp', join(folder, 'mcp.json')], era);
      const { resources } = await client.listResources();
      expect(resources.map(({ name }) => name)).toContain('architecture.md');
      const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
      expect(contents[0]).toMatchObject({ uri: resources[0]?.uri, mimeType: 'text/markdown' });
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
      const made = await client.readResource({ uri: 'demo://resource/dynamic/text/7' });
      expect(JSON.stringify(made)).toContain('Resource 7');
      await expect(client.readResource({ uri: 'no://where' })).rejects.toThrow(
        'Cannot read the resource "no://where"',
      );
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('args-prompt');
      const { messages } = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Bern' } });
      expect(JSON.stringify(messages)).toContain('Bern');
      await expect(client.getPrompt({ name: 'no-such' })).rejects.toThrow('Cannot get the prompt "no-such"');
    });
    const plain = await overStdio(TWO, era);
    expect(plain.client.getServerCapabilities()).not.toHaveProperty('resources');
  });

  it('X6: a cancelled call ends its run: the server behind it is told, and answers the next call', async () => {
    const connected = await overStdio(TWO, era);
    const abort = new AbortController();
    const seen = new Promise<void>((resolve) => {
      const pending = connected.client.callTool(
        {
          name: 'run_code',
          arguments: {
            code: `await tools['everything__trigger-long-running-operation']({ duration: 120, steps: 120 })`,
            description: 'waits',
          },
        },
        { signal: abort.signal, timeout: 100_000, onprogress: () => resolve() },
      );
      pending.catch(() => {});
    });
    await seen;
    abort.abort(new Error('enough'));
    expect(
      textOf(await runCode(connected, `return await tools['everything__echo']({ message: 'next' })`)),
    ).toContain('next');
  });

  it('approvals are asked at the client: an accepted write happens, a declined one does not', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')));
    const config = {
      mcpServers: {
        filesystem: {
          command: 'node',
          args: [
            join(process.cwd(), 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
            folder,
          ],
        },
        memory: {
          command: 'node',
          args: [join(process.cwd(), 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
          env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
        },
      },
    };
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify(config));
    const asked: string[] = [];
    const connected = await overStdio(
      ['--mcp', join(folder, 'mcp.json'), '--preset', 'ask-for-writes'],
      era,
      (message) => {
        asked.push(message);
        return message.includes('no.txt') ? { action: 'decline' } : { action: 'accept', content: {} };
      },
    );
    const code = `const file = (name: string) => tools.filesystem__write_file({ path: ${JSON.stringify(folder)} + '/' + name, content: name });
await file('yes.txt');
try { await file('no.txt'); } catch (e: any) { console.log(e.message); }
await tools.memory__create_entities({ entities: [{ name: 'x', entityType: 't', observations: [] }] });
const { entities } = await tools.memory__read_graph({});
return { names: (await tools.filesystem__list_directory({ path: ${JSON.stringify(folder)} })).content, entities: entities.length }`;
    const text = textOf(await runCode(connected, code));
    expect(text).toContain('yes.txt');
    expect(text).not.toContain('[FILE] no.txt');
    expect(text).toContain('was rejected by the approver');
    expect(text).toContain('"entities": 1');
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain('Allow filesystem__write_file ("write_file" of "filesystem")');
    rmSync(folder, { recursive: true });
  });
});

describe('the rules of ptc serve', () => {
  it('a preset that asks nobody denies what is no reading, whoever could be asked', async () => {
    let asked = 0;
    const connected = await overStdio(
      ['--mcp', 'examples/mcp.json', '--preset', 'read-only'],
      'legacy',
      () => {
        asked += 1;
        return { action: 'accept', content: {} };
      },
    );
    const code = `try { await tools.filesystem__create_directory({ path: 'never' }); return 'made' } catch (e: any) { return e.code }`;
    expect(textOf(await runCode(connected, code))).not.toContain('made');
    expect(asked).toBe(0);
    const reading = `return (await tools.filesystem__list_directory({ path: '.' })).content.includes('package.json')`;
    expect(textOf(await runCode(connected, reading))).toBe('true');
  });

  it('rules of a file decide by name, and what they ask about is asked at the client', async () => {
    await withFiles(
      {
        'rules.json': JSON.stringify({
          rules: [
            { decision: 'allow', tool: 'add' },
            { decision: 'ask', tool: 'multiply' },
          ],
        }),
      },
      async (folder) => {
        const args = ['--tools', 'examples/math-tools.js', '--policy', join(folder, 'rules.json')];
        const connected = await overStdio(args, 'auto', () => ({ action: 'accept', content: {} }));
        const code = `const denied = await tools.divide({ a: 1, b: 1 }).catch((e: any) => 'denied');
return [await tools.add({ a: 1, b: 1 }), await tools.multiply({ a: 3, b: 3 }), denied]`;
        expect(JSON.parse(textOf(await runCode(connected, code)))).toEqual([2, 9, 'denied']);
      },
    );
  });
});

describe('ptc serve over HTTP', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await overHttp([...TWO, '--bearer-env', 'PTC_TEST_TOKEN'], {
      ...process.env,
      PTC_TEST_TOKEN: 'let-me-in',
    });
  });
  const auth = { authorization: 'Bearer let-me-in' };

  it.each(['legacy', 'auto'] as const)(
    'serves programs with progress to a client of the era %s',
    async (era) => {
      const connected = await connectTo(server.url, era, auth);
      const result = await runCode(connected, BOTH_SERVERS);
      expect(textOf(result)).toContain('42');
      expect(connected.heard.progress.length).toBeGreaterThanOrEqual(4);
    },
  );

  it('refuses a client without the token', async () => {
    await expect(connectTo(server.url, 'legacy')).rejects.toThrow();
  });

  it('two clients at once share the pool', async () => {
    const [one, two] = await Promise.all([
      connectTo(server.url, 'legacy', auth),
      connectTo(server.url, 'auto', auth),
    ]);
    const results = await Promise.all([runCode(one, BOTH_SERVERS), runCode(two, BOTH_SERVERS)]);
    expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  });

  afterAll(async () => {
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});

describe('the end of ptc serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends a running program with an answer, and exits with 0',
    async (signal) => {
      const server = await overHttp(TWO);
      const connected = await connectTo(server.url, 'legacy');
      let started = (): void => {};
      const isStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const pending = connected.client.callTool(
        {
          name: 'run_code',
          arguments: {
            code: `await tools['everything__trigger-long-running-operation']({ duration: 120, steps: 120 })`,
            description: 'waits',
          },
        },
        { timeout: 100_000, onprogress: started },
      );
      await isStarted;
      server.kill(signal);
      expect(textOf(await pending)).toContain('The server is shutting down');
      expect(await server.ended).toBe(0);
    },
  );

  it.each([
    [['--http', 'soon'], 'wanted a port from 0 to 65535, received "soon"'],
    [['--http', '0', '--host', '0.0.0.0'], 'Cannot serve on "0.0.0.0" without a token'],
    [['--bearer-env', 'NO_SUCH_VARIABLE'], 'Cannot use --bearer-env "NO_SUCH_VARIABLE"'],
    [['--preset', 'magic'], 'Allowed choices are read-only, ask-for-writes, full-access'],
    [['--policy', 'package.json'], 'package.json'],
    [['--mode', 'magic'], 'Allowed choices are ptc, native, both'],
    [['--mcp', 'no-such-config.json'], 'Cannot read MCP configuration "no-such-config.json"'],
  ])('wrong usage %j is one clear line and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await ptc(['serve', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a port that is taken is one clear line', async () => {
    const server = await overHttp(['--tools', 'examples/math-tools.js']);
    const { code, stderr } = await ptc(['serve', '--http', new URL(server.url).port]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ptc: Cannot serve on port \d+: [^\n]*EADDRINUSE[^\n]*\n$/);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('no tools is a line that says what to do', async () => {
    const { code, stderr } = await ptc(['serve']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'ptc: there are no tools to serve: --mcp names a configuration of MCP servers, --tools a module\n',
    });
  });

  it('requests that came before the end of its input are answered, lines that are none too', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const lines = [
      JSON.stringify(initialize),
      'rubbish',
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      '',
    ];
    const { code, stdout, stderr } = await ptc(
      ['serve', '--tools', 'examples/math-tools.js'],
      lines.join('\n'),
    );
    const answers = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(
      answers
        .filter(({ id }) => id !== undefined)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, null]);
    expect(stderr).toBe('ptc: The client was sent an error: a line is no JSON: "rubbish"\n');
    expect(code).toBe(0);
  });

  it('the end of its input ends it, and standard output holds nothing but messages', async () => {
    const { code, stdout } = await ptc(
      ['serve', '--tools', 'examples/math-tools.js'],
      `${JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'raw', version: '1' },
        },
      })}\n`,
    );
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n').filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});
