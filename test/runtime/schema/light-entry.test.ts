import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('F2: the engine is loaded with the first value of a published dialect, not before', () => {
  const program = `
    import { createRequire } from 'node:module';
    import { checkSchema, schemaValidator } from '#dist/runtime/schema/schema-validator.js';
    import { defineTool } from '#dist/runtime/tools/define-tool.js';
    const { cache } = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('/ajv/'));
    const seen = [isLoaded()];
    defineTool({
      name: 'x', description: 'x', parameters: { a: { type: 'string' } },
      output: { schema: { type: 'null' }, render: () => [] }, execute: async () => null,
    });
    checkSchema({ type: 'string', pattern: 'a' }, '2020-12');
    schemaValidator({ type: 'string' })('x');
    const validate = schemaValidator({ type: 'string', pattern: 'a' }, '2020-12');
    seen.push(isLoaded());
    validate('x');
    seen.push(isLoaded());
    console.log(JSON.stringify(seen));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([false, false, true]);
});
