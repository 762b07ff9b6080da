import { describe, expect, it } from 'vitest';
import { gate } from '../../support/gate.ts';
import { calling, done, isAlive, logging, processes, type Step } from './processes.ts';
import { toolsOf } from './scripted-run.ts';

const spin: Step = { spin: true };

describe('a sandbox process', () => {
  it('M16, M22: one process serves many programs, with their logs and calls', async () => {
    const { play } = processes();
    const first = await play([[{ value: 'pid' }]]);
    const second = await play([[logging('hello'), calling()], [done('after')]], toolsOf({ f: () => 1 }));
    const third = await play([[{ value: 'pid' }]]);
    expect([second.logs, second.value, second.stats.calls]).toEqual([['hello'], 'after', 1]);
    expect(third.value).toBe(first.value);
  });

  it('M17: it has no environment and can read no file, start no process and no worker', async () => {
    const { play } = processes();
    const values = await Promise.all(
      ['env', 'files', 'spawn', 'worker'].map(async (value) => (await play([[{ value }]])).value),
    );
    expect(values).toEqual([[], 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED']);
  });

  it('M34, E105: one that ends while a program runs fails it, what it printed is kept, the next run works', async () => {
    const { play } = processes();
    const exit = await play([[logging('before'), { exit: 3 }]]);
    expect([exit.error?.kind, exit.error?.message, exit.logs]).toEqual([
      'sandbox-died',
      'The sandbox process ended unexpectedly (exit code 3)',
      ['before'],
    ]);
    const crash = await play([[{ abort: true }]]);
    expect([crash.error?.kind, crash.error?.message]).toEqual([
      'sandbox-died',
      'The sandbox process ended unexpectedly (signal SIGABRT)',
    ]);
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M34: one whose last words are about memory died of memory', async () => {
    const { play } = processes();
    const report = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n';
    const { error } = await play([[{ stderr: report }, { exit: 134 }]]);
    expect([error?.kind, error?.limit]).toEqual(['memory-limit', 128]);
    expect(error?.message).toContain('128 MiB');
  });

  it('M34: one that grows past its cap is ended as a matter of memory, and the host is well', async () => {
    const { play } = processes({ memoryMb: 32 });
    const { error } = await play([[{ grow: 1_000_000 }]]);
    expect([error?.kind, error?.limit]).toEqual(['memory-limit', 32]);
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M36, E96: one that computes past the budget is ended, while a decoy call is pending', async () => {
    const { play } = processes({ computeMs: 100, graceMs: 50 });
    const never = gate();
    const tools = toolsOf({ f: () => never.promise, g: () => 1 });
    const decoy: Step = [18, '1 1\n{"state":"waiting","calls":[[1,0,0,{}],[2,0,1,{}]]}'];
    const { error, stats } = await play([[logging('stage 1'), decoy], [spin]], tools);
    expect(error).toMatchObject({
      kind: 'timeout',
      budget: 'compute',
      limit: 100,
      calls: { completed: [{ n: 2, name: 'g', ok: true }], inFlight: [{ n: 1, name: 'f' }] },
    });
    expect(error?.message).toContain('calls completed: g; in flight: f');
    expect(stats.calls).toBe(2);
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M39: an abort stops a program that computes for ever', async () => {
    const { play } = processes();
    const controller = new AbortController();
    const printed = gate();
    const tools = toolsOf({ f: () => printed.open() });
    const running = play([[calling()], [spin]], tools, controller.signal);
    await printed.promise;
    controller.abort('enough');
    const { error } = await running;
    expect([error?.kind, error?.message]).toEqual(['abort', 'enough']);
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M39: an abort while a program waits leaves its process to others', async () => {
    const { play } = processes();
    const { value: pid } = await play([[{ value: 'pid' }]]);
    const controller = new AbortController();
    const called = gate();
    const never = gate();
    const tools = toolsOf({
      f: () => {
        called.open();
        return never.promise;
      },
    });
    const running = play([[calling()]], tools, controller.signal);
    await called.promise;
    controller.abort('enough');
    expect((await running).error?.kind).toBe('abort');
    expect((await play([[{ value: 'pid' }]])).value).toBe(pid);
  });

  it('M6, E114: disposal aborts what runs, computing or waiting, ends the processes, and later runs reject', async () => {
    const { runtime, play } = processes({ maxProcesses: 2 });
    const { value: pid } = await play([[{ value: 'pid' }]]);
    const called = [gate(), gate()];
    const never = gate();
    const computing = play([[calling()], [spin]], toolsOf({ f: () => called[0]!.open() }));
    const waiting = play(
      [[calling()]],
      toolsOf({
        f: () => {
          called[1]!.open();
          return never.promise;
        },
      }),
    );
    await Promise.all(called.map(({ promise }) => promise));
    await runtime.dispose();
    for (const run of [computing, waiting]) {
      expect((await run).error).toMatchObject({ kind: 'abort', message: 'runtime disposed' });
    }
    expect(isAlive(pid as number)).toBe(false);
    await expect(play([[done()]])).rejects.toThrow('disposed');
    await expect(runtime.warm()).rejects.toThrow('disposed');
  });

  it('M40: an interrupt that reaches the whole group of the terminal does not end it', async () => {
    const { play } = processes();
    const pid = (await play([[{ value: 'pid' }]])).value as number;
    process.kill(pid, 'SIGINT');
    expect((await play([[{ value: 'pid' }]])).value).toBe(pid);
  });

  it('M50: frames that are none end the process and fail the run', async () => {
    const { play } = processes();
    const bytes = (...values: number[]) => Buffer.from(values).toString('base64');
    const broken: readonly Step[] = [
      { raw: bytes(255, 255, 255, 255) },
      { raw: bytes(0, 0, 0, 0, 0, 0, 0, 0) },
      { raw: bytes(0, 0, 0, 5, 77, 0, 0, 0, 2) },
      { run: 999, type: 18, payload: '0 0\n{"state":"done"}' },
      { run: 0, type: 16, payload: '{"wire":1}' },
    ];
    const kinds: unknown[] = [];
    for (const step of broken) kinds.push((await play([[step, spin]])).error?.kind);
    expect(kinds).toEqual(broken.map(() => 'protocol'));
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M50: half a frame and then the end is a death, not a value', async () => {
    const { play } = processes();
    const half = Buffer.from([0, 0, 0, 40, 18, 0, 0, 0, 2, 0x30]).toString('base64');
    const { error, value } = await play([[{ raw: half }, { exit: 0 }]]);
    expect([error?.kind, value]).toEqual(['sandbox-died', undefined]);
  });

  it('M54: frames of a run that has ended change nothing for the next one', async () => {
    const { play } = processes();
    const { value: pid } = await play([[{ value: 'pid' }]]);
    const first = await play([[done('first'), logging('late')]]);
    const second = await play([[{ value: 'pid' }]]);
    expect([first.value, first.logs, second.value, second.logs]).toEqual(['first', [], pid, []]);
  });
});
