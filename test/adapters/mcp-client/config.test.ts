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

  it('a disabled server is left out', () => {
    expect(parse({ mcpServers: { files: { command: 'serve', disabled: true } } })).toEqual([]);
  });

  it.each([
    [{}, 'Cannot use MCP configuration "test.json": wanted an object "mcpServers", received nothing'],
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
  ])('a wrong form %j is an error that names the field', (json, message) => {
    expect(() => parse(json)).toThrow(new McpConfigError(message));
  });

  it('a missing file and broken JSON are named', async () => {
    await expect(readMcpConfig('no/such.json')).rejects.toThrow(
      'Cannot read MCP configuration "no/such.json": ENOENT',
    );
    await expect(readMcpConfig('README.md')).rejects.toThrow(/^Cannot read MCP configuration "README.md": /);
  });
});
