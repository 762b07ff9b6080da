import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { launchPlans, OWN_MODULES } from '#dist/runtime/sandbox/launch-plans.js';
import { resolveSandboxOptions } from '#dist/runtime/sandbox/options.js';

const flagsOf = (memoryMb: number): readonly string[] => {
  const [plan] = launchPlans(resolveSandboxOptions({ memoryMb }), OWN_MODULES);
  return plan!.args.filter((arg) => arg.startsWith('--'));
};

describe('how a sandbox process is started', () => {
  it('M34: its own young generation is as large as that of its guests, and at least 1 MiB', () => {
    const young = [8, 128, 256, 511, 512, 4096].map((memoryMb) =>
      flagsOf(memoryMb).filter((flag) => flag.startsWith('--max-semi-space-size')),
    );
    expect(young.flat()).toEqual([1, 1, 1, 5, 5, 5].map((size) => `--max-semi-space-size=${size}`));
  });

  it('M17: this Node knows every flag of the engine that it is started with', () => {
    const flags = flagsOf(128).filter((flag) => /interrupt|invocation|snapshot|semi-space/.test(flag));
    const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', '0'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(flags).toContain('--no-node-snapshot');
  });
});
