import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SchemaDialect } from '#dist/runtime/schema/json-schema.js';
import { checkSchema, schemaValidator } from '#dist/runtime/schema/schema-validator.js';

interface SchemaCase {
  readonly $case: { readonly case: string; readonly kind: string; readonly dialect?: SchemaDialect };
  readonly tool: { readonly inputSchema: unknown; readonly outputSchema?: unknown };
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** Cases whose schema makes no sense, with the words of the refusal. */
const REFUSED: ReadonlyMap<string, string> = new Map([['115', 'refers to itself without end']]);

const folder = join('test', 'fixtures', 'cases');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as SchemaCase] as const)
  .filter(([, { $case }]) => $case.kind === 'schema');

describe('schemas that tools in the wild declare', () => {
  it('F1: the cases are there', () => {
    expect(cases.length).toBe(21);
  });

  it.each(cases)('F1, F4, F5: %s', (_, { $case, tool, valid, invalid }) => {
    const { dialect = '2020-12' } = $case;
    const refusal = REFUSED.get($case.case);
    if (refusal !== undefined) {
      expect(checkSchema(tool.inputSchema, dialect)).toContain(refusal);
      return;
    }
    for (const schema of [tool.inputSchema, tool.outputSchema ?? {}])
      expect(checkSchema(schema, dialect)).toBeUndefined();
    const validate = schemaValidator(tool.inputSchema as never, dialect);
    for (const value of valid) expect({ value, found: validate(value, '') }).toEqual({ value, found: [] });
    for (const value of invalid)
      expect({ value, found: validate(value, '') }).not.toEqual({ value, found: [] });
  });
});
