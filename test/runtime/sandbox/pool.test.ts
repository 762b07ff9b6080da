import { describe, expect, it } from 'vitest';
import { flush, gate } from '../../support/gate.ts';
import { calling, done, isAlive, processes, type Step } from './processes.ts';
import { toolsOf } from './scripted-run.ts';

const pid: readonly Step[] = [{ value: 'pid' }];

/** A function that tells when it was called and answers when the test wants. */
function held() {
  const called = gate();
  const answer = gate<number>();
  const tools = toolsOf({
    f: () => {
      called.open();
      return answer.promise;
    },
  });
  return { called: called.promise, answer, tools };
}

describe('the pool of sandbox processes', () => {
  it('M40: programs that only wait make room, so that one may wait for another', async () => {
    const { play } = processes({ maxProcesses: 1 });
    const outer = held();
    const first = play([[calling()], [done('outer')]], outer.tools);
    await outer.called;
    const inner = await play([[done('inner')]]);
    outer.answer.open(1);
    expect([inner.value, (await first).value]).toEqual(['inner', 'outer']);
  });

  it('M40: programs that wait for a moment are no reason to start a process for each', async () => {
    const { play } = processes({ maxProcesses: 1 });
    const echo = toolsOf({ f: () => 1 });
    const script = [...Array.from({ length: 20 }, (_, index) => [calling(index + 1)]), [pid[0]!]];
    const results = await Promise.all(Array.from({ length: 8 }, () => play(script, echo)));
    expect(new Set(results.map(({ value }) => value)).size).toBe(1);
    expect(results.map(({ stats }) => stats.calls)).toEqual(results.map(() => 20));
  });

  it('M39: a run waits while others compute, and can be given up while it waits', async () => {
    const { play } = processes({ maxProcesses: 1, computeMs: 60_000 });
    const started = gate();
    const first = new AbortController();
    const second = new AbortController();
    const computing = play(
      [[calling()], [{ spin: true }]],
      toolsOf({ f: () => started.open() }),
      first.signal,
    );
    await started.promise;
    const given = play([[done('given up')]], [], second.signal);
    const waiting = play([[done('served')]]);
    second.abort('no longer wanted');
    expect((await given).error).toMatchObject({ kind: 'abort', message: 'no longer wanted' });
    first.abort('enough');
    expect((await computing).error?.kind).toBe('abort');
    expect((await waiting).value).toBe('served');
  });

  it('M40: many programs at once start as many processes as may compute, and no spare one for each that waits', async () => {
    const { play } = processes({ maxProcesses: 2, minIdle: 1 });
    const echo = toolsOf({ f: () => 1 });
    const script = [...Array.from({ length: 20 }, (_, index) => [calling(index + 1)]), [pid[0]!]];
    const results = await Promise.all(Array.from({ length: 20 }, () => play(script, echo)));
    expect(new Set(results.map(({ value }) => value)).size).toBeLessThanOrEqual(3);
  });

  it('M3: one run more than may wait is refused', async () => {
    const { play } = processes({ maxProcesses: 1, maxQueue: 1, computeMs: 60_000 });
    const started = gate();
    const controller = new AbortController();
    const computing = play(
      [[calling()], [{ spin: true }]],
      toolsOf({ f: () => started.open() }),
      controller.signal,
    );
    await started.promise;
    const waiting = play([[done('served')]]);
    const refused = await play([[done('refused')]]);
    expect(refused.error).toMatchObject({
      kind: 'sandbox-unavailable',
      message: 'Too many runs wait, wanted at most 1 (maxQueue)',
    });
    controller.abort('enough');
    expect([(await computing).error?.kind, (await waiting).value]).toEqual(['abort', 'served']);
  });

  it('M16: a process is replaced after its number of runs', async () => {
    const { play } = processes({ recycleAfter: 2 });
    const pids: unknown[] = [];
    for (let run = 0; run < 4; run += 1) pids.push((await play([pid])).value);
    expect([pids[0] === pids[1], pids[2] === pids[3], pids[1] === pids[2]]).toEqual([true, true, false]);
  });

  it('M49: with several runs in a process the innocent ones die with the guilty one, and are told so', async () => {
    const { play } = processes({ runsPerProcess: 2, maxProcesses: 1, computeMs: 100, graceMs: 50 });
    const innocent = held();
    const first = play([[calling()], [done()]], innocent.tools);
    await innocent.called;
    const guilty = await play([[{ spin: true }]]);
    const { error } = await first;
    expect(guilty.error).toMatchObject({ kind: 'timeout', budget: 'compute' });
    expect(error?.kind).toBe('sandbox-died');
    expect(error?.message).toBe(
      'The sandbox was ended because of another program in it: The program computed past its budget',
    );
  });

  it('M49: runs that share a process do not see each other', async () => {
    const { play } = processes({ runsPerProcess: 2, maxProcesses: 1 });
    const first = held();
    const second = held();
    const one = play([[calling()], [pid[0]!]], first.tools);
    await first.called;
    const two = play([[calling()], [pid[0]!]], second.tools);
    await second.called;
    second.answer.open(2);
    first.answer.open(1);
    expect((await one).value).toBe((await two).value);
  });

  it('M34: a process that holds on to too much memory is replaced when its run is over', async () => {
    const { play } = processes({ memoryMb: 32 });
    const keeping = await play([[{ keep: 40_000_000 }, ...pid]]);
    let next = keeping;
    while (next.value === keeping.value) {
      await flush();
      next = await play([pid]);
    }
    expect(isAlive(next.value as number)).toBe(true);
  });

  it('M34: a spare process takes over from one that died', async () => {
    const { play } = processes({ minIdle: 1, maxProcesses: 2 });
    const first = (await play([pid])).value as number;
    const death = await play([[{ exit: 1 }]]);
    const next = (await play([pid])).value as number;
    expect([death.error?.kind, next === first, isAlive(first)]).toEqual(['sandbox-died', false, false]);
  });

  it('M3: a runtime whose processes do not start says why, each time', async () => {
    const { play } = processes({}, 'no-such-peer.js');
    for (let run = 0; run < 2; run += 1) {
      const { error } = await play([[done()]]);
      expect(error?.kind).toBe('sandbox-unavailable');
      expect(error?.message).toContain('The sandbox process does not start');
      expect(error?.message).toContain('no-such-peer.js');
    }
  });

  it('M3: an engine that was asked for by name and does not load says how to allow it', async () => {
    const { play, runtime } = processes({ engine: 'isolated-vm' }, 'scripted-peer.js?quickjs-only');
    const { error } = await play([[done()]]);
    expect(error).toMatchObject({
      kind: 'sandbox-unavailable',
      message: 'Cannot load the engine "isolated-vm": no binary for this system',
      hint: 'Allow its install script with "npm install-scripts approve isolated-vm" and install again, or use the engine "quickjs"',
    });
    await expect(runtime.warm()).rejects.toThrow('Cannot load the engine "isolated-vm"');
  });

  it('M4: auto takes QuickJS where isolated-vm does not load, and says so once', async () => {
    const warnings: string[] = [];
    const { play, runtime } = processes(
      { onWarning: (message) => warnings.push(message) },
      'scripted-peer.js?quickjs-only',
    );
    expect(runtime.engineInfo).toBeUndefined();
    const info = await runtime.warm();
    expect(runtime.engineInfo).toEqual(info);
    const { stats } = await play([[done()]]);
    expect([info.engine, stats.engine]).toEqual(['quickjs', 'quickjs']);
    expect(info.fallback).toBe(
      'isolated-vm does not load here (no binary for this system); to allow its install script: npm install-scripts approve isolated-vm, then to build it: npm rebuild isolated-vm',
    );
    expect(warnings).toEqual([`Programs run on quickjs: ${info.fallback}`]);
  });

  it('M17: where the permission model does not let it start, it starts without, and says so', async () => {
    const warnings: string[] = [];
    const { play } = processes({ onWarning: (message) => warnings.push(message) }, 'unconfined-peer.js');
    expect((await play([[done('served')]])).value).toBe('served');
    expect(warnings).toEqual([
      "Sandbox processes run without Node's permission model: it does not start here",
    ]);
  });
});
