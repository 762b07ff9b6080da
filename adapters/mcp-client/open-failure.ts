import { existsSync } from 'node:fs';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { McpConfigError } from './config-error.js';
import { reasonText } from './reason-text.js';
import type { McpServerConfig, McpStdioServer } from './server-config.js';

const LONGEST_BODY = 200;

/** What is known of an attempt to connect that failed. */
export interface OpenAttempt {
  readonly error: unknown;
  /** How the process ended and what it said last, before anybody ended it. */
  readonly epitaph: string;
  /** What was complained about meanwhile. */
  readonly complaint: string | undefined;
  /** Longest wait for the handshake, ms. */
  readonly timeoutMs: number;
}

/**
 * Says in one line why a server could not be started or reached, so that whoever reads it knows what to look at.
 *
 * @param hide - takes secrets out
 * @example
 * throw openFailure(server, { error, epitaph, complaint: undefined, timeoutMs: 60_000 }, hide);
 */
export function openFailure(
  server: McpServerConfig,
  attempt: OpenAttempt,
  hide: (text: string) => string,
): McpConfigError {
  const { error, epitaph } = attempt;
  const name = `MCP server "${server.name}"`;
  const [where, reason, beside] =
    server.url === undefined
      ? [
          `start ${name} (${server.command})`,
          processReason(server, attempt, hide),
          [epitaph, attempt.complaint],
        ]
      : [`reach ${name} (${shownAddress(server.url)})`, httpReason(attempt, hide), []];
  const more = beside.filter((text) => text !== undefined && text !== '');
  const behind = more.length === 0 ? '' : ` (${more.join('; ')})`;
  return new McpConfigError(`Cannot ${hide(where)}: ${reason}${behind}`, { cause: error });
}

function processReason(server: McpStdioServer, attempt: OpenAttempt, hide: (text: string) => string): string {
  const { error } = attempt;
  const { cwd, command } = server;
  if (codeOf(error) === 'ENOENT') {
    // The system says the same of both.
    if (cwd !== undefined && !existsSync(cwd))
      return `its folder ${JSON.stringify(hide(cwd))} does not exist`;
    return /[/\\]/.test(command) ? 'there is no such file' : 'there is no such command on the PATH';
  }
  if (codeOf(error) === 'EACCES') return 'it may not be executed (EACCES)';
  return spokenReason(attempt) ?? reasonText(error, hide);
}

function httpReason(attempt: OpenAttempt, hide: (text: string) => string): string {
  const { error } = attempt;
  if (error instanceof SdkHttpError) return statusReason(error, hide);
  // What the client wraps round a failed first request says nothing of it.
  const isWrapped = isSdk(error, SdkErrorCode.EraNegotiationFailed) && error.cause instanceof Error;
  const beneath = isWrapped ? error.cause : error;
  if (Array.isArray((beneath as { issues?: unknown }).issues)) {
    return 'what it answers is no MCP message: is the address that of an MCP server?';
  }
  const reason = spokenReason(attempt) ?? reasonText(beneath, hide);
  return isSdk(beneath, SdkErrorCode.ClientHttpUnexpectedContent)
    ? `what it answers is no MCP message (${reason}): is the path right?`
    : reason;
}

/** The reasons that do not depend on what carries the messages. */
function spokenReason({ error, timeoutMs }: OpenAttempt): string | undefined {
  if (isSdk(error, SdkErrorCode.RequestTimeout)) {
    return `it did not answer within ${timeoutMs} ms: is it an MCP server?`;
  }
  if (isSdk(error, SdkErrorCode.ConnectionClosed)) return 'it ended before it answered';
  if (error instanceof ProtocolError) return `it answered the handshake with an error: ${error.message}`;
  return undefined;
}

function statusReason(error: SdkHttpError, hide: (text: string) => string): string {
  const status = `HTTP status ${error.status}`;
  switch (error.status) {
    case 401:
      return `it wants to know who calls (${status}): does "headers" hold a valid token?`;
    case 403:
      return `it denies access (${status})`;
    case 404:
    case 405:
      return `no MCP server answers at this address (${status}): is the path right?`;
    default: {
      const { text } = (error.data ?? {}) as { text?: unknown };
      if (typeof text !== 'string' || text.trim() === '') return reasonText(error, hide);
      const body = hide(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_BODY);
      return `it answered with ${status}: ${body}`;
    }
  }
}

function isSdk(error: unknown, code: SdkErrorCode): error is SdkError {
  return error instanceof SdkError && error.code === code;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
