import type { McpCatalogue, McpEvents } from '../adapters/mcp-client/index.js';
import type { ToolsService } from '../runtime/contract/service.js';
import { loadTools } from './load-tools.js';
import { UsageError } from './usage-error.js';

/** Where the tools of one command come from. */
export interface ToolSources {
  readonly tools: readonly string[];
  readonly mcp: readonly string[];
  readonly allowMissing: boolean;
}

/** Sources that are registered. */
export interface OpenToolSources {
  /** What MCP servers offer beside tools; absent without any. */
  readonly catalogue?: McpCatalogue;
  /** Ends the servers. */
  close(): Promise<void>;
}

/**
 * Registers every named source; on failure nothing stays open.
 *
 * @param warn - told of what was left out with `allowMissing`
 * @param events - what else is heard of MCP servers
 * @throws {UsageError} naming the source that cannot be used
 * @example
 * const { close } = await openToolSources(tools, { tools: ['tools.js'], mcp: [], allowMissing: false }, console.error);
 */
export async function openToolSources(
  tools: ToolsService,
  sources: ToolSources,
  warn: (line: string) => void,
  events: McpEvents = {},
): Promise<OpenToolSources> {
  for (const path of sources.tools) await loadTools(tools, path);
  if (sources.mcp.length === 0) return { close: async () => {} };
  // Its packages cost more to load than all the rest.
  const { readMcpConfig, registerMcpTools } = await import('../adapters/mcp-client/index.js');
  try {
    const servers = (await Promise.all(sources.mcp.map((path) => readMcpConfig(path)))).flat();
    const twice = servers.find(
      ({ name }, index) => servers.findIndex((other) => other.name === name) !== index,
    );
    if (twice) throw new UsageError(`Cannot use MCP server "${twice.name}": two configurations name it`);
    if (servers.length === 0) return { close: async () => {} };
    const mcp = await registerMcpTools(tools, servers, {
      ...events,
      allowMissing: sources.allowMissing,
      onWarning: warn,
    });
    return { catalogue: mcp.catalogue, close: () => mcp.close() };
  } catch (cause) {
    throw new UsageError((cause as Error).message.split('\n')[0] ?? '', { cause });
  }
}
