import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scriptedServer } from '../fixtures/mcp/scripted-server.js';

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body:
    | { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> }
    | undefined;
}

/** The scripted server over streamable HTTP, with what it was sent. */
export interface McpHttpTestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Answers the next POST of a request with this instead. */
  answerNext(answer: (response: ServerResponse) => void): void;
  /** Forgets every session, as a server that was started again does. */
  forgetSessions(): void;
  close(): Promise<void>;
}

/** Starts the scripted server on a free port. */
export async function startMcpHttpServer(options: Record<string, unknown> = {}): Promise<McpHttpTestServer> {
  const seen: SeenRequest[] = [];
  const receive = scriptedServer(options);
  const overrides: ((response: ServerResponse) => void)[] = [];
  const sessions = new Set<string>();
  const listening: ServerResponse[] = [];
  const send = (response: ServerResponse) => (message: unknown) =>
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = text === '' ? undefined : (JSON.parse(text) as SeenRequest['body']);
    seen.push({ method: request.method ?? '', headers: request.headers, body });
    if (request.method === 'GET') {
      listening.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.flushHeaders();
      return;
    }
    if (body?.method === 'server/discover') return void response.writeHead(400).end('unknown');
    if (body?.method === 'initialize') sessions.add(`session-${sessions.size + 1}-${seen.length}`);
    else if (!sessions.has(String(request.headers['mcp-session-id'])))
      return void response.writeHead(404).end('no such session');
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    const override = body?.id === undefined || body.method === 'initialize' ? undefined : overrides.shift();
    if (override) return override(response);
    if (body?.id === undefined || body.method === undefined) {
      await receive(body, () => {});
      return void response.writeHead(202).end();
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'mcp-session-id': [...sessions].at(-1) ?? '',
    });
    response.flushHeaders();
    await receive(body, send(response));
    const { name } = (body.params ?? {}) as { name?: string };
    if (name !== 'hang') response.end();
  };

  const server: Server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    answerNext: (answer) => void overrides.push(answer),
    forgetSessions: () => sessions.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
