import type { ToolSchema } from '../contract/definition.js';
import { snapshotJsonValue } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
import type { JsonSchemaNode } from '../schema/json-schema.js';

/** What a projection reads of a tool. */
export interface SchemaSource {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaNode;
}

/**
 * What a model is told of a tool: exactly name, description and a deep clone of the parameters.
 *
 * @throws {TypeError} when the parameters are no lossless JSON, or a getter in them throws; the message names the tool.
 * @example
 * toolSchema(definition).parameters === definition.parameters // false
 */
export function toolSchema({ name, description, parameters }: SchemaSource): ToolSchema {
  return { name, description, parameters: cloneParameters(name, parameters) };
}

function cloneParameters(name: string, parameters: JsonSchemaNode): JsonSchemaNode {
  let clone: JsonValue | undefined;
  try {
    clone = snapshotJsonValue(parameters);
  } catch (cause) {
    throw lossy(name, { cause });
  }
  if (clone === undefined) throw lossy(name);
  return clone as JsonSchemaNode;
}

function lossy(name: string, options?: ErrorOptions): TypeError {
  return new TypeError(
    `Cannot project tool ${JSON.stringify(name)}: its parameters want lossless JSON throughout`,
    options,
  );
}
