import type { CodeBindingNamespace } from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import { type Catalogue, createCatalogue } from '../sdk-gen/catalogue/catalogue.js';
import { TOOLS_GLOBAL } from './bindings.js';

interface Known {
  readonly definitions: readonly ToolDefinition[];
  readonly catalogue: Catalogue;
}

/** The latest catalogue of each list, by its first definition: an index over thousands of tools is worth keeping. */
const latest = new WeakMap<ToolDefinition, Known>();

/**
 * Makes the namespace in which a program looks for tools: `search` and `describe` are answered here, without a call of a
 * tool, and `call` reaches a tool by its name.
 *
 * @param definitions what the program may call
 */
export function sdkNamespace(definitions: readonly ToolDefinition[]): CodeBindingNamespace {
  return {
    global: 'sdk',
    functions: {
      search: (args) => catalogueOf(definitions).search(first(args)),
      describe: (args) => catalogueOf(definitions).describe(first(args)),
    },
    argumentStyle: 'list',
    forwards: { call: TOOLS_GLOBAL },
  };
}

function catalogueOf(definitions: readonly ToolDefinition[]): Catalogue {
  const [head] = definitions;
  if (head === undefined) return createCatalogue(definitions);
  const known = latest.get(head);
  if (known !== undefined && isSame(known.definitions, definitions)) return known.catalogue;
  const catalogue = createCatalogue(definitions);
  latest.set(head, { definitions, catalogue });
  return catalogue;
}

function isSame(a: readonly ToolDefinition[], b: readonly ToolDefinition[]): boolean {
  return a === b || (a.length === b.length && a.every((definition, i) => definition === b[i]));
}

function first(args: unknown): unknown {
  return Array.isArray(args) ? args[0] : undefined;
}
