import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editionOf } from '#dist/runtime/schema/full/edition.js';
import { compileReadSchema } from '#dist/runtime/schema/full/engine.js';
import { findMismatches } from '#dist/runtime/schema/full/interpreter.js';
import { SchemaReader } from '#dist/runtime/schema/full/reader.js';
import { checkSchema, schemaValidator } from '#dist/runtime/schema/schema-validator.js';
import { fullSchema, jsonValue } from './arbitrary-schema.ts';

const values = fc.array(jsonValue, { minLength: 1, maxLength: 5 });

describe.each([
  ['draft-07', '7'],
  ['2020-12', '2020-12'],
] as const)('%s', (dialect, draft) => {
  it('F1, F2, F4: an independent validator accepts and refuses the same values', () => {
    fc.assert(
      fc.property(fullSchema(dialect), values, (schema, instances) => {
        fc.pre(checkSchema(schema, dialect) === undefined);
        const validate = schemaValidator(schema, dialect);
        const other = new Validator(schema, draft, true);
        for (const instance of instances) {
          // The other validator takes an empty array and an empty object for equal.
          if (/\[\].*\{\}|\{\}.*\[\]/.test(JSON.stringify(instance))) continue;
          const violations = validate(instance);
          const valid = violations.length === 0;
          expect({ instance, valid, violations }).toEqual({
            instance,
            valid: other.validate(instance as object).valid,
            violations,
          });
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('F3, F4: what says why a value is refused finds a reason exactly where the engine refuses', () => {
    fc.assert(
      fc.property(fullSchema(dialect), values, (schema, instances) => {
        const reader = new SchemaReader(schema as never, editionOf(schema, dialect)!);
        const read = reader.read();
        fc.pre(reader.problems.length === 0);
        const matches = compileReadSchema(read);
        for (const instance of instances) {
          const mismatches = findMismatches(read, instance as never, 'value');
          expect({ instance, valid: mismatches.length === 0, mismatches }).toEqual({
            instance,
            valid: matches(instance),
            mismatches,
          });
        }
      }),
      { numRuns: 1000 },
    );
  });
});
