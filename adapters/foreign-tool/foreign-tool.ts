import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolRunContext } from '../../runtime/contract/execution.js';
import { ToolArgsError, ToolOutputError } from '../../runtime/core/errors.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { checkSchema, schemaValidator } from '../../runtime/schema/schema-validator.js';
import { importTool } from '../../runtime/tools/import-tool.js';
import { canonical } from './canonical.js';
import type { SchemaReading } from './read-schema.js';

const ANY_OBJECT: JsonSchemaNode = { type: 'object', properties: {} };

/** A tool from elsewhere, its schemas read. */
export interface ForeignTool extends Omit<ToolDefinition, 'parameters' | 'output' | 'execute'> {
  readonly input: SchemaReading;
  readonly output: SchemaReading;
  readonly render?: ((args: unknown, value: JsonValue) => readonly ContentBlock[]) | undefined;
  /** Gets what the input schema makes of the arguments; what it returns is made JSON. */
  execute(args: unknown, exec: ToolRunContext): Promise<unknown>;
}

/**
 * Makes a definition of a tool with schemas of another library.
 *
 * Where the library validates, it decides, and the tool gets what it made of the arguments, defaults and transformations
 * included; the wording of a refusal is that of the JSON Schema, if that refuses too. A tool whose schema cannot be used
 * stays registrable: each call of it fails with the reason.
 *
 * @example
 * foreignTool({ name: 'now', description: 'The time.', input: readSchema({}, 'input'), output: readSchema({}, 'output'), execute })
 */
export function foreignTool({ input, output, render, execute, ...rest }: ForeignTool): ToolDefinition {
  const refusal = refusalOf('parameters', input) ?? refusalOf('output schema', output);
  const parameters = 'schema' in input ? input.schema : ANY_OBJECT;
  const schema = 'schema' in output ? output.schema : {};
  const base = { ...rest, output: { schema, render: render ?? renderValue } };
  if (refusal !== undefined) {
    const refuse = async () => {
      throw new Error(`Cannot call "${rest.name}": ${refusal}`);
    };
    return importTool({
      ...base,
      parameters: ANY_OBJECT,
      output: { ...base.output, schema: {} },
      execute: refuse,
    });
  }
  const finish = async (value: unknown): Promise<JsonValue> => {
    const checked = 'check' in output ? await output.check?.(value) : undefined;
    if (checked === undefined) return canonical(value);
    if ('value' in checked) return canonical(checked.value);
    throw new ToolOutputError(
      `"${rest.name}" returned a value that is not its own: ${checked.violations.join('; ')}`,
    );
  };
  const check = 'check' in input ? input.check : undefined;
  if (check === undefined) {
    return importTool({
      ...base,
      parameters,
      execute: async (args, exec) => finish(await execute(args, exec)),
    });
  }
  const mismatches = schemaValidator(parameters, '2020-12');
  return {
    ...base,
    parameters,
    output: { ...base.output, dialect: '2020-12' },
    async execute(args, exec) {
      const checked = await check(args);
      if ('value' in checked) return await finish(await execute(checked.value, exec));
      const violations = mismatches(args, '');
      throw new ToolArgsError(violations.length > 0 ? violations : checked.violations);
    },
  };
}

/** A text as it is, anything else as indented JSON. */
export function renderValue(_args: unknown, value: JsonValue): readonly ContentBlock[] {
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }];
}

function refusalOf(part: string, reading: SchemaReading): string | undefined {
  const reason = 'refusal' in reading ? reading.refusal : checkSchema(reading.schema, '2020-12');
  return reason === undefined ? undefined : `its ${part} cannot be used: ${reason}`;
}
