import type { ToolsService } from '../../runtime/contract/service.js';
import { type McpCatalogue, mcpCatalogue } from './catalogue.js';
import { McpConfigError } from './config-error.js';
import { serverPrefixes } from './names.js';
import type { McpServerConfig } from './server-config.js';
import { serverSource } from './server-source.js';
import type { McpToolsOptions } from './source-options.js';

/** Servers whose tools are registered. */
export interface McpTools {
  /** Reads every server's list again; one that cannot be read keeps its tools and is reported. */
  refresh(): Promise<void>;
  /** What the servers offer beside tools. */
  readonly catalogue: McpCatalogue;
  /** Tells the connected servers that `roots` answers something else now. */
  rootsChanged(): Promise<void>;
  /** Stops the servers and removes the tools. */
  close(): Promise<void>;
}

/**
 * Registers the tools of MCP servers and keeps them as the servers list them.
 *
 * One server's tools keep their own names. With several, each name is the server's prefix, `__`, and the tool's name.
 *
 * @throws {McpConfigError} when two servers have one name, or when one cannot be started or reached, unless `allowMissing`
 * @example
 * const mcp = await registerMcpTools(tools, await readMcpConfig('mcp.json'));
 * await mcp.close();
 */
export async function registerMcpTools(
  tools: ToolsService,
  servers: readonly McpServerConfig[],
  options: McpToolsOptions = {},
): Promise<McpTools> {
  const names = servers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new McpConfigError(`Cannot use MCP server "${twice}": two servers have that name`);
  const prefixes = serverPrefixes(names);
  const sources = servers.map((server, index) =>
    serverSource(tools, server, prefixes[index] as string, servers.length > 1, options),
  );
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.close()));
  };
  const load = async (index: number): Promise<void> => {
    const kept = options.cachedListing?.(names[index] as string);
    if (kept === undefined) await sources[index]?.refresh();
    else sources[index]?.adopt(kept);
  };
  const warnOf = (outcomes: readonly PromiseSettledResult<void>[]): void => {
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') options.onWarning?.((outcome.reason as Error).message);
    }
  };
  const outcomes = await Promise.allSettled(sources.map((_, index) => load(index)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure && !options.allowMissing) {
    await close();
    throw failure.reason;
  }
  warnOf(outcomes);
  const offers = sources.map(({ reader }, index) => ({
    prefix: prefixes[index] as string,
    resources: servers[index]?.resources === true,
    prompts: servers[index]?.prompts === true,
    reader,
  }));
  return {
    catalogue: mcpCatalogue(tools, offers, servers.length > 1),
    async refresh() {
      warnOf(await Promise.allSettled(sources.map((source) => source.refresh())));
    },
    async rootsChanged() {
      await Promise.allSettled(sources.map((source) => source.rootsChanged()));
    },
    close,
  };
}
