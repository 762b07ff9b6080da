import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSchema, schemaValidator } from '#dist/runtime/schema/schema-validator.js';

// The JSON Schema Test Suite as far as the registry has it: the edition of draft-04, whose keywords mean the same in
// both dialects. What came later is in full-keywords.test.ts.

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const OTHER_DOCUMENT = 'it refers to another document, and none is ever fetched';

/** What is not supported, with the reason; each group is refused for it. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['definitions: valid definition', OTHER_DOCUMENT],
  ['definitions: invalid definition', OTHER_DOCUMENT],
  ['ref: remote ref, containing refs itself', OTHER_DOCUMENT],
  ['refRemote: remote ref', OTHER_DOCUMENT],
  ['refRemote: fragment within remote ref', OTHER_DOCUMENT],
  ['refRemote: ref within remote ref', OTHER_DOCUMENT],
  ['refRemote: change resolution scope', OTHER_DOCUMENT],
]);

const suite = dirname(createRequire(import.meta.url).resolve('json-schema-test-suite/package.json'));
const folder = join(suite, 'tests', 'draft4');
const groups = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const read = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Group[];
    return read.map((group) => [`${name.slice(0, -'.json'.length)}: ${group.description}`, group] as const);
  });

describe.each(['draft-07', '2020-12'] as const)('%s', (dialect) => {
  it('F4: the suite is there', () => {
    expect(groups.length).toBe(73);
    expect([...EXCEPTIONS.keys()].filter((name) => !groups.some(([title]) => title === name))).toEqual([]);
  });

  it.each(groups.filter(([title]) => !EXCEPTIONS.has(title)))('F4: %s', (_, { schema, tests }) => {
    expect(checkSchema(schema, dialect)).toBeUndefined();
    const validate = schemaValidator(schema as never, dialect);
    for (const { description, data, valid } of tests) {
      const found = validate(data);
      expect({ description, valid: found.length === 0, found }).toEqual({ description, valid, found });
    }
  });

  it.each(groups.filter(([title]) => EXCEPTIONS.has(title)))(
    'F5: %s is refused: no document is fetched',
    (_, { schema }) => {
      expect(checkSchema(schema, dialect)).toContain('names nothing in this schema');
    },
  );
});
