import type { Tool } from '@modelcontextprotocol/server';
import type { ToolSchema } from '../../runtime/contract/definition.js';
import type { ToolsService } from '../../runtime/contract/service.js';

/**
 * The tools that the selected executor offers, as an MCP client lists them.
 *
 * What the prompt would say of the transport stands in its description, since an MCP server has no other place for it.
 *
 * @example
 * listTools(tools).map(({ name }) => name) // ['run_code']
 */
export function listTools(tools: ToolsService): Tool[] {
  const { schemas, sections = [] } = tools.describe();
  const prompt = sections.map(({ text }) => text);
  return schemas.map((schema) =>
    tools.get(schema.name) === undefined ? transportTool(schema, prompt) : nativeTool(tools, schema),
  );
}

function transportTool({ name, description, parameters }: ToolSchema, prompt: readonly string[]): Tool {
  return {
    name,
    title: 'Run code',
    description: [description, ...prompt].join('\n\n'),
    inputSchema: objectSchema(parameters),
  };
}

function nativeTool(tools: ToolsService, { name, description, parameters }: ToolSchema): Tool {
  const { readOnly, destructive, idempotent } = tools.registration(name) ?? {};
  const outputSchema = structuredSchema(tools, name);
  return {
    name,
    description,
    inputSchema: objectSchema(parameters),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
      ...(destructive === undefined ? {} : { destructiveHint: destructive }),
      ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    },
  };
}

/**
 * The schema of a tool's structured content, for a tool whose value is always an object.
 *
 * @example
 * structuredSchema(tools, 'add') // undefined: its value is a number
 */
export function structuredSchema(tools: ToolsService, name: string): Tool['outputSchema'] {
  const schema = tools.get(name)?.output.schema as { readonly type?: unknown } | undefined;
  return schema?.type === 'object' ? (schema as Tool['outputSchema']) : undefined;
}

function objectSchema(parameters: object): Tool['inputSchema'] {
  return { ...parameters, type: 'object' };
}
