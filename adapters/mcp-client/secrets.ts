import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { McpServerConfig } from './server-config.js';
import type { McpCallResult } from './value.js';

const SHORTEST_SECRET = 6;
const NO_SECRETS = new Set(['production', 'development', 'localhost']);
const HIDDEN = '[hidden]';

/** Values that came from the environment, by the server that they were given to. */
const remembered = new WeakMap<McpServerConfig, readonly string[]>();

/**
 * Notes values of a server's configuration that no message may show.
 *
 * @example
 * rememberSecrets(server, ['s3cret']);
 */
export function rememberSecrets(server: McpServerConfig, values: readonly string[]): void {
  remembered.set(server, values);
}

/**
 * Makes a function that takes a server's secrets out of a text: its headers, its environment, what stood for `${NAME}`, and
 * the query and credentials of its address. A value of fewer than six characters and a path that exists are none. What a
 * tool answers is its own and stays whole.
 *
 * @example
 * hideSecrets(server)('refused: Bearer s3cret') // 'refused: [hidden]'
 */
export function hideSecrets(server: McpServerConfig): (text: string) => string {
  const values = [
    ...(remembered.get(server) ?? []),
    ...(server.url === undefined ? Object.values(server.env) : httpSecrets(server.url, server.headers)),
  ];
  const secrets = [...new Set(values)]
    .filter((value) => value.trim().length >= SHORTEST_SECRET && !NO_SECRETS.has(value) && !isPath(value))
    .sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return (text) => text;
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/**
 * A failed result without secrets: its text becomes a message, so it is treated as one.
 *
 * @example
 * hideInTexts({ isError: true, content: [{ type: 'text', text: 'bad token s3cret' }] }, hide);
 */
export function hideInTexts(result: McpCallResult, hide: (text: string) => string): McpCallResult {
  const content = Array.isArray(result.content) ? result.content : [];
  return {
    ...result,
    content: content.map((block: { text?: unknown } | null) =>
      typeof block?.text === 'string' ? { ...block, text: hide(block.text) } : block,
    ),
  };
}

function httpSecrets(url: string, headers: Readonly<Record<string, string>>): string[] {
  const { username, password, searchParams, search } = new URL(url);
  const values = Object.values(headers);
  return [
    ...values,
    // A server may quote the token without its scheme.
    ...values.flatMap((value) => value.split(/\s+/).slice(1)),
    ...searchParams.values(),
    search.slice(1),
    decodeURIComponent(username),
    decodeURIComponent(password),
  ];
}

function isPath(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}
