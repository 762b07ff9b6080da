import { randomUUID } from 'node:crypto';
import type { ToolsService } from '../../runtime/contract/service.js';
import { toolCallId } from '../../runtime/core/ids.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { isRecord } from './config-entry.js';
import { joinToolName } from './names.js';
import { READER_NAMES } from './resource-tools.js';

/** An entry of a list, as its server sent it. */
export type McpListEntry = Readonly<Record<string, JsonValue>>;

/**
 * What the servers offer beside tools, of those whose configuration says so (`"resources": true`, `"prompts": true`).
 *
 * Everything is read by the tools that such a server has for it, so every policy sees it. A server whose list cannot be read is
 * left out of it.
 */
export interface McpCatalogue {
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
  resources(signal: AbortSignal): Promise<readonly McpListEntry[]>;
  resourceTemplates(signal: AbortSignal): Promise<readonly McpListEntry[]>;
  /**
   * Asks the server that lists the address, else each one in turn.
   *
   * @returns the result of `resources/read`
   * @throws {Error} when no server has it
   */
  readResource(uri: string, signal: AbortSignal): Promise<JsonValue>;
  /** With several servers, the names have their prefixes, as those of tools. */
  prompts(signal: AbortSignal): Promise<readonly McpListEntry[]>;
  /**
   * @returns the result of `prompts/get`
   * @throws {Error} when there is no such prompt
   */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonValue>;
}

/** One server, as the catalogue needs it. */
export interface CatalogueSource {
  readonly prefix: string;
  readonly resources: boolean;
  readonly prompts: boolean;
  /** The name under which one of our readers is registered, when the server offers what it reads. */
  reader(ownName: string): string | undefined;
}

/**
 * Makes the catalogue of some servers.
 *
 * @param isShared - whether names of prompts need the server's prefix
 * @example
 * const { resources } = mcpCatalogue(tools, sources, sources.length > 1);
 */
export function mcpCatalogue(
  tools: ToolsService,
  sources: readonly CatalogueSource[],
  isShared: boolean,
): McpCatalogue {
  /** Where an address was listed last. */
  let listed = new Map<JsonValue | undefined, CatalogueSource>();

  async function call(name: string, args: object, signal: AbortSignal): Promise<JsonValue> {
    const callId = toolCallId(`mcp-${randomUUID()}`);
    const result = await tools.pipeline.execute({ callId, name, arguments: args, signal });
    if (result.isError) throw new Error(result.error?.message ?? `Cannot call "${name}"`);
    return result.value as JsonValue;
  }

  /** The entries of every server that answers, each with where it comes from. */
  async function list(ownName: string, key: string, signal: AbortSignal) {
    const lists = sources.map(async (source) => {
      const name = source.reader(ownName);
      const entries = name === undefined ? [] : await call(name, {}, signal);
      return (entries as JsonValue[]).flatMap((entry) =>
        // A client refuses a whole list for one entry that is none.
        isRecord(entry) && typeof entry[key] === 'string' && typeof entry['name'] === 'string'
          ? [{ source, entry: entry as McpListEntry }]
          : [],
      );
    });
    const settled = await Promise.allSettled(lists);
    return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }

  const promptName = (source: CatalogueSource, entry: McpListEntry): string =>
    isShared ? joinToolName(source.prefix, entry['name'] as string) : (entry['name'] as string);

  return {
    hasResources: sources.some(({ resources }) => resources),
    hasPrompts: sources.some(({ prompts }) => prompts),
    async resources(signal) {
      const found = await list(READER_NAMES.resources, 'uri', signal);
      const byAddress = new Map<JsonValue | undefined, (typeof found)[number]>();
      for (const one of found) if (!byAddress.has(one.entry['uri'])) byAddress.set(one.entry['uri'], one);
      listed = new Map([...byAddress].map(([uri, { source }]) => [uri, source]));
      return [...byAddress.values()].map(({ entry }) => entry);
    },
    async resourceTemplates(signal) {
      const found = await list(READER_NAMES.resourceTemplates, 'uriTemplate', signal);
      return found.map(({ entry }) => entry);
    },
    async readResource(uri, signal) {
      const first = listed.get(uri);
      const others = sources.filter((source) => source !== first);
      let refusal: unknown;
      for (const source of first === undefined ? others : [first, ...others]) {
        const name = source.reader(READER_NAMES.readResource);
        if (name === undefined) continue;
        try {
          return await call(name, { uri }, signal);
        } catch (error) {
          // What the one says that has listed it counts.
          refusal ??= error;
        }
      }
      throw refusal ?? new Error('no server offers resources');
    },
    async prompts(signal) {
      const found = await list(READER_NAMES.prompts, 'name', signal);
      return found.map(({ source, entry }) => ({ ...entry, name: promptName(source, entry) }));
    },
    async getPrompt(name, args, signal) {
      for (const { source, entry } of await list(READER_NAMES.prompts, 'name', signal)) {
        const reader = source.reader(READER_NAMES.getPrompt);
        if (reader === undefined || promptName(source, entry) !== name) continue;
        return call(reader, { name: entry['name'], arguments: args }, signal);
      }
      throw new Error('there is no such prompt');
    },
  };
}
