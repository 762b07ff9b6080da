import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import { snapshotJsonValue } from '../../runtime/core/json.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { importTool } from '../../runtime/tools/import-tool.js';
import type { McpConnection } from './connection.js';

/** A tool of ours that reads something else than a tool of the server. */
export interface McpReader {
  readonly name: string;
  define(name: string): ToolDefinition;
}

/** The names of these tools, as their server would have them. */
export const READER_NAMES = Object.freeze({
  resources: 'list_resources',
  resourceTemplates: 'list_resource_templates',
  readResource: 'read_resource',
  prompts: 'list_prompts',
  getPrompt: 'get_prompt',
});

const text = (description: string) => ({ type: 'string', description });
const object = (properties: Record<string, object>, required: readonly string[]): JsonSchemaNode =>
  ({ type: 'object', properties, required, additionalProperties: false }) as JsonSchemaNode;

/**
 * The tools that list and read a server's resources.
 *
 * @example
 * resourceReaders(connection).map(({ name }) => name) // ['list_resources', 'list_resource_templates', 'read_resource']
 */
export function resourceReaders(connection: McpConnection): McpReader[] {
  const { server } = connection;
  return [
    lister(
      connection,
      READER_NAMES.resources,
      `Lists the resources of the MCP server "${server}".`,
      'resources/list',
      'resources',
    ),
    lister(
      connection,
      READER_NAMES.resourceTemplates,
      `Lists the address templates of the resources of the MCP server "${server}".`,
      'resources/templates/list',
      'resourceTemplates',
    ),
    reader(
      connection,
      READER_NAMES.readResource,
      `Reads a resource of the MCP server "${server}".`,
      object({ uri: text('Address of the resource') }, ['uri']),
      'resources/read',
      (value) => blocksOf(value, 'contents', (resource) => ({ type: 'resource', resource })),
    ),
  ];
}

/**
 * The tools that list and get a server's prompts.
 *
 * @example
 * promptReaders(connection).map(({ name }) => name) // ['list_prompts', 'get_prompt']
 */
export function promptReaders(connection: McpConnection): McpReader[] {
  const { server } = connection;
  const named = { type: 'object', additionalProperties: { type: 'string' } };
  return [
    lister(
      connection,
      READER_NAMES.prompts,
      `Lists the prompts of the MCP server "${server}".`,
      'prompts/list',
      'prompts',
    ),
    reader(
      connection,
      READER_NAMES.getPrompt,
      `Gets a prompt of the MCP server "${server}" as messages.`,
      object({ name: text('Name of the prompt'), arguments: named }, ['name']),
      'prompts/get',
      () => undefined,
    ),
  ];
}

function lister(
  connection: McpConnection,
  name: string,
  description: string,
  method: string,
  member: string,
): McpReader {
  return define(name, description, object({}, []), async (_, signal) =>
    asJson(await connection.list(method, member, signal)),
  );
}

function reader(
  connection: McpConnection,
  name: string,
  description: string,
  parameters: JsonSchemaNode,
  method: string,
  contentOf: (value: JsonValue) => readonly ContentBlock[] | undefined,
): McpReader {
  return define(
    name,
    description,
    parameters,
    async (args, signal) => {
      const { _meta, resultType, ...value } = (await connection.read(method, args, signal)) as Record<
        string,
        unknown
      >;
      return asJson(value);
    },
    contentOf,
  );
}

function define(
  ownName: string,
  description: string,
  parameters: JsonSchemaNode,
  read: (args: Record<string, unknown>, signal: AbortSignal) => Promise<JsonValue>,
  contentOf: (value: JsonValue) => readonly ContentBlock[] | undefined = () => undefined,
): McpReader {
  return {
    name: ownName,
    define: (name) =>
      importTool({
        name,
        description,
        parameters,
        output: {
          schema: {},
          render: (_, value) => contentOf(value) ?? [{ type: 'text', text: JSON.stringify(value, null, 2) }],
        },
        isConcurrencySafe: () => true,
        execute: (args, exec) => read(args as Record<string, unknown>, exec.signal),
      }),
  };
}

function blocksOf(
  value: JsonValue,
  member: string,
  block: (entry: JsonValue) => ContentBlock,
): readonly ContentBlock[] | undefined {
  const entries = (value as Record<string, JsonValue>)[member];
  return Array.isArray(entries) && entries.length > 0 ? entries.map(block) : undefined;
}

function asJson(value: unknown): JsonValue {
  return snapshotJsonValue(value) ?? (JSON.parse(JSON.stringify(value ?? null)) as JsonValue);
}
