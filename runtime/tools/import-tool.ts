import type { ToolDefinition } from '../contract/definition.js';
import { ToolArgsError } from '../core/errors.js';
import type { JsonSchemaNode, SchemaDialect } from '../schema/json-schema.js';
import { checkSchema, schemaValidator, schemaWarnings } from '../schema/schema-validator.js';

/** The dialect of an imported schema that names none. */
const DEFAULT_DIALECT: SchemaDialect = '2020-12';

/**
 * Makes a definition of a tool that comes from elsewhere, with any JSON Schema of a published dialect.
 *
 * Arguments are validated before `execute` and the value against the output schema. `$schema` decides the dialect where it
 * is present; otherwise it is 2020-12. A tool whose schema cannot be used stays registrable: each call of it fails with
 * the reason, so one broken schema never costs the other tools of its source. What is doubtful in a schema that works, such
 * as keywords that nobody knows, becomes a warning of the service with which the definition is registered.
 *
 * @param definition - a raw definition; `output.dialect` is taken where it is given
 * @throws {ToolArgsError} INVALID_ARGS from `execute`, when the arguments do not match
 * @example
 * const search = importTool({
 *   name: 'search',
 *   description: 'Searches',
 *   parameters: { type: 'object', properties: { q: { type: 'string', minLength: 1 } }, required: ['q'] } as JsonSchemaNode,
 *   output: { schema: {}, render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }] },
 *   execute: async (args) => remote.search(args),
 * });
 */
export function importTool(definition: ToolDefinition): ToolDefinition {
  const imported = importedDefinition(definition);
  const { parameters, output } = definition;
  const told = (part: string, schema: JsonSchemaNode, dialect: SchemaDialect) =>
    schemaWarnings(schema, dialect).map((line) => `Tool "${definition.name}": its ${part}: ${line}`);
  const lines = [
    ...told('parameters', parameters, DEFAULT_DIALECT),
    ...told('output schema', output.schema, output.dialect ?? DEFAULT_DIALECT),
  ];
  if (lines.length > 0) warnings.set(imported, lines);
  return imported;
}

const warnings = new WeakMap<ToolDefinition, readonly string[]>();

/** What a host should be told of an imported definition that works, e.g. keywords of its schemas that nobody knows. */
export function importWarnings(definition: ToolDefinition): readonly string[] {
  return warnings.get(definition) ?? [];
}

function importedDefinition(definition: ToolDefinition): ToolDefinition {
  const { parameters, output } = definition;
  const dialect = output.dialect ?? DEFAULT_DIALECT;
  const refusal =
    refusalOf('parameters', parameters, DEFAULT_DIALECT) ??
    refusalOf('output schema', output.schema, dialect);
  const validate = refusal === undefined ? schemaValidator(parameters, DEFAULT_DIALECT) : () => [];
  return {
    ...definition,
    output: refusal === undefined ? { ...output, dialect } : { ...output, schema: {}, dialect },
    async execute(args, exec) {
      if (refusal !== undefined) throw new Error(`Cannot call "${definition.name}": ${refusal}`);
      const violations = validate(args, '');
      if (violations.length > 0) throw new ToolArgsError(violations);
      return await definition.execute(args, exec);
    },
  };
}

function refusalOf(part: string, schema: JsonSchemaNode, dialect: SchemaDialect): string | undefined {
  const reason = checkSchema(schema, dialect);
  return reason === undefined ? undefined : `its ${part} cannot be used: ${reason}`;
}
