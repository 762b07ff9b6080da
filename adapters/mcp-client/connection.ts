import { SdkHttpError } from '@modelcontextprotocol/client';
import type { ToolRunContext } from '../../runtime/contract/execution.js';
import { errorMessage } from '../../runtime/core/error-text.js';
import { anyResult } from './any-result.js';
import { callResult } from './call-result.js';
import { McpConfigError } from './config-error.js';
import { contained, type McpEvents, progressListener } from './events.js';
import { type Link, openLink } from './link.js';
import { listAll } from './list-all.js';
import { OpenCalls } from './open-calls.js';
import { isLost, requestFailure } from './request-failure.js';
import { hideInTexts, hideSecrets } from './secrets.js';
import type { McpServerConfig } from './server-config.js';
import type { McpToolListing } from './tool.js';
import type { McpCallResult } from './value.js';
import { pause, untilAborted } from './wait.js';

/** No request of ours ends by the client's own default; the host's budgets decide. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;
const HANDSHAKE_TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/** One server: connected on first use, connected again after it died. */
export interface McpConnection {
  readonly server: string;
  listTools(): Promise<readonly McpToolListing[]>;
  callTool(
    listing: McpToolListing,
    args: Record<string, unknown>,
    exec: ToolRunContext,
  ): Promise<McpCallResult>;
  /** Sends any other request that reads; settles with the result as the server sent it. */
  read(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
  /** Reads every page of a list. */
  list(method: string, member: string, signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Whether the connected server has said that it offers this; `undefined` before the first connection. */
  offers(capability: 'resources' | 'prompts'): boolean | undefined;
  /** Tells a connected server that its roots are others now. */
  rootsChanged(): Promise<void>;
  close(): Promise<void>;
}

/** What a connection tells, and how long it waits. */
export interface McpConnectionOptions extends McpEvents {
  /** Called when the server says that its list changed. */
  readonly toolsChanged?: () => void;
  /** Called after each connection; what the server offers may be different from before. */
  readonly connected?: (isFirst: boolean) => void;
  /** Waits before a new attempt after so many failed ones in a row, ms. @default 250 doubling to 10000 */
  readonly retryDelayMs?: (failures: number) => number;
}

/**
 * Opens a connection to one configured server; nothing is started before the first request.
 *
 * @throws {McpConfigError} from a request, when the server cannot be started or does not speak MCP
 * @example
 * const connection = mcpConnection(server);
 * const tools = await connection.listTools();
 */
export function mcpConnection(config: McpServerConfig, options: McpConnectionOptions = {}): McpConnection {
  const hide = hideSecrets(config);
  const { retryDelayMs = (failures) => Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS) } =
    options;
  const closing = new AbortController();
  const calls = new OpenCalls();
  let live: Promise<Link> | undefined;
  let current: Link | undefined;
  let capabilities: { resources?: unknown; prompts?: unknown } | undefined;
  let failures = 0;

  const connect = async (): Promise<Link> => {
    if (failures > 0) await pause(retryDelayMs(failures), closing.signal);
    if (closing.signal.aborted) {
      live = undefined;
      throw new Error(`MCP server "${config.name}" was closed`);
    }
    const isFirst = capabilities === undefined;
    let link: Link | undefined;
    try {
      link = await openLink(config, config.timeoutMs ?? HANDSHAKE_TIMEOUT_MS, {
        ...contained(options),
        hide,
        calls,
        toolsChanged: () => options.toolsChanged?.(),
        ended: () => link && forget(link),
      });
    } catch (error) {
      failures += 1;
      live = undefined;
      throw error;
    }
    failures = 0;
    current = link;
    capabilities = link.client.getServerCapabilities() ?? {};
    options.connected?.(isFirst);
    return link;
  };

  /** The next request opens another link. */
  function forget(link: Link): void {
    if (link !== current) return;
    current = undefined;
    live = undefined;
  }

  const opened = (): Promise<Link> => {
    if (live === undefined) {
      // What the connection sends of itself must not seem to belong to the call that happened to open it.
      live = calls.outside(connect);
      // Whoever waited may have been aborted meanwhile.
      live.catch(() => {});
    }
    return live;
  };

  /** Runs one request on the open link; once more where the server has lost the session, since it did nothing then. */
  async function request<T>(
    what: string,
    signal: AbortSignal | undefined,
    send: (link: Link) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const link = await untilAborted(opened(), signal);
      try {
        return await send(link);
      } catch (error) {
        // An abort surfaces as a timeout error of the client: the signal knows better.
        if (signal?.aborted) throw signal.reason;
        if (isLost(error)) {
          forget(link);
          void link.close();
          if (attempt === 1 && error instanceof SdkHttpError && error.status === 404) continue;
        }
        throw requestFailure(config, hide, what, error, link.epitaph());
      }
    }
  }

  const timeout = config.timeoutMs ?? LONGEST_TIMEOUT_MS;
  const read = (method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> =>
    request(`"${method}"`, signal, ({ client }) =>
      client.request({ method, params } as never, anyResult, { timeout, ...(signal && { signal }) }),
    );

  return {
    server: config.name,
    read,
    list: (method, member, signal) => listAll((params) => read(method, params, signal), member),
    async listTools() {
      const { client } = await opened();
      if (client.getServerCapabilities()?.tools === undefined) return [];
      try {
        return (await listAll((params) => read('tools/list', params), 'tools')) as readonly McpToolListing[];
      } catch (cause) {
        const reason = errorMessage(cause);
        throw new McpConfigError(`Cannot list the tools of MCP server "${config.name}": ${reason}`, {
          cause,
        });
      }
    },
    callTool(listing, args, exec) {
      const { name } = listing;
      const onprogress = progressListener(
        options,
        { server: config.name, tool: name, callId: exec.callId },
        hide,
      );
      const requestOptions = { signal: exec.signal, timeout, ...(onprogress && { onprogress }) };
      const send = async ({ client }: Link): Promise<McpCallResult> => {
        const params = { name, arguments: args };
        const result =
          client.getProtocolEra() === 'modern'
            ? await client.callTool(params, { ...requestOptions, toolDefinition: listing as never })
            : await client.request({ method: 'tools/call', params }, anyResult, requestOptions);
        const outcome = callResult(result);
        return outcome.isError ? hideInTexts(outcome, hide) : outcome;
      };
      return calls.during(exec.callId, () => request(`"${name}"`, exec.signal, send));
    },
    offers: (capability) => capabilities && capabilities[capability] !== undefined,
    async rootsChanged() {
      await current?.client.sendRootsListChanged();
    },
    async close() {
      closing.abort();
      const link = live;
      live = undefined;
      current = undefined;
      await link?.then((connected) => connected.close()).catch(() => {});
    },
  };
}
