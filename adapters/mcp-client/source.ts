import type { Disposer, ToolsService } from '../../runtime/contract/service.js';
import type { McpServerConfig } from './config.js';
import { type McpConnection, mcpConnection } from './connection.js';
import { joinToolName, serverPrefixes } from './names.js';
import { type McpTool, mcpTool } from './tool.js';

/** What becomes of a server that cannot be reached. */
export interface McpToolsOptions {
  /** Goes on with the other servers and reports the failure; otherwise the first failure rejects. @default false */
  readonly allowMissing?: boolean;
  /** Told of a missing server and of a failed re-read. */
  readonly onWarning?: (message: string) => void;
}

/** Servers whose tools are registered; `close` stops them and removes the tools. */
export interface McpTools {
  close(): Promise<void>;
}

/**
 * Registers the tools of MCP servers and keeps them as the servers list them.
 *
 * One server's tools keep their own names. With several, each name is the server's prefix, `__`, and the tool's name.
 *
 * @throws {McpConfigError} when a server cannot be started, unless `allowMissing`
 * @example
 * const mcp = await registerMcpTools(tools, await readMcpConfig('mcp.json'));
 * await mcp.close();
 */
export async function registerMcpTools(
  tools: ToolsService,
  servers: readonly McpServerConfig[],
  options: McpToolsOptions = {},
): Promise<McpTools> {
  const prefixes = serverPrefixes(servers.map(({ name }) => name));
  const sources = servers.map((server, index) =>
    serverSource(tools, server, servers.length > 1 ? (prefixes[index] as string) : undefined, options),
  );
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.close()));
  };
  const outcomes = await Promise.allSettled(sources.map((source) => source.refresh()));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure && !options.allowMissing) {
    await close();
    throw failure.reason;
  }
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') options.onWarning?.((outcome.reason as Error).message);
  }
  return { close };
}

interface ServerSource {
  refresh(): Promise<void>;
  close(): Promise<void>;
}

function serverSource(
  tools: ToolsService,
  server: McpServerConfig,
  prefix: string | undefined,
  options: McpToolsOptions,
): ServerSource {
  const registered = new Map<string, { readonly listing: string; readonly dispose: Disposer }>();
  const connection: McpConnection = mcpConnection(server, () => {
    void refresh().catch((error: unknown) =>
      options.onWarning?.(`Cannot re-read the tools of MCP server "${server.name}": ${String(error)}`),
    );
  });

  async function refresh(): Promise<void> {
    const listings = await connection.listTools();
    const names = new Set<string>();
    for (const listing of listings) {
      const name = prefix === undefined ? listing.name : joinToolName(prefix, listing.name);
      names.add(name);
      const text = JSON.stringify(listing);
      const known = registered.get(name);
      if (known?.listing === text) continue;
      known?.dispose();
      const { definition, options: registration }: McpTool = mcpTool(
        name,
        server.name,
        listing,
        (tool, args, exec) => connection.callTool(tool, args, exec),
      );
      registered.set(name, { listing: text, dispose: tools.register(definition, registration) });
    }
    for (const [name, { dispose }] of registered) {
      if (names.has(name)) continue;
      dispose();
      registered.delete(name);
    }
  }

  return {
    refresh,
    async close() {
      for (const { dispose } of registered.values()) dispose();
      registered.clear();
      await connection.close();
    },
  };
}
