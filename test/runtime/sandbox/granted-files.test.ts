import { realpathSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grantedFiles } from '#dist/runtime/sandbox/granted-files.js';
import { launchPlans, OWN_MODULES } from '#dist/runtime/sandbox/launch-plans.js';
import { resolveSandboxOptions } from '#dist/runtime/sandbox/options.js';
import { StderrSink } from '#dist/runtime/sandbox/stderr-sink.js';

const exists = (path: string) => {
  try {
    return statSync(path) !== undefined;
  } catch {
    return false;
  }
};

describe('what a sandbox process is started with', () => {
  it('M17: it may read its own code and its engines, each by its real path, and nothing that a link leads to', () => {
    const paths = grantedFiles().filter(exists);
    expect(paths).toContain(OWN_MODULES.main);
    expect(paths.some((path) => path.includes('isolated-vm'))).toBe(true);
    expect(paths.filter((path) => realpathSync(path) !== path && path.startsWith('/etc') === false)).toEqual(
      [],
    );
  });

  it('M17: folders that are granted whole come before the files below them', () => {
    const paths = grantedFiles();
    const late = paths.filter((path, index) =>
      paths.slice(0, index).some((file) => file.startsWith(`${path}/`)),
    );
    expect(late).toEqual([]);
  });

  it('M17: every plan leaves the snapshot and the warnings out, and the first is the most confined', () => {
    const plans = launchPlans(resolveSandboxOptions(), OWN_MODULES);
    for (const { args } of plans)
      expect(args).toEqual(expect.arrayContaining(['--no-node-snapshot', '--no-warnings']));
    expect(plans[0]?.isConfined).toBe(true);
    expect(plans.at(-1)?.isConfined).toBe(false);
    expect(plans[0]?.args).toContain('--allow-addons');
  });

  it('M34: the last words of a process are kept from both ends, however much it says', () => {
    const sink = new StderrSink();
    sink.add(Buffer.from('first words\n'));
    for (let chunk = 0; chunk < 100; chunk += 1) sink.add(Buffer.alloc(10_000, 0x78));
    expect(sink.saysOutOfMemory).toBe(false);
    sink.add(Buffer.from('\nis_heap_oom = 1'));
    expect([sink.text.length < 10_000, sink.text.startsWith('first words'), sink.saysOutOfMemory]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
