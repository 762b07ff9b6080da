import type { SchemaDialect, ToolDefinition } from '../contract/definition.js';
import { received } from '../core/option-error.js';
import { TRANSPORT_NAME } from '../core/transport-name.js';
import { schemaValidator } from '../schema/schema-validator.js';

const OPTIONAL_FUNCTIONS = [
  'projectContent',
  'finalizeContent',
  'isConcurrencySafe',
  'presentCall',
  'presentResult',
] as const satisfies readonly (keyof ToolDefinition)[];

const DIALECTS: readonly SchemaDialect[] = ['subset', 'draft-07', '2020-12'];

/**
 * Refuses a definition that could not be dispatched. `parameters` are not looked at: a raw definition may carry any.
 *
 * @throws {Error} when the name is reserved.
 * @throws {TypeError} when the name, the output contract, the budget or a member has the wrong shape.
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when `output.schema` is none of its dialect.
 * @example
 * assertToolDefinition(defineTool({ … }));
 */
export function assertToolDefinition(definition: ToolDefinition): void {
  if (typeof definition !== 'object' || definition === null) {
    throw new TypeError(`Cannot register a tool: wanted a definition, received ${received(definition)}`);
  }
  const { name } = definition;
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(
      `Cannot register a tool: its name wants a non-empty string, received ${received(name)}`,
    );
  }
  if (name === TRANSPORT_NAME) {
    throw new Error(`Cannot register tool "${name}": the name is reserved for the transport of programs`);
  }
  wantFunction(name, 'execute', definition.execute);
  for (const member of OPTIONAL_FUNCTIONS) {
    if (definition[member] !== undefined) wantFunction(name, member, definition[member]);
  }
  assertTimeout(name, definition.timeoutMs);
  assertOutput(name, definition.output);
}

function assertTimeout(name: string, timeoutMs: unknown): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === 'number' && Number.isFinite(timeoutMs) && timeoutMs > 0) return;
  throw refusal(name, '"timeoutMs" wants positive finite milliseconds', timeoutMs);
}

function assertOutput(name: string, output: ToolDefinition['output']): void {
  if (typeof output !== 'object' || output === null) {
    throw refusal(name, '"output" wants an object with schema and render', output);
  }
  wantFunction(name, 'output.render', output.render);
  if (output.presentationMeta !== undefined) {
    wantFunction(name, 'output.presentationMeta', output.presentationMeta);
  }
  const dialect: unknown = output.dialect ?? 'subset';
  if (!DIALECTS.includes(dialect as SchemaDialect)) {
    throw refusal(name, `"output.dialect" wants one of ${DIALECTS.join(', ')}`, dialect);
  }
  schemaValidator(output.schema, dialect as SchemaDialect);
}

function wantFunction(name: string, member: string, value: unknown): void {
  if (typeof value !== 'function') throw refusal(name, `"${member}" wants a function`, value);
}

function refusal(name: string, wanted: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot register tool ${JSON.stringify(name)}: ${wanted}, received ${received(value)}`,
  );
}
