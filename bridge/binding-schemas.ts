import type { ToolDefinition, ToolSchema } from '../runtime/contract/definition.js';
import { deepFreeze } from '../runtime/core/freeze.js';
import { toolSchema } from '../runtime/tools/schemas.js';

/** What was projected from which parts of a definition: a definition is borrowed, so its owner may change it. */
interface Projection {
  readonly description: string;
  readonly parameters: ToolDefinition['parameters'];
  readonly schema: ToolSchema | undefined;
}

const projections = new WeakMap<ToolDefinition, Projection>();

/**
 * The deep-frozen schema that goes with the calls of a bound tool; made once per definition as long as it stays the same.
 *
 * @returns `undefined` when the parameters are no lossless JSON
 */
export function bindingSchema(definition: ToolDefinition): ToolSchema | undefined {
  const { description, parameters } = definition;
  const known = projections.get(definition);
  if (known !== undefined && known.description === description && known.parameters === parameters) {
    return known.schema;
  }
  const schema = project(definition);
  projections.set(definition, { description, parameters, schema });
  return schema;
}

function project(definition: ToolDefinition): ToolSchema | undefined {
  try {
    return deepFreeze(toolSchema(definition));
  } catch {
    // Such a tool cannot be shown to a model, yet a program that knows it may call it.
    return undefined;
  }
}
