import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { knownOptions } from '../../runtime/core/options.js';
import { type HttpGateOptions, httpGate } from './http-gate.js';
import { writeResponse } from './http-response.js';
import { HttpSessions } from './http-sessions.js';
import { MAX_BODY_BYTES } from './limits.js';
import type { McpService } from './mcp-service.js';

const DEFAULT_MAX_SESSIONS = 1_000;
/** Answers that are on their way may take so long to leave when the server closes, ms. */
const FLUSH_MS = 1_000;

/** What can be set of `serveMcpHttp`. */
export interface McpHttpOptions extends HttpGateOptions {
  /** 0 is any free one. */
  readonly port: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** @default '/mcp' */
  readonly path?: string;
  /** At most so many sessions of 2025 clients. @default 1000 */
  readonly maxSessions?: number;
  readonly onError?: (error: Error) => void;
}

/** A server that listens. */
export interface McpHttpServerHandle {
  /** Where clients reach it. */
  readonly url: string;
  /** Ends every call and session, sends what is on its way, stops listening. */
  close(): Promise<void>;
}

/**
 * Serves any number of clients over streamable HTTP: those of the 2025 revisions in sessions, those of 2026-07-28 request by
 * request. Only this machine is let in unless options say otherwise.
 *
 * @throws {Error} when the port cannot be listened on
 * @example
 * const { url, close } = await serveMcpHttp(service, { port: 3000, bearerToken });
 */
export async function serveMcpHttp(
  service: McpService,
  options: McpHttpOptions,
): Promise<McpHttpServerHandle> {
  knownOptions('serveMcpHttp', options, [
    'port',
    'host',
    'path',
    'maxSessions',
    'onError',
    'allowedHosts',
    'allowedOrigins',
    'bearerToken',
  ]);
  const { port, host = '127.0.0.1', path = '/mcp', maxSessions = DEFAULT_MAX_SESSIONS, onError } = options;
  const gate = httpGate(path, options);
  const sessions = new HttpSessions(service, maxSessions);
  const modern = createMcpHandler(() => service.createServer(), {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY_BYTES,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  const stopTelling = service.onToolsChanged(() => modern.notify.toolsChanged());
  const open = new Set<Promise<void>>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    // The gate comes before the body is read: nobody makes this machine buffer what it will refuse.
    const bare = withoutBody(request);
    if (bare === undefined) return writeResponse(response, new Response(null, { status: 400 }), {});
    const { refusal, headers } = gate(bare);
    if (refusal !== undefined) return writeResponse(response, refusal, {});
    const web = await toWebRequest(request as NodeIncomingMessageLike, undefined, {
      signal: gone.signal,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    const limits = { maxRequestBodySize: MAX_BODY_BYTES };
    const isLegacy = await isLegacyRequest(web, undefined, limits);
    return writeResponse(response, await (isLegacy ? sessions.fetch(web) : modern.fetch(web)), headers);
  };

  const server = createServer((request, response) => {
    const served = serve(request, response).catch((error: Error & { status?: number }) => {
      if (error.status === undefined) onError?.(error);
      if (!response.headersSent) response.writeHead(error.status ?? 500);
      response.end();
    });
    open.add(served);
    void served.finally(() => open.delete(served));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}${path}`,
    async close() {
      stopTelling();
      const closed = new Promise((resolve) => server.close(resolve));
      await service.close();
      await Promise.allSettled([sessions.close(), modern.close()]);
      await within(FLUSH_MS, Promise.allSettled(open));
      server.closeAllConnections();
      await closed;
    },
  };
}

function withoutBody(request: IncomingMessage): Request | undefined {
  const address = `http://${request.headers.host ?? 'unknown'}${request.url ?? '/'}`;
  if (!URL.canParse(address)) return undefined;
  try {
    return new Request(address, { method: request.method ?? 'GET', headers: headersOf(request) });
  } catch {
    // A method that the web does not know, or a header that it does not allow.
    return undefined;
  }
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
