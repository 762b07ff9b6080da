import { describe, expect, it } from 'vitest';
import { ptc } from './support.ts';

describe('ptc sdk', () => {
  it('prints run_code and the declarations of the tools', async () => {
    const { code, stdout, stderr } = await ptc(['sdk', '--tools', 'examples/math-tools.js']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^run_code: /);
    expect(stdout).toContain('declare const tools: {');
    expect(stdout).toMatch(/^add\(args: \w+, options\?: CallOptions\): Promise<number>;$/m);
  });

  it('C23: names the language level of the engine that is asked for', async () => {
    const { stdout } = await ptc(['sdk', '--engine', 'quickjs']);
    expect(stdout).toContain('Write TypeScript or JavaScript (ES2025 without Intl); ');
  });

  it('says so when there are no tools', async () => {
    expect((await ptc(['sdk'])).stdout).toContain('declare const tools: {};');
  });
});
