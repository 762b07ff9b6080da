import { Client } from '@modelcontextprotocol/client';
import type { McpEvents, McpLogMessage } from './events.js';
import { HttpTransport } from './http-transport.js';
import type { OpenCalls } from './open-calls.js';
import { openFailure } from './open-failure.js';
import { askable, takeQuestions } from './question.js';
import { reasonText } from './reason-text.js';
import type { McpServerConfig } from './server-config.js';
import { StdioTransport } from './stdio-transport.js';

/** How many complaints about one connection are passed on; a server that sends rubbish must not flood the host. */
const COMPLAINTS_TOLD = 3;
const LONGEST_TEXT = 2_000;

/** What one connection needs beside its server. */
export interface LinkHooks extends McpEvents {
  readonly toolsChanged: () => void;
  readonly ended: () => void;
  readonly hide: (text: string) => string;
  readonly calls: OpenCalls;
}

/** One open connection to a server. */
export interface Link {
  readonly client: Client;
  /** Why it ended, as far as is known. */
  epitaph(): string;
  close(): Promise<void>;
}

/**
 * Connects to a server once.
 *
 * @param timeoutMs - longest wait for the handshake, ms
 * @throws {McpConfigError} when the server cannot be started or reached, or does not speak MCP
 */
export async function openLink(server: McpServerConfig, timeoutMs: number, hooks: LinkHooks): Promise<Link> {
  const isHttp = server.url !== undefined;
  const transport = isHttp ? new HttpTransport(server) : new StdioTransport(server, hooks.hide);
  const epitaph = (): string =>
    hooks.hide(transport instanceof StdioTransport ? transport.epitaph : '').slice(0, LONGEST_TEXT);
  const client = new Client(
    { name: 'ptc-runtime', version: '1' },
    {
      capabilities: {
        ...askable(server, hooks),
        ...(hooks.roots === undefined ? {} : { roots: { listChanged: true } }),
      },
      // Results are validated by the pipeline, against the same schema that the program was given.
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
      listChanged: {
        tools: { onChanged: () => hooks.toolsChanged(), autoRefresh: false, debounceMs: 0 },
      },
      versionNegotiation: { mode: server.protocol ?? (isHttp ? 'auto' : 'legacy') },
    },
  );
  const complaints = listen(client, server, hooks);
  takeQuestions(client, server, hooks, hooks.calls, (data) => hideIn(data, hooks.hide));
  try {
    await client.connect(transport, { timeout: timeoutMs });
  } catch (error) {
    client.onclose = () => {};
    const attempt = { error, epitaph: epitaph(), complaint: complaints.first, timeoutMs };
    await transport.close().catch(() => {});
    throw openFailure(server, attempt, hooks.hide);
  }
  complaints.tell();
  return {
    client,
    epitaph,
    async close() {
      client.onclose = () => {};
      if (transport instanceof HttpTransport) await transport.terminateSession().catch(() => {});
      await client.close().catch(() => {});
    },
  };
}

/** What a connection complains about. As long as it is being opened, it is only kept: it may explain the failure. */
interface Complaints {
  readonly first: string | undefined;
  tell(): void;
}

function listen(client: Client, server: McpServerConfig, hooks: LinkHooks): Complaints {
  let count = 0;
  let kept: string[] | undefined = [];
  const warn = (text: string): void => hooks.onWarning?.(`MCP server "${server.name}": ${text}`);
  client.onclose = hooks.ended;
  client.onerror = (error) => {
    count += 1;
    if (count > COMPLAINTS_TOLD) return;
    const text = reasonText(error, hooks.hide);
    if (kept === undefined) warn(count === COMPLAINTS_TOLD ? `${text}; further ones are not told` : text);
    else kept.push(text);
  };
  // A server may announce changes without having said that it would.
  client.setNotificationHandler('notifications/tools/list_changed', () => hooks.toolsChanged());
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const { level, logger, data } = params;
    const message: McpLogMessage = {
      server: server.name,
      level,
      data: hideIn(data, hooks.hide),
      ...(logger === undefined ? {} : { logger }),
    };
    hooks.onLog?.(message);
  });
  if (hooks.roots !== undefined) {
    const { roots } = hooks;
    client.setRequestHandler('roots/list', () => ({
      roots: roots(server.name).map((root) => ({ ...root })),
    }));
  }
  return {
    get first() {
      return kept?.[0];
    },
    tell() {
      for (const text of kept ?? []) warn(text);
      kept = undefined;
    },
  };
}

function hideIn(data: unknown, hide: (text: string) => string): unknown {
  if (typeof data === 'string') return hide(data);
  try {
    const text = JSON.stringify(data);
    const hidden = hide(text);
    return hidden === text ? data : JSON.parse(hidden);
  } catch {
    return undefined;
  }
}
