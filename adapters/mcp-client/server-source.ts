import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../../runtime/contract/service.js';
import { errorMessage } from '../../runtime/core/error-text.js';
import { isRecord } from './config-entry.js';
import { type McpConnection, mcpConnection } from './connection.js';
import { joinToolName } from './names.js';
import { promptReaders, resourceReaders } from './resource-tools.js';
import type { McpHints, McpServerConfig } from './server-config.js';
import type { McpToolsOptions } from './source-options.js';
import { type McpToolListing, mcpTool } from './tool.js';

const DEFAULT_CHANGE_DELAY_MS = 100;
/** So many warnings about one server's lists are told; a list of thousands of broken tools must not flood the host. */
const MOST_TOLD = 100;

/** One server whose tools are registered. */
export interface ServerSource {
  /** Registers what a listing that the host kept says, without a connection. */
  adopt(listings: readonly McpToolListing[]): void;
  /** Reads the list again; a failure keeps what is registered. */
  refresh(): Promise<void>;
  rootsChanged(): Promise<void>;
  /** The name of one of our own readers, while it is registered. */
  reader(ownName: string): string | undefined;
  close(): Promise<void>;
}

interface Registered {
  readonly name: string;
  /** As it was read; empty for a reader of ours. */
  readonly listing: string;
  readonly dispose: Disposer;
}

/**
 * Keeps one server's tools registered as the server lists them.
 *
 * @param isShared - whether tools of other servers stand beside them, so that names need the prefix
 */
export function serverSource(
  tools: ToolsService,
  server: McpServerConfig,
  prefix: string,
  isShared: boolean,
  options: McpToolsOptions,
): ServerSource {
  const registered = new Map<string, Registered>();
  const told = new Set<string>();
  /** What is said of a list is said once, however often the list is read. */
  const warn = (what: string): void => {
    if (told.has(what) || told.size >= MOST_TOLD) return;
    told.add(what);
    const last = told.size === MOST_TOLD ? '; further ones are not told' : '';
    options.onWarning?.(`MCP server "${server.name}": ${what.replace(/\s*[\r\n]\s*/g, ' ')}${last}`);
  };
  const connection: McpConnection = mcpConnection(server, {
    ...options,
    toolsChanged: () => schedule(),
    connected: (isFirst) => {
      if (!isFirst || isAdopted) schedule();
    },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: Promise<void> | undefined;
  let isClosed = false;
  let isAdopted = false;

  /** One re-read for all changes that are announced close together. */
  function schedule(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void refresh().catch((error: unknown) => {
        if (!isClosed)
          warn(`its tools stay as they were, since the list could not be read again: ${errorMessage(error)}`);
      });
    }, options.changeDelayMs ?? DEFAULT_CHANGE_DELAY_MS);
  }

  /** One after the other: an older list must not replace a newer one. */
  function refresh(): Promise<void> {
    const next = (reading ?? Promise.resolve()).catch(() => {}).then(read);
    reading = next;
    return next;
  }

  async function read(): Promise<void> {
    const listings = await connection.listTools();
    if (isClosed) return;
    options.onListing?.(server.name, listings);
    adopt(listings);
  }

  function adopt(listings: readonly McpToolListing[]): void {
    const seen = new Set<string>();
    for (const [index, listing] of listings.entries()) {
      const problem = problemOf(listing, index + 1, seen);
      if (problem !== undefined) warn(problem);
      else if (isWanted(listing.name)) {
        seen.add(listing.name);
        keep(listing.name, JSON.stringify(listing), (name) => toolOf(name, listing));
      }
    }
    for (const reader of readers()) {
      if (seen.has(reader.name)) continue;
      seen.add(reader.name);
      keep(reader.name, '', (name) => ({
        definition: reader.define(name),
        options: {
          source: server.name,
          sourceName: reader.name,
          readOnly: true,
          idempotent: true,
          kind: 'read',
        },
      }));
    }
    for (const [name, { dispose }] of registered) {
      if (seen.has(name)) continue;
      dispose();
      registered.delete(name);
    }
  }

  function keep(
    ownName: string,
    listing: string,
    make: (name: string) => { definition: ToolDefinition; options: ToolRegistrationOptions },
  ): void {
    const known = registered.get(ownName);
    if (known?.listing === listing) return;
    known?.dispose();
    registered.delete(ownName);
    const joined = joinToolName(prefix, ownName);
    // A plain name that is taken or reserved is still reachable under the joined one.
    const names = isShared ? [joined] : [ownName, joined];
    let refusal: unknown;
    for (const name of names) {
      try {
        const made = make(name);
        registered.set(ownName, { name, listing, dispose: tools.register(made.definition, made.options) });
        return;
      } catch (error) {
        refusal ??= error;
      }
    }
    warn(`its tool "${ownName}" is left out: ${errorMessage(refusal)}`);
  }

  const toolOf = (name: string, listing: McpToolListing) =>
    mcpTool(
      name,
      server.name,
      listing,
      (tool, args, exec) => connection.callTool(tool, args, exec),
      hintsFor(listing.name),
    );

  function hintsFor(tool: string): McpHints {
    const { hints, toolHints } = server;
    return {
      ...hints,
      ...(toolHints !== undefined && Object.hasOwn(toolHints, tool) ? toolHints[tool] : {}),
    };
  }

  const isWanted = (tool: string): boolean => {
    const { allow, deny } = server.tools ?? {};
    return (allow === undefined || allow.includes(tool)) && !deny?.includes(tool);
  };

  const readers = () => [
    ...(server.resources && connection.offers('resources') !== false ? resourceReaders(connection) : []),
    ...(server.prompts && connection.offers('prompts') !== false ? promptReaders(connection) : []),
  ];

  return {
    adopt(listings) {
      isAdopted = true;
      adopt(listings);
    },
    refresh,
    rootsChanged: () => connection.rootsChanged(),
    reader(ownName) {
      const known = registered.get(ownName);
      return known?.listing === '' ? known.name : undefined;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { dispose } of registered.values()) dispose();
      registered.clear();
      await connection.close();
    },
  };
}

function problemOf(listing: unknown, n: number, seen: ReadonlySet<string>): string | undefined {
  if (!isRecord(listing) || typeof listing['name'] !== 'string' || listing['name'] === '') {
    return `entry ${n} of its list is left out: it is no tool with a name`;
  }
  const { name, inputSchema } = listing as { name: string; inputSchema?: unknown };
  if (seen.has(name)) return `its tool "${name}" is listed twice: the first one counts`;
  if (inputSchema !== undefined && !isRecord(inputSchema)) {
    return `its tool "${name}" is left out: its input schema is no object`;
  }
  return undefined;
}
