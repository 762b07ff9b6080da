import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { MAX_BODY_BYTES } from './limits.js';
import type { McpService } from './mcp-service.js';

const SESSION_HEADER = 'mcp-session-id';

/**
 * The sessions of clients that speak the 2025 revisions. When there are too many, the one that was silent longest ends; its
 * client is told with its next request and begins a new one.
 */
export class HttpSessions {
  /** In the order of last use. */
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  readonly #service: McpService;
  readonly #most: number;

  constructor(service: McpService, most: number) {
    this.#service = service;
    this.#most = most;
  }

  get size(): number {
    return this.#transports.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return this.#begin(request);
    const transport = this.#transports.get(id);
    if (transport === undefined) {
      const error = { code: -32_001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }
    this.#transports.delete(id);
    this.#transports.set(id, transport);
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const open = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.allSettled(open.map((transport) => transport.close()));
  }

  /** Only an initialisation makes a session of this; for anything else the transport has the answer. */
  async #begin(request: Request): Promise<Response> {
    const server = this.#service.createServer();
    let hasBegun = false;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: (id) => {
        hasBegun = true;
        this.#keep(id, transport);
      },
    });
    await server.connect(transport);
    const forget = transport.onclose;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId);
      forget?.();
    };
    const response = await transport.handleRequest(request);
    if (!hasBegun) await server.close();
    return response;
  }

  #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.#transports.set(id, transport);
    if (this.#transports.size <= this.#most) return;
    const [oldest] = this.#transports.values();
    void oldest?.close();
  }
}
