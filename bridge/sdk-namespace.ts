import type { CodeBindingNamespace } from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import { type Catalogue, createCatalogue } from '../sdk-gen/catalogue/catalogue.js';
import { TOOLS_GLOBAL } from './bindings.js';

/**
 * Makes the namespace in which a program looks for tools: `search` and `describe` are answered here, without a call of a
 * tool, and `call` reaches a tool by its name.
 *
 * @param definitions what the program may call
 */
export function sdkNamespace(definitions: readonly ToolDefinition[]): CodeBindingNamespace {
  let catalogue: Catalogue | undefined;
  const ask = () => {
    catalogue ??= createCatalogue(definitions);
    return catalogue;
  };
  return {
    global: 'sdk',
    functions: {
      search: (args) => ask().search(first(args)),
      describe: (args) => ask().describe(first(args)),
    },
    argumentStyle: 'list',
    forwards: { call: TOOLS_GLOBAL },
  };
}

function first(args: unknown): unknown {
  return Array.isArray(args) ? args[0] : undefined;
}
