import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { flush, gate } from '../../../support/gate.ts';
import { calling, done, processes, type Step } from '../processes.ts';
import { toolsOf } from '../scripted-run.ts';
import { holdings, leftAbove } from './leaks.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/sandbox/${name}`, import.meta.url));

afterEach(() => {
  vi.useRealTimers();
});

describe('a sandbox process that is broken', () => {
  it('M3, M40: one that never boots is given up in time, each way to start one in turn, and nothing is left', async () => {
    const before = holdings();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { runtime } = processes({}, 'scripted-peer.js', fixture('never-boots.js'));
    let settled = false;
    const running = runtime.run({ program: '[]', bindings: [] }).finally(() => {
      settled = true;
    });
    // Each way has half a minute.
    while (!settled) {
      vi.advanceTimersByTime(1000);
      await flush();
    }
    const { error } = await running;
    expect(error?.kind).toBe('sandbox-unavailable');
    expect(error?.message).toContain('not ready within 30000 ms');
    vi.useRealTimers();
    await runtime.dispose();
    expect(await leftAbove(before)).toEqual({});
  });

  it('M39: a run that waits for one that never boots can be aborted, and disposal does not wait either', async () => {
    const before = holdings();
    const { runtime } = processes({}, 'scripted-peer.js', fixture('never-boots.js'));
    const controller = new AbortController();
    const running = runtime.run({ program: '[]', bindings: [], signal: controller.signal });
    await flush();
    controller.abort('enough');
    expect((await running).error).toMatchObject({ kind: 'abort', message: 'enough' });
    await runtime.dispose();
    expect(await leftAbove(before)).toEqual({});
  });

  it('M36, M40: a full pipe to a process that reads no more holds nobody up and ends with the run', async () => {
    const before = holdings();
    const { play, runtime } = processes({ computeMs: 300 });
    const second: Step = [18, '0 0\n{"state":"waiting","calls":[[2,0,0,{}]]}'];
    const release = gate();
    let calls = 0;
    const tools = toolsOf({
      f: async () => {
        calls += 1;
        if (calls === 2) await release.promise;
        return 'x'.repeat(4_000_000);
      },
    });
    // The first answer has the process compute for ever; the second one fills the pipe.
    const running = play([[calling()], [second], [{ spin: true }]], tools);
    while (calls < 2) await flush();
    release.open();
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 5);
    const { error } = await running;
    clearInterval(counting);
    expect(error).toMatchObject({ kind: 'timeout', budget: 'compute' });
    expect(turns).toBeGreaterThan(3);
    expect((await play([[done('fine')]])).value).toBe('fine');
    await runtime.dispose();
    expect(await leftAbove(before)).toEqual({});
  });

  it('M22: a full pipe from a process to a host that is blocked loses nothing and keeps the order', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(50_000)}`);
    const { play } = processes();
    const running = play(
      [[calling()], [{ flood: lines.length }, done('after')]],
      toolsOf({
        f: () => {
          // The answer goes out, and then nobody reads for a while.
          setImmediate(() => {
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
          });
          return 1;
        },
      }),
    );
    const { logs, value, error } = await running;
    expect([error, value]).toEqual([undefined, 'after']);
    expect(logs).toEqual(lines);
  });

  it('M53: a host whose stderr is a full disk runs programs all the same', async () => {
    const full = process.platform === 'linux' ? openSync('/dev/full', 'w') : 'ignore';
    const child = spawn(process.execPath, [fixture('full-disk-host.js')], {
      stdio: ['ignore', 'pipe', full],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const ended = gate<number | null>();
    child.on('close', (code) => ended.open(code));
    expect([await ended.promise, output]).toEqual([0, '[20,21]']);
  });

  it('M34: a process that floods its stderr is read to its end, and its end is told as that of any other', async () => {
    const { play } = processes();
    const { error } = await play([[{ noise: 200 }, { exit: 7 }]]);
    expect([error?.kind, error?.message]).toEqual([
      'sandbox-died',
      'The sandbox process ended unexpectedly (exit code 7)',
    ]);
    expect((await play([[done('fine')]])).value).toBe('fine');
  });
});
