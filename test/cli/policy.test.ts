import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ptc, withFiles } from './support.ts';

const PROGRAM = `
const outcome = (call) => call.then(String, (error) => error.message);
return [await outcome(tools.add({ a: 1, b: 2 })), await outcome(tools.multiply({ a: 2, b: 3 })), await outcome(tools.divide({ a: 4, b: 2 }))]`;

const run = (file: string, engine: string) =>
  ptc(
    ['run', '-', '--tools', 'examples/math-tools.js', '--policy', file, '--json', '--engine', engine],
    PROGRAM,
  );

describe.each(['isolated-vm', 'quickjs'])('ptc run --policy on %s', (engine) => {
  it('rules decide each call; without a terminal what would be asked is denied, and both streams say so', async () => {
    const rules = {
      rules: [
        { decision: 'allow', tool: 'add' },
        { name: 'careful', decision: 'ask', tool: 'multiply' },
      ],
    };
    await withFiles({ 'rules.json': JSON.stringify(rules) }, async (folder) => {
      const { code, stdout, stderr } = await run(join(folder, 'rules.json'), engine);
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as { value: unknown }).value).toEqual([
        '3',
        'The call of "multiply" requires approval and no approver is available: there is no terminal at which anybody could be asked',
        'No rule allows the call of "divide"',
      ]);
      expect(stderr).toContain('there is no terminal');
    });
  });

  it('a rule that cannot be used is wrong usage, and the message names it', async () => {
    const rules = { rules: [{ name: 'mine', decision: 'deny', kind: 'wirte' }] };
    await withFiles({ 'rules.json': JSON.stringify(rules) }, async (folder) => {
      const { code, stderr, stdout } = await run(join(folder, 'rules.json'), engine);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Cannot use rule "mine"');
    });
  });
});
