import type { ToolDefinition } from '../contract/definition.js';
import type { ToolModelInput } from '../contract/executor.js';
import { toolSchema } from '../tools/schemas.js';

/**
 * What a model is told of tools that it may call directly: one schema each, in the given order, and their names.
 *
 * @throws {TypeError} when a tool's parameters are no lossless JSON; the message names the tool.
 */
export function modelInput(tools: readonly ToolDefinition[]): ToolModelInput {
  return { schemas: tools.map(toolSchema), knownNames: tools.map(({ name }) => name) };
}
