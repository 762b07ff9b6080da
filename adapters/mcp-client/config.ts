import { readFile } from 'node:fs/promises';
import { McpConfigError } from './config-error.js';

/** One MCP server that is started as a process and spoken to over its standard streams. */
export interface McpStdioServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets (PATH, HOME and the like). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Longest wait for one request, ms. @default none */
  readonly timeoutMs?: number;
}

/** A server as the configuration names it. */
export type McpServerConfig = McpStdioServer;

const KNOWN_FIELDS = new Set(['command', 'args', 'env', 'cwd', 'timeoutMs', 'type', 'disabled']);

/**
 * Reads an MCP configuration file: `{"mcpServers": {"name": {"command": "…", "args": […], "env": {…}}}}`.
 *
 * `${NAME}` in a string is replaced by the environment variable of that name; a missing one is an error that names it.
 *
 * @param path - file to read
 * @param environment - where `${NAME}` is looked up
 * @default environment process.env
 * @throws {McpConfigError} when the file is missing, is no JSON, or an entry does not have the wanted form
 * @example
 * const servers = await readMcpConfig('mcp.json');
 */
export async function readMcpConfig(
  path: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<McpServerConfig[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new McpConfigError(`Cannot read MCP configuration "${path}": ${(cause as Error).message}`, {
      cause,
    });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new McpConfigError(`Cannot read MCP configuration "${path}": ${(cause as Error).message}`, {
      cause,
    });
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
export function parseMcpConfig(
  json: unknown,
  origin: string,
  environment: Readonly<Record<string, string | undefined>>,
): McpServerConfig[] {
  const servers = isRecord(json) ? json['mcpServers'] : undefined;
  if (!isRecord(servers)) {
    throw new McpConfigError(
      `Cannot use MCP configuration "${origin}": wanted an object "mcpServers", received ${kindOf(servers)}`,
    );
  }
  return Object.entries(servers).flatMap(([name, entry]) => {
    const server = parseServer(name, entry, origin, environment);
    return server ? [server] : [];
  });
}

function parseServer(
  name: string,
  entry: unknown,
  origin: string,
  environment: Readonly<Record<string, string | undefined>>,
): McpServerConfig | undefined {
  const refuse = (field: string, wanted: string, received: unknown): never => {
    const path = field === '' ? `mcpServers.${name}` : `mcpServers.${name}.${field}`;
    throw new McpConfigError(
      `Cannot use "${path}" of MCP configuration "${origin}": wanted ${wanted}, received ${kindOf(received)}`,
    );
  };
  if (!isRecord(entry)) return refuse('', 'an object', entry);
  if (entry['disabled'] === true) return undefined;
  for (const field of Object.keys(entry)) {
    if (!KNOWN_FIELDS.has(field)) refuse(field, `one of ${[...KNOWN_FIELDS].join(', ')}`, field);
  }
  const type = entry['type'] ?? 'stdio';
  if (type !== 'stdio') refuse('type', '"stdio"', type);
  const expand = (text: string, field: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const value = environment[variable];
      if (value === undefined)
        return refuse(field, `the environment variable ${variable} to be set`, undefined);
      return value;
    });
  const { command, args = [], env = {}, cwd, timeoutMs } = entry;
  if (typeof command !== 'string' || command === '') return refuse('command', 'a non-empty string', command);
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== 'string'))
    return refuse('args', 'an array of strings', args);
  if (!isRecord(env) || Object.values(env).some((value) => typeof value !== 'string')) {
    return refuse('env', 'an object of strings', env);
  }
  if (cwd !== undefined && typeof cwd !== 'string') return refuse('cwd', 'a string', cwd);
  if (
    timeoutMs !== undefined &&
    !(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= 2_147_483_647)
  ) {
    return refuse('timeoutMs', 'a number of milliseconds from 1 to 2147483647', timeoutMs);
  }
  return {
    name,
    command: expand(command, 'command'),
    args: args.map((arg: string, index) => expand(arg, `args[${index}]`)),
    env: Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, expand(value as string, `env.${key}`)]),
    ),
    ...(cwd === undefined ? {} : { cwd: expand(cwd, 'cwd') }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `${typeof value} ${JSON.stringify(value)}`;
}
