import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, createTools, type ToolsService, toolCallId } from 'ptc-runtime';
import { type McpServerConfig, type McpTools, registerMcpTools } from 'ptc-runtime/adapters/mcp-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const server = (name: string, script: string, args: readonly string[] = []): McpServerConfig => ({
  name,
  command: process.execPath,
  args: [script, ...args],
  env: {},
});
const modules = 'node_modules/@modelcontextprotocol';
const agent: Agent = { id: 'a' };

describe('MCP servers over standard streams', () => {
  let folder: string;
  let tools: ToolsService;
  let mcp: McpTools | undefined;

  const files = () => server('filesystem', `${modules}/server-filesystem/dist/index.js`, [folder]);
  const everything = () => server('everything', `${modules}/server-everything/dist/index.js`, ['stdio']);
  const call = (name: string, args: unknown, signal = new AbortController().signal) =>
    tools.pipeline.execute({ callId: toolCallId('c'), name, arguments: args, agent, signal });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')));
    writeFileSync(join(folder, 'a.txt'), 'first\nsecond\n');
    tools = createTools();
  });
  afterEach(async () => {
    await mcp?.close();
    mcp = undefined;
    expect(tools.definitions()).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('X1, X4: one server keeps its own names; hints decide what may overlap; structured content is the value', async () => {
    mcp = await registerMcpTools(tools, [files()]);
    const result = await call('read_text_file', { path: join(folder, 'a.txt') });
    expect(result.value).toEqual({ content: 'first\nsecond\n' });
    expect(result.content).toEqual([{ type: 'text', text: 'first\nsecond\n' }]);
    expect(tools.get('read_text_file')?.isConcurrencySafe?.({})).toBe(true);
    expect(tools.get('write_file')?.isConcurrencySafe).toBeUndefined();
    expect(tools.registration('write_file')).toMatchObject({
      source: 'filesystem',
      sourceName: 'write_file',
    });
    expect(tools.registration('read_text_file')).toMatchObject({ readOnly: true });
  });

  it('X2: a tool that reports an error fails with its text, and the next call works', async () => {
    mcp = await registerMcpTools(tools, [files()]);
    const failed = await call('read_text_file', { path: join(folder, 'gone.txt') });
    expect(failed.error?.message).toContain('ENOENT');
    expect((await call('list_directory', { path: folder })).value).toEqual({ content: '[FILE] a.txt' });
  });

  it('F7: arguments that do not match never reach the server', async () => {
    mcp = await registerMcpTools(tools, [files()]);
    const result = await call('read_text_file', { path: 3 });
    expect(result.error?.info?.code).toBe('INVALID_ARGS');
    expect(result.error?.message).toContain('path');
  });

  it('X5: several servers give their tools prefixes', async () => {
    mcp = await registerMcpTools(tools, [files(), everything()]);
    expect((await call('everything__get-sum', { a: 2, b: 3 })).value).toContain('5');
    expect(tools.registration('everything__get-sum')).toMatchObject({
      source: 'everything',
      sourceName: 'get-sum',
    });
    expect((await call('filesystem__list_directory', { path: folder })).isError).toBe(false);
  });

  it('X3: an image stays an image in the content and a data block in the value', async () => {
    mcp = await registerMcpTools(tools, [everything()]);
    const result = await call('get-tiny-image', {});
    const kinds = (blocks: unknown) => (blocks as { type: string }[]).map(({ type }) => type);
    expect(kinds(result.content)).toContain('image');
    expect(kinds(result.value)).toEqual(kinds(result.content));
  });

  it('X6: an aborted call ends with the reason of its signal', async () => {
    mcp = await registerMcpTools(tools, [everything()]);
    const abort = new AbortController();
    const pending = call('trigger-long-running-operation', { duration: 60, steps: 60 }, abort.signal);
    await call('echo', { message: 'the server is busy by now' });
    abort.abort(new Error('enough'));
    expect((await pending).error?.message).toContain('enough');
    expect((await call('echo', { message: 'still here' })).value).toContain('still here');
  });

  it('a server that cannot be started is named in one line, and nothing stays registered', async () => {
    const broken: McpServerConfig = { name: 'broken', command: 'no-such-command-at-all', args: [], env: {} };
    await expect(registerMcpTools(tools, [files(), broken])).rejects.toThrow(
      /^Cannot start MCP server "broken" \(no-such-command-at-all\): [^\n]+$/,
    );
    expect(tools.definitions()).toEqual([]);
  });

  it('a server that ends at once is named with its last words', async () => {
    const dying = server('dying', '-e', ['console.error("no licence"); process.exit(3)']);
    await expect(registerMcpTools(tools, [dying])).rejects.toThrow(
      /^Cannot start MCP server "dying" .*no licence/,
    );
  });

  it.each([
    [{ command: 'no-such-command-at-all' }, 'there is no such command on the PATH'],
    [{ command: './no-such-file' }, 'there is no such file'],
    [{ command: 'package.json' }, 'there is no such command on the PATH'],
    [{ command: './package.json' }, 'it may not be executed (EACCES)'],
    [{ command: 'node', cwd: '/no/such/folder' }, 'its folder "/no/such/folder" does not exist'],
    [
      { command: 'node', args: ['no-such-file.mjs'] },
      "it ended before it answered (exit code 1: Error: Cannot find module '",
    ],
    [
      { command: 'node', args: ['-e', 'console.error("a key is missing"); process.exit(2)'] },
      'it ended before it answered (exit code 2: a key is missing)',
    ],
    [
      { command: 'node', args: ['-e', 'setInterval(() => {}, 1000)'], timeoutMs: 400 },
      'it did not answer within 400 ms: is it an MCP server?',
    ],
    [
      { command: 'node', args: ['-e', 'console.log("Listening on 3000"); process.exit(0)'] },
      'it ended before it answered (exit code 0; it sent a line that is no JSON-RPC message: "Listening on 3000")',
    ],
    // It sends every request back.
    [{ command: 'cat' }, 'it answered the handshake with an error: Method not found'],
  ])('a server that cannot be started, %j, is told with what to look at', async (config, reason) => {
    const broken = { name: 'broken', args: [], env: {}, ...config } as McpServerConfig;
    const warnings: string[] = [];
    const failure = registerMcpTools(tools, [broken], { onWarning: (message) => warnings.push(message) });
    const message = await failure.then(String, (error: Error) => error.message);
    expect(message).toContain(`Cannot start MCP server "broken" (${broken.command}): ${reason}`);
    expect([message.split('\n').length, warnings]).toEqual([1, []]);
  });

  it('with allowMissing the other servers work and the missing one is reported', async () => {
    const warnings: string[] = [];
    const broken: McpServerConfig = { name: 'broken', command: 'no-such-command-at-all', args: [], env: {} };
    mcp = await registerMcpTools(tools, [files(), broken], {
      allowMissing: true,
      onWarning: (message) => warnings.push(message),
    });
    expect(warnings).toEqual([expect.stringContaining('"broken"')]);
    expect((await call('filesystem__list_directory', { path: folder })).isError).toBe(false);
  });
});
