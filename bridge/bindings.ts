import type {
  CodeBindingCall,
  CodeBindingFunction,
  CodeBindingNamespace,
} from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { TRANSPORT_NAME } from '../runtime/core/transport-name.js';

/** The names that a program reaches the host by. */
export const TOOLS_GLOBAL = 'tools';
export const TOOL_ERROR_CLASS = { name: 'ToolCallError', memberNameProperty: 'toolName' } as const;

/** Carries out one call of a bound tool. */
export type CallTool = (
  definition: ToolDefinition,
  args: unknown,
  call: CodeBindingCall,
) => Promise<JsonValue>;

/**
 * Makes the namespace of the tools that a program may call.
 *
 * Enumerated once: a tool that goes away later is refused call by call, one that comes later is not there. The transport
 * itself is never bound. The record has no prototype, so every name is a name.
 */
export function toolsNamespace(
  definitions: readonly ToolDefinition[],
  callTool: CallTool,
): CodeBindingNamespace {
  const functions: Record<string, CodeBindingFunction> = Object.create(null);
  for (const definition of definitions) {
    const { name } = definition;
    if (name !== TRANSPORT_NAME) functions[name] = (args, call) => callTool(definition, args, call);
  }
  return { global: TOOLS_GLOBAL, functions, errorClass: TOOL_ERROR_CLASS };
}
