import { readFile } from 'node:fs/promises';
import { ConfigEntry, isRecord, kindOf } from './config-entry.js';
import { McpConfigError } from './config-error.js';
import { repeatedMember } from './repeated-member.js';
import { rememberSecrets } from './secrets.js';
import type { McpServerConfig, McpServerSettings } from './server-config.js';

const COMMON_FIELDS = [
  'type',
  'disabled',
  'timeoutMs',
  'maxMessageBytes',
  'protocol',
  'tools',
  'hints',
  'toolHints',
  'resources',
  'prompts',
  'sampling',
];
const STDIO_FIELDS = ['command', 'args', 'env', 'cwd', ...COMMON_FIELDS];
const HTTP_FIELDS = ['url', 'headers', ...COMMON_FIELDS];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads an MCP configuration file: `{"mcpServers": {"name": {"command": "…", "args": […], "env": {…}}}}`, or with
 * `"url"` and `"headers"` for a server over streamable HTTP.
 *
 * `${NAME}` in a string is replaced by the environment variable of that name; a missing one is an error that names it.
 *
 * @param path - file to read
 * @param environment - where `${NAME}` is looked up
 * @default environment process.env
 * @throws {McpConfigError} when the file is missing, is no JSON, names a server twice, or an entry does not have the wanted form
 * @example
 * const servers = await readMcpConfig('mcp.json');
 */
export async function readMcpConfig(
  path: string,
  environment: Environment = process.env,
): Promise<McpServerConfig[]> {
  const unreadable = (cause: unknown): McpConfigError =>
    new McpConfigError(
      `Cannot read MCP configuration "${path}": ${(cause as Error).message.replace(/\s*\n\s*/g, ' ')}`,
      { cause },
    );
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(cause);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unreadable(cause);
  }
  const twice = repeatedMember(text, ['mcpServers']);
  if (twice !== undefined) {
    throw new McpConfigError(
      `Cannot use "mcpServers.${twice}" of MCP configuration "${path}": wanted each server once, received two of that name`,
    );
  }
  return parseMcpConfig(json, path, environment);
}

/**
 * Checks a parsed configuration. Entries with `"disabled": true` are left out.
 *
 * @throws {McpConfigError} naming the entry, the wanted form and what was there
 * @example
 * parseMcpConfig({ mcpServers: { files: { command: 'files-server' } } }, 'inline', {});
 */
export function parseMcpConfig(json: unknown, origin: string, environment: Environment): McpServerConfig[] {
  const servers = isRecord(json) ? json['mcpServers'] : undefined;
  if (!isRecord(servers)) {
    throw new McpConfigError(
      `Cannot use MCP configuration "${origin}": wanted an object "mcpServers", received ${instead(json)}`,
    );
  }
  return Object.entries(servers).flatMap(([name, value]) => {
    const entry = new ConfigEntry(name, value, origin, environment);
    if (entry.flag('disabled') === true) return [];
    const server = parseServer(entry, name);
    rememberSecrets(server, entry.expanded);
    return [server];
  });
}

/** Names what stands in the place of the servers: other programs call that member something else. */
function instead(json: unknown): string {
  if (!isRecord(json)) return kindOf(json);
  const names = Object.keys(json).slice(0, 3);
  if (names.length === 0 || names.includes('mcpServers')) return kindOf(json['mcpServers']);
  return `an object with ${names.map((name) => JSON.stringify(name)).join(', ')}`;
}

function parseServer(entry: ConfigEntry, name: string): McpServerConfig {
  const type = entry.raw('type') ?? (entry.raw('url') === undefined ? 'stdio' : 'http');
  if (type === 'stdio') {
    entry.onlyFields(STDIO_FIELDS);
    const cwd = entry.text('cwd');
    return {
      name,
      command: entry.requiredText('command'),
      args: entry.texts('args'),
      env: entry.textsByName('env'),
      ...(cwd === undefined ? {} : { cwd }),
      ...settings(entry),
    };
  }
  if (type === 'http' || type === 'streamable-http') {
    entry.onlyFields(HTTP_FIELDS);
    return {
      name,
      url: entry.httpUrl('url'),
      headers: entry.headers('headers'),
      ...settings(entry),
    };
  }
  const older = type === 'sse' ? ' (streamable HTTP: the older transport is not spoken)' : '';
  return entry.refuse('type', `"stdio" or "http"${older}`, type);
}

function settings(entry: ConfigEntry): Omit<McpServerSettings, 'name'> {
  const given: { [field: string]: unknown } = {
    timeoutMs: entry.timerMs('timeoutMs'),
    maxMessageBytes: entry.positiveInteger('maxMessageBytes'),
    protocol: entry.oneOf('protocol', ['auto', 'legacy']),
    tools: entry.toolFilter('tools'),
    hints: entry.hints('hints'),
    toolHints: entry.hintsByTool('toolHints'),
    resources: entry.flag('resources'),
    prompts: entry.flag('prompts'),
    sampling: entry.flag('sampling'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
