import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolExecutionToken, ToolRunContext } from '../../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { importTool } from '../../runtime/tools/import-tool.js';
import type { McpHints } from './server-config.js';
import { type McpCallResult, mcpContent, mcpErrorText, mcpValue } from './value.js';

/** A tool as an MCP server lists it. */
export interface McpToolListing {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: object | undefined;
  readonly outputSchema?: object | undefined;
  readonly annotations?: { readonly [hint in keyof McpHints]?: McpHints[hint] | undefined } | undefined;
}

/** Sends one `tools/call` and settles with its result; an abort of the signal cancels it at the server. */
export type McpToolCaller = (
  tool: McpToolListing,
  args: Record<string, unknown>,
  exec: ToolRunContext,
) => Promise<McpCallResult>;

/** A definition with what the registry is told beside it. */
export interface McpTool {
  readonly definition: ToolDefinition;
  readonly options: ToolRegistrationOptions;
}

/**
 * Makes a registrable tool of an MCP tool: schemas enforced, value by the result rules, the server's own content shown.
 *
 * A tool whose schema cannot be used is refused when it is called, with the reason; the others of its server work.
 *
 * @param name - the name that programs call
 * @param server - the server's name, kept as the tool's source
 * @param overrides - what the host says of its effects; outranks the server's hints
 * @example
 * const { definition, options } = mcpTool('files__read', 'files', listing, ({ name }, args) => client.callTool({ name, arguments: args }));
 */
export function mcpTool(
  name: string,
  server: string,
  listing: McpToolListing,
  call: McpToolCaller,
  overrides: McpHints = {},
): McpTool {
  const contents = new Map<ToolExecutionToken, readonly ContentBlock[]>();
  const hints = { ...listing.annotations, ...overrides };
  const definition = importTool({
    name,
    description: typeof listing.description === 'string' ? listing.description : '',
    parameters: (listing.inputSchema ?? { type: 'object' }) as JsonSchemaNode,
    output: { schema: (listing.outputSchema ?? {}) as JsonSchemaNode, render: renderValue },
    ...(hints.readOnlyHint === true ? { isConcurrencySafe: () => true } : {}),
    async execute(args, exec) {
      const result = await call(listing, args as Record<string, unknown>, exec);
      if (result.isError) throw new Error(mcpErrorText(result));
      const content = mcpContent(result);
      if (content) contents.set(exec.token, content);
      return mcpValue(result);
    },
    projectContent: (exec, result) => (result.isError ? undefined : contents.get(exec.token)),
    finalizeContent(exec) {
      contents.delete(exec.token);
      return undefined;
    },
  });
  return {
    definition,
    options: {
      source: server,
      sourceName: listing.name,
      ...(hints.readOnlyHint === undefined ? {} : { readOnly: hints.readOnlyHint }),
      ...(hints.destructiveHint === undefined ? {} : { destructive: hints.destructiveHint }),
      ...(hints.idempotentHint === undefined ? {} : { idempotent: hints.idempotentHint }),
      ...(hints.readOnlyHint === true ? { kind: 'read' as const } : {}),
    },
  };
}

function renderValue(_args: unknown, value: JsonValue): readonly ContentBlock[] {
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }];
}
