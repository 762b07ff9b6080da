import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpService } from './mcp-service.js';
import { StreamTransport } from './stream-transport.js';

/** What can be set of `serveMcpStdio`. */
export interface McpStdioOptions {
  /** @default process.stdin */
  readonly input?: Readable;
  /** @default process.stdout */
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
}

/** A connection over standard streams. */
export interface McpStdioConnection {
  /** Settles when the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves one client over standard streams, by the 2025 revisions or that of 2026-07-28, whichever it begins with.
 *
 * @example
 * const connection = serveMcpStdio(service);
 * await connection.ended;
 */
export function serveMcpStdio(service: McpService, options: McpStdioOptions = {}): McpStdioConnection {
  const { input = process.stdin, output = process.stdout, onError } = options;
  const transport = new StreamTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
  });
  const handle = serveStdio(() => service.createServer(), {
    transport,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  return { ended, close: () => handle.close() };
}
