import { describe, expect, it } from 'vitest';
import { sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf, typeErrors } from './compiler.ts';
import { type Case, cases, tool } from './tools.ts';

const ARGS = 'type Args = NonNullable<Parameters<(typeof tools)["sample"]>[0]>;';
const SAME = 'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;';

/** The reference as our text says it: JSON for unknown, and index signatures only where the schema asks for one. */
function reference({ tsReference = '', tools }: Case): string {
  const asks =
    JSON.stringify(tools).includes('atternProperties') ||
    /"additionalProperties":\{/.test(JSON.stringify(tools));
  const closed = asks ? tsReference : tsReference.replace(/;? *\[k: string\]: unknown/g, '');
  return closed.replaceAll('unknown', 'JsonValue');
}

const files: Record<string, string> = {};
for (const example of cases) {
  const { id, tools } = example;
  const shown = tools.filter(({ name }) => name !== 'run_code').map(tool);
  const text = `export {};\n${declarationsOf(sdkText(shown).text)}`;
  files[`${id}-text.ts`] = text;
  if (tools[0]?.name !== 'sample') continue;
  example.valid.forEach((value, i) => {
    files[`${id}-valid-${i}.ts`] = `${text}\n${ARGS}\nconst value: Args = ${JSON.stringify(value)};`;
  });
  example.typeRejects.forEach((value, i) => {
    files[`${id}-rejects-${i}.ts`] = `${text}\n${ARGS}\nconst value: Args = ${JSON.stringify(value)};`;
  });
  if (example.tsReference === undefined) continue;
  files[`${id}-same.ts`] =
    `${text}\n${ARGS}\n${SAME}\n${reference(example)}\nconst same: Same<Args, T> = true;`;
}
const errors = typeErrors(files);
const of = (example: Case, part: string) =>
  Object.entries(errors).filter(([file]) => file.startsWith(`${example.id}-${part}`));

describe('cases of public bug reports', () => {
  const withSchema = cases.filter(({ tools }) => tools[0]?.name === 'sample');

  it.each(cases)('F6, C14: the text of case $id compiles under --strict', (example) => {
    expect(of(example, 'text')).toEqual([]);
  });

  it.each(withSchema.filter(({ tsReference }) => tsReference !== undefined))(
    'C16, F4: the arguments of case $id are the reference type, in both directions',
    (example) => {
      expect(of(example, 'same')).toEqual([]);
    },
  );

  it.each(withSchema)('C24: valid arguments of case $id type-check', (example) => {
    const undeclared = JSON.stringify(of(example, 'valid').map(([, lines]) => lines));
    // An undeclared property is valid for the schema and is caught by the text on purpose.
    expect(undeclared.replace(/"[^"]*TS2353[^"]*"/g, '').replace(/[[\],]/g, '')).toBe('');
  });

  it.each(withSchema.filter(({ typeRejects }) => typeRejects.length > 0))(
    'C16, C19: what case $id rejects does not type-check',
    (example) => {
      expect(
        of(example, 'rejects')
          .map(([file]) => file)
          .sort(),
      ).toEqual(example.typeRejects.map((_, i) => `${example.id}-rejects-${i}.ts`).sort());
    },
  );
});
