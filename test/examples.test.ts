import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

const outputs: readonly (readonly [example: string, output: string])[] = [
  [
    'openai-chat',
    [
      '  price finished',
      '  price finished',
      '  price finished',
      'run_code finished',
      'Together they cost 110. (2 steps, 4 messages)',
    ].join('\n'),
  ],
  ['openai-responses', 'Together they cost 110. (2 steps)'],
  ['anthropic', 'Together they cost 110.'],
  ['ai-sdk', 'Together they cost 110. (2 steps)'],
  ['openapi', '110'],
];

describe('the examples', () => {
  it.each(outputs)(
    '%s goes the whole way from the model’s message to its answer',
    async (example, output) => {
      const { stdout } = await run(process.execPath, [`examples/${example}.js`]);
      expect(stdout).toBe(`${output}\n`);
    },
  );
});
