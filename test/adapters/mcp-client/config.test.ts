import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpConfigError, parseMcpConfig, readMcpConfig } from 'ptc-runtime/adapters/mcp-client';
import { describe, expect, it } from 'vitest';

const parse = (json: unknown, environment: Record<string, string> = {}) =>
  parseMcpConfig(json, 'test.json', environment);

describe('MCP configuration', () => {
  it('a server has its defaults, and variables are expanded', () => {
    const json = {
      mcpServers: {
        files: { command: 'serve', args: ['${ROOT}/a'], env: { KEY: 'x${ROOT}' }, timeoutMs: 5 },
      },
    };
    expect(parse(json, { ROOT: '/srv' })).toEqual([
      { name: 'files', command: 'serve', args: ['/srv/a'], env: { KEY: 'x/srv' }, timeoutMs: 5 },
    ]);
  });

  it('a server over HTTP has an address and headers, and every server its settings', () => {
    const json = {
      mcpServers: {
        near: {
          type: 'http',
          url: 'http://localhost:1/${PATH_PART}',
          headers: { Authorization: 'Bearer ${KEY}' },
        },
        far: {
          url: 'https://example.test/mcp',
          timeoutMs: 9,
          maxMessageBytes: 10,
          protocol: 'legacy',
          tools: { allow: ['a'], deny: ['b'] },
          hints: { readOnlyHint: true },
          toolHints: { a: { destructiveHint: false } },
          resources: true,
          prompts: false,
        },
      },
    };
    const { far } = json.mcpServers;
    expect(parse(json, { PATH_PART: 'mcp', KEY: 'k' })).toEqual([
      { name: 'near', url: 'http://localhost:1/mcp', headers: { Authorization: 'Bearer k' } },
      { name: 'far', headers: {}, ...far },
    ]);
  });

  it('a disabled server is left out', () => {
    expect(parse({ mcpServers: { files: { command: 'serve', disabled: true } } })).toEqual([]);
  });

  it.each([
    [{}, 'Cannot use MCP configuration "test.json": wanted an object "mcpServers", received nothing'],
    [[], 'Cannot use MCP configuration "test.json": wanted an object "mcpServers", received an array'],
    [
      { inputs: [], servers: { a: { command: 'x' } } },
      'Cannot use MCP configuration "test.json": wanted an object "mcpServers", received an object with "inputs", "servers"',
    ],
    [
      { mcpServers: { a: { type: 'sse', url: 'http://x' } } },
      'Cannot use "mcpServers.a.type" of MCP configuration "test.json": wanted "stdio" or "http" (streamable HTTP: the older transport is not spoken), received string "sse"',
    ],
    [
      { mcpServers: { a: 3 } },
      'Cannot use "mcpServers.a" of MCP configuration "test.json": wanted an object, received number 3',
    ],
    [
      { mcpServers: { a: {} } },
      'Cannot use "mcpServers.a.command" of MCP configuration "test.json": wanted a non-empty string, received nothing',
    ],
    [
      { mcpServers: { a: { command: 'x', args: 'y' } } },
      'Cannot use "mcpServers.a.args" of MCP configuration "test.json": wanted an array of strings, received string "y"',
    ],
    [
      { mcpServers: { a: { command: 'x', env: { K: 1 } } } },
      'Cannot use "mcpServers.a.env" of MCP configuration "test.json": wanted an object of strings, received an object',
    ],
    [
      { mcpServers: { a: { command: 'x', timeoutMs: 0 } } },
      'Cannot use "mcpServers.a.timeoutMs" of MCP configuration "test.json": wanted a number of milliseconds from 1 to 2147483647, received number 0',
    ],
    [
      { mcpServers: { a: { command: '${GONE}' } } },
      'Cannot use "mcpServers.a.command" of MCP configuration "test.json": wanted the environment variable GONE to be set, received nothing',
    ],
    [
      { mcpServers: { a: { type: 'carrier-pigeon', command: 'x' } } },
      'Cannot use "mcpServers.a.type" of MCP configuration "test.json": wanted "stdio" or "http", received string "carrier-pigeon"',
    ],
    [
      { mcpServers: { a: { url: 'ftp://x' } } },
      'Cannot use "mcpServers.a.url" of MCP configuration "test.json": wanted an address that starts with http:// or https://, received string "ftp://x"',
    ],
    [
      { mcpServers: { a: { url: 'http://x', command: 'y' } } },
      'Cannot use "mcpServers.a.command" of MCP configuration "test.json": wanted one of url, headers, type, disabled, timeoutMs, maxMessageBytes, protocol, tools, hints, toolHints, resources, prompts, sampling, received string "command"',
    ],
    [
      { mcpServers: { a: { url: 'http://x', headers: { 'a b': 'c' } } } },
      'Cannot use "mcpServers.a.headers.a b" of MCP configuration "test.json": wanted a header name, received string "a b"',
    ],
    [
      { mcpServers: { a: { url: 'http://x', headers: { key: 's3cret\nX: y' } } } },
      'Cannot use "mcpServers.a.headers.key" of MCP configuration "test.json": wanted a header value on one line, received nothing',
    ],
    [
      { mcpServers: { a: { command: 'x', toolHints: { t: { readOnly: true } } } } },
      'Cannot use "mcpServers.a.toolHints.t.readOnly" of MCP configuration "test.json": wanted an object of booleans with the names readOnlyHint, destructiveHint, idempotentHint, openWorldHint, received string "readOnly"',
    ],
    [
      { mcpServers: { a: { command: 'x', tools: ['t'] } } },
      'Cannot use "mcpServers.a.tools" of MCP configuration "test.json": wanted an object with "allow", "deny" or both, received an array',
    ],
  ])('a wrong form %j is an error that names the field', (json, message) => {
    expect(() => parse(json)).toThrow(new McpConfigError(message));
  });

  it('a server that a file names twice is refused: one of the two would be lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
    const path = join(folder, 'twice.json');
    writeFileSync(path, '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}');
    await expect(readMcpConfig(path)).rejects.toThrow(
      `Cannot use "mcpServers.a" of MCP configuration "${path}": wanted each server once, received two of that name`,
    );
    rmSync(folder, { recursive: true });
  });

  it('a missing file and broken JSON are named', async () => {
    await expect(readMcpConfig('no/such.json')).rejects.toThrow(
      'Cannot read MCP configuration "no/such.json": ENOENT',
    );
    await expect(readMcpConfig('README.md')).rejects.toThrow(/^Cannot read MCP configuration "README.md": /);
  });
});
