import { afterEach, expect, it } from 'vitest';
import { sandboxRuntime } from '#dist/index.js';

const engines = ['isolated-vm', 'quickjs'] as const;
let runtime: ReturnType<typeof sandboxRuntime> | undefined;

afterEach(async () => {
  await runtime?.dispose();
  runtime = undefined;
});

/** Node counts what V8 reserves for the code of each world as memory of the process, on some versions 512 MiB of it. */
it.each(engines)(
  'on %s, as many programs as may share a process each get a world, whatever a world reserves',
  async (engine) => {
    const runsPerProcess = 10;
    runtime = sandboxRuntime({
      engine,
      runsPerProcess,
      maxProcesses: 1,
      maxWaitingProcesses: 0,
      memoryMb: 64,
      onWarning: () => {},
    });
    let calls = 0;
    let meet: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const functions = {
      meet: async () => {
        calls += 1;
        if (calls === runsPerProcess) meet();
        await all;
        return calls;
      },
    };
    const runs = Array.from({ length: runsPerProcess }, () =>
      runtime?.run({ program: 'return await tools.meet({});', bindings: [{ global: 'tools', functions }] }),
    );
    const results = await Promise.all(runs);
    expect(results.map((result) => result?.error ?? result?.value)).toEqual(
      results.map(() => runsPerProcess),
    );
  },
);
