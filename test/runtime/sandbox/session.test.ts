import { describe, expect, it } from 'vitest';
import type { CodeBindingCall } from '#dist/runtime/contract/code-runtime.js';
import { frozenSnapshot } from '#dist/runtime/core/json.js';
import { HostFrame, PeerFrame } from '#dist/runtime/sandbox/wire.js';
import { flush, gate } from '../../support/gate.ts';
import { scriptedRun, toolsOf } from './scripted-run.ts';

const waiting = { state: 'waiting' } as const;
const done = { state: 'done' } as const;
const exception = (message: string) =>
  JSON.stringify({ failure: { kind: 'exception', message }, computeMs: 1, heapBytes: 2 });

describe('one run: its outcome', () => {
  it('M5: no value, null and a value are three different results', async () => {
    const outcomes = await Promise.all(
      [done, { ...done, value: null }, { ...done, value: [1] }].map((turn) => {
        const run = scriptedRun();
        run.turn(turn);
        return run.result;
      }),
    );
    expect(outcomes.map((result) => ('value' in result ? result.value : 'absent'))).toEqual([
      'absent',
      null,
      [1],
    ]);
    expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  it('M2: the costs of a run are told: time, heap, calls, bytes each way', async () => {
    const run = scriptedRun({ bindings: toolsOf({ echo: (args) => args }) });
    run.turn({ ...waiting, calls: [[1, 0, 0, { a: 1 }]] }, '1.5 1000');
    await flush();
    run.turn({ ...done, value: 1 }, '2.25 900');
    const { stats } = await run.result;
    const out = '1.5 1000\n{"state":"waiting","calls":[[1,0,0,{"a":1}]]}'.length;
    const end = '2.25 900\n{"state":"done","value":1}'.length;
    expect(stats).toMatchObject({
      computeMs: 2.25,
      peakHeapBytes: 1000,
      calls: 1,
      engine: 'scripted',
      placement: 'process',
      bytesOut: out + end,
      bytesIn: run.line.sent.reduce((sum, { payload }) => sum + payload.length, 0),
    });
    expect(stats.wallMs).toBeGreaterThan(0);
  });

  it('M40, M54: what comes after the terminal frame is ignored', async () => {
    const run = scriptedRun({ bindings: toolsOf({ echo: (args) => args }) });
    run.turn({ ...done, value: 'first' });
    run.turn({ ...done, value: 'second' });
    run.log('late');
    run.answer(PeerFrame.end, exception('late'));
    run.answer(PeerFrame.turn, Buffer.from([0xff]));
    run.session.abort('late');
    run.session.onDeath({ kind: 'sandbox-died', message: 'late' });
    const result = await run.result;
    expect([result.value, result.error, result.logs]).toEqual(['first', undefined, []]);
    expect(run.line.left).toBe('released');
  });

  it('M22, E105: what was printed before the end is kept, up to the last frame of a sandbox that is being stopped', async () => {
    const run = scriptedRun();
    run.log('one', 'two');
    const stopping = gate();
    run.line.stop = () => stopping.promise;
    run.session.abort('enough');
    run.log('three');
    run.turn({ ...done, value: 1 });
    stopping.open();
    const { logs, error, value } = await run.result;
    expect([logs, error?.kind, value]).toEqual([['one', 'two', 'three'], 'abort', undefined]);
  });

  it('M40: the run settles only when nothing of it can run any more', async () => {
    const run = scriptedRun();
    const stopping = gate();
    run.line.stop = () => stopping.promise;
    run.session.abort('enough');
    let isSettled = false;
    void run.result.then(() => {
      isSettled = true;
    });
    await flush();
    expect(isSettled).toBe(false);
    stopping.open();
    expect((await run.result).error?.kind).toBe('abort');
  });

  it('M39: the reason of an abort is its message, whatever it is', async () => {
    const hostile = {
      toString() {
        throw new Error('no');
      },
    };
    const messages = await Promise.all(
      ['stop', 7, undefined, new Error('gone'), hostile].map(async (reason) => {
        const run = scriptedRun();
        run.session.abort(reason);
        return (await run.result).error?.message;
      }),
    );
    expect(messages).toEqual(['stop', '7', 'undefined', 'Error: gone', '[unprintable error]']);
  });

  it('E100, M26: an oversized abort reason is an output limit', async () => {
    const run = scriptedRun({ options: { maxOutputBytes: 100 } });
    run.session.abort('r'.repeat(1000));
    const { error } = await run.result;
    expect(error?.kind).toBe('output-limit');
    expect(Buffer.byteLength(JSON.stringify(error?.message)) + 2).toBeLessThanOrEqual(100);
  });

  it('M25: a value over the cap is dropped, and the run fails with the cap in its message', async () => {
    const run = scriptedRun({ options: { maxOutputBytes: 200 } });
    run.log('kept');
    run.turn({ ...done, value: 'v'.repeat(191) });
    const { error, logs, value } = await run.result;
    expect([error?.kind, error?.limit, logs, value]).toEqual(['output-limit', 200, ['kept'], undefined]);
    expect(error?.message).toContain('200');
  });

  it('M25: logs over the cap end the run, and what fits of them stays', async () => {
    const run = scriptedRun({ options: { maxOutputBytes: 200 } });
    run.log('a'.repeat(60), 'b'.repeat(300));
    const { error, logs } = await run.result;
    expect(error?.kind).toBe('output-limit');
    expect(logs[0]).toBe('a'.repeat(60));
    expect(run.line.left).toBe('stopped');
  });

  it('M25: a log frame far over the cap is not even read', async () => {
    const run = scriptedRun({ options: { maxOutputBytes: 100, maxLogEntries: 10 } });
    run.answer(PeerFrame.log, `[${'x'.repeat(1000)}`);
    expect((await run.result).error?.kind).toBe('output-limit');
  });

  it('M3: a failure that the sandbox reports keeps its kind, place and hint', async () => {
    const run = scriptedRun();
    const failure = {
      kind: 'exception',
      message: 'TypeError: x',
      position: { line: 2, column: 5 },
      frame: '> 2 | x',
      hint: 'use y',
    };
    run.answer(PeerFrame.end, JSON.stringify({ failure, computeMs: 3, heapBytes: 4 }));
    const { error, stats } = await run.result;
    expect(error).toEqual({ ...failure, calls: { completed: [], inFlight: [], notStarted: [] } });
    expect(stats.computeMs).toBe(3);
  });

  it('M34: a sandbox that says its engine broke is not used again', async () => {
    const run = scriptedRun();
    const failure = { kind: 'sandbox-died', message: 'The engine failed' };
    run.answer(PeerFrame.end, JSON.stringify({ failure, computeMs: 0, heapBytes: 0 }));
    expect([(await run.result).error?.kind, run.line.left]).toEqual(['sandbox-died', 'broken']);
  });

  it('M35: a guest that waits while nothing is pending is a deadlock, if its sandbox does not say so itself', async () => {
    const run = scriptedRun();
    run.turn(waiting);
    expect((await run.result).error?.kind).toBe('deadlock');
  });

  it('M36: a failed run says which calls had completed, were in flight and never started', async () => {
    const open = gate<string>();
    const run = scriptedRun({
      bindings: toolsOf({
        ok: () => 1,
        fail: () => Promise.reject(new Error('x')),
        slow: () => open.promise,
      }),
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}, { position: [3, 7] }],
        [2, 0, 1, {}, { at: '12:40)\n    at other' }],
        [3, 0, 2, {}, { at: 'what a formatter of the program made of it' }],
      ],
    });
    await flush();
    run.session.fail({ kind: 'timeout', budget: 'wall', message: 'too slow' });
    const { error } = await run.result;
    expect(error?.calls).toEqual({
      completed: [
        { n: 1, name: 'ok', ok: true, position: { line: 3, column: 7 } },
        { n: 2, name: 'fail', ok: false, position: { line: 12, column: 40 } },
      ],
      inFlight: [{ n: 3, name: 'slow' }],
      notStarted: [],
    });
    expect(error?.message).toBe('too slow; calls completed: ok, fail; in flight: slow');
  });
});

describe('one run: before the program', () => {
  const prepared = { typedText: 'return 1', lineMap: [1], form: 'body' };

  it('M1: beforeStart sees what was prepared, and the program goes when it says nothing', async () => {
    const seen: unknown[] = [];
    const run = scriptedRun({
      beforeStart: async (given) => {
        seen.push(given);
        return undefined;
      },
    });
    expect(JSON.parse(run.line.sent[0]!.payload)).toMatchObject({ program: 'return 1', hold: true });
    run.answer(PeerFrame.prepared, JSON.stringify(prepared));
    await flush();
    expect(seen).toEqual([prepared]);
    expect(run.line.sent.map(({ type }) => type)).toEqual([HostFrame.start, HostFrame.go]);
    run.turn({ ...done, value: 1 });
    expect((await run.result).value).toBe(1);
  });

  it('M1, M49: the way back to the model columns is passed on, and one that makes no sense fails the run', async () => {
    const whole = { ...prepared, source: 'f', columnShifts: [{ line: 1, column: 2, by: 7 }] };
    const seen: unknown[] = [];
    const run = scriptedRun({
      beforeStart: async (given) => {
        seen.push(given);
        return undefined;
      },
    });
    run.answer(PeerFrame.prepared, JSON.stringify(whole));
    await flush();
    expect(seen).toEqual([whole]);
    run.turn({ ...done, value: 1 });
    await run.result;
    for (const part of [
      { source: 5 },
      { columnShifts: {} },
      { columnShifts: [null] },
      { columnShifts: [{ line: 1, column: '2', by: 7 }] },
    ]) {
      const broken = scriptedRun({ beforeStart: async () => undefined });
      broken.answer(PeerFrame.prepared, JSON.stringify({ ...whole, ...part }));
      expect((await broken.result).error?.kind).toBe('protocol');
    }
  });

  it('M1: a failure of beforeStart ends the run before its first statement', async () => {
    const run = scriptedRun({ beforeStart: async () => ({ kind: 'type-check', message: 'no such tool' }) });
    run.answer(PeerFrame.prepared, JSON.stringify(prepared));
    const { error } = await run.result;
    expect([error?.kind, run.line.left, run.line.sent.length]).toEqual(['type-check', 'stopped', 1]);
  });

  it('M2: a beforeStart that throws is a mistake of the caller, and rejects once the sandbox is stopped', async () => {
    const run = scriptedRun({ beforeStart: () => Promise.reject(new Error('checker broke')) });
    run.answer(PeerFrame.prepared, JSON.stringify(prepared));
    await expect(run.result).rejects.toThrow('checker broke');
    expect(run.line.left).toBe('stopped');
  });

  it('M39, E112: an abort while beforeStart decides wins, and the program never goes', async () => {
    const open = gate<undefined>();
    const run = scriptedRun({ beforeStart: () => open.promise });
    run.answer(PeerFrame.prepared, JSON.stringify(prepared));
    run.session.abort('enough');
    open.open(undefined);
    expect((await run.result).error?.kind).toBe('abort');
    expect(run.line.sent).toHaveLength(1);
  });

  it('M36: reading a long program has time of its own, computing does not start before it is read', () => {
    const short = scriptedRun({ options: { computeMs: 50 } });
    const long = scriptedRun({ options: { computeMs: 50 }, program: ' '.repeat(20_000) });
    expect(short.line.sent[0]).toMatchObject({ budgetMs: 50 });
    expect(JSON.parse(short.line.sent[0]!.payload)).toMatchObject({ hold: false });
    expect(long.line.sent[0]).toMatchObject({ budgetMs: 10_000 });
    long.answer(PeerFrame.prepared, JSON.stringify(prepared));
  });
});

describe('one run: calls', () => {
  it('M45: a resolution that is not lossless, or throws while it is read, fails the call', async () => {
    const run = scriptedRun({
      bindings: toolsOf({
        none: () => undefined,
        map: async () => new Map(),
        getter: () => ({
          get x() {
            throw new Error('hostile getter');
          },
        }),
        zero: () => -0,
      }),
    });
    run.turn({ ...waiting, calls: [0, 1, 2, 3].map((member) => [member + 1, 0, member, {}]) });
    await flush();
    const failures = run.deliveries().flat() as [number, number, string][];
    expect(failures.map(([id, kind]) => [id, kind]).sort()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    for (const [, , message] of failures) expect(message).toContain('resolution must be lossless');
    expect(failures.find(([id]) => id === 3)?.[2]).toContain('hostile getter');
  });

  it('M46: whatever a binding throws becomes text', async () => {
    const thrown = [
      'text',
      7,
      null,
      { code: 500 },
      new Proxy(
        {},
        {
          get: () => {
            throw 1;
          },
        },
      ),
    ];
    const run = scriptedRun({
      bindings: toolsOf(
        Object.fromEntries(thrown.map((value, index) => [`f${index}`, () => Promise.reject(value)])),
      ),
    });
    run.turn({ ...waiting, calls: thrown.map((_, index) => [index + 1, 0, index, {}]) });
    await flush();
    expect(run.deliveries()).toEqual([
      [[1, 1, 'text']],
      [[2, 1, '7']],
      [[3, 1, 'null']],
      [[4, 1, '[object Object]']],
      [[5, 1, '[unprintable error]']],
    ]);
  });

  it('M43, E89: a code crosses when it is one of the library, a foreign one does not', async () => {
    const coded = (code: string) => Object.assign(new Error('x'), { code });
    const run = scriptedRun({
      bindings: toolsOf({
        own: () => Promise.reject(coded('TOOL_TIMEOUT')),
        foreign: () => Promise.reject(coded('ENOENT')),
      }),
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 1, {}],
      ],
    });
    await flush();
    expect(run.deliveries()).toEqual([[[1, 1, 'x', 'TOOL_TIMEOUT']], [[2, 1, 'x']]]);
  });

  it('M28: a result over the cap per message fails its call and names the cap', async () => {
    const run = scriptedRun({
      bindings: toolsOf({ big: () => 'x'.repeat(99), exact: () => 'x'.repeat(98) }),
      options: { maxMessageBytes: 100 },
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 1, {}],
      ],
    });
    await flush();
    const [failed, passed] = run.deliveries() as [[[number, number, string]], [[number, number, string]]];
    expect(failed[0]).toEqual([1, 1, 'The resolution takes 101 bytes, wanted at most 100 (maxMessageBytes)']);
    expect(passed[0].slice(0, 2)).toEqual([2, 0]);
  });

  it('M47: a result deeper than the bound fails its call, one at the bound passes', async () => {
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const run = scriptedRun({
      bindings: toolsOf({ deep: () => nested(101), flat: () => nested(100), abyss: () => nested(100_000) }),
      options: { maxDepth: 100 },
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 1, {}],
        [3, 0, 2, {}],
      ],
    });
    await flush();
    const kinds = (run.deliveries().flat() as [number, number][]).map(([id, kind]) => [id, kind]);
    expect(kinds).toEqual([
      [1, 1],
      [2, 0],
      [3, 1],
    ]);
  });

  it('M47: the bound holds for a large frozen result too, whose depth is known', async () => {
    const many = Array.from({ length: 200 }, () => []);
    const nested = (depth: number) =>
      frozenSnapshot([many, JSON.parse(`${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`)]);
    const run = scriptedRun({
      bindings: toolsOf({ deep: () => nested(101), flat: () => nested(100), abyss: () => nested(100_000) }),
      options: { maxDepth: 100 },
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 1, {}],
        [3, 0, 2, {}],
      ],
    });
    await flush();
    const kinds = (run.deliveries().flat() as [number, number][]).map(([id, kind]) => [id, kind]);
    expect(kinds).toEqual([
      [1, 1],
      [2, 0],
      [3, 1],
    ]);
  });

  it('E104, M54: a binding that settles after the end is dropped', async () => {
    const open = gate<string>();
    const run = scriptedRun({ bindings: toolsOf({ slow: () => open.promise }) });
    run.turn({ ...waiting, calls: [[1, 0, 0, {}]] });
    run.session.abort('enough');
    await run.result;
    open.open('late');
    await flush();
    expect(run.deliveries()).toEqual([]);
  });

  it('M40: the signal of an open call is aborted when the run ends, and one that is asked for later is aborted already', async () => {
    const calls: CodeBindingCall[] = [];
    const open = gate<string>();
    const run = scriptedRun({
      bindings: toolsOf({
        slow: (_, call) => {
          calls.push(call);
          return open.promise;
        },
        quick: () => 1,
      }),
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}, { timeoutMs: 50 }],
        [2, 0, 0, {}],
        [3, 0, 1, {}],
      ],
    });
    const early = calls[0]!.signal;
    expect([early.aborted, calls[0]!.timeoutMs, calls[1]!.timeoutMs]).toEqual([false, 50, undefined]);
    expect(calls.map(({ isCancellable }) => isCancellable)).toEqual([true, false]);
    await flush();
    run.turn(done);
    const { unawaited } = await run.result;
    expect([early.aborted, calls[1]!.signal.aborted]).toEqual([true, true]);
    expect(unawaited).toEqual([
      { n: 1, name: 'slow' },
      { n: 2, name: 'slow' },
    ]);
  });

  it('M1: a call that the program gives up has its signal aborted, and its result goes nowhere', async () => {
    const open = gate<string>();
    let signal: AbortSignal | undefined;
    const run = scriptedRun({
      bindings: toolsOf({
        slow: (_, call) => {
          signal = call.signal;
          return open.promise;
        },
        quick: () => 1,
        never: () => gate().promise,
      }),
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 1, {}],
        [3, 0, 2, {}],
      ],
    });
    await flush();
    run.turn({ ...waiting, cancels: [[1, 'changed my mind']] });
    expect([signal?.aborted, signal?.reason.message]).toEqual([true, 'changed my mind']);
    open.open('late');
    await flush();
    expect(run.deliveries()).toEqual([[[2, 0, 1]]]);
    run.session.abort('end');
    expect((await run.result).error?.calls).toEqual({
      completed: [
        { n: 1, name: 'slow', ok: true },
        { n: 2, name: 'quick', ok: true },
      ],
      inFlight: [{ n: 3, name: 'never' }],
      notStarted: [],
    });
  });

  it('M1: a call that is given up in the turn that made it never starts', async () => {
    let started = 0;
    const run = scriptedRun({
      bindings: toolsOf({
        f: () => {
          started += 1;
          return gate().promise;
        },
      }),
    });
    run.turn({
      ...waiting,
      calls: [
        [1, 0, 0, {}],
        [2, 0, 0, {}],
      ],
      cancels: [[1, 'too late']],
    });
    run.session.abort('end');
    const { error } = await run.result;
    expect(started).toBe(1);
    expect([error?.calls?.inFlight, error?.calls?.notStarted]).toEqual([
      [{ n: 2, name: 'f' }],
      [{ n: 1, name: 'f' }],
    ]);
  });

  it('M54: calls that come with the completion never start, and are named beside those in flight', async () => {
    let started = 0;
    const run = scriptedRun({
      bindings: toolsOf({
        f: () => {
          started += 1;
        },
      }),
    });
    run.turn({ ...done, value: 1, calls: [[1, 0, 0, {}]] });
    const { unawaited, value } = await run.result;
    expect([started, value, unawaited]).toEqual([0, 1, [{ n: 1, name: 'f' }]]);
  });

  it('M1: several results of one tick share a frame, a failure has one of its own, in the order of settling', async () => {
    const gates = [1, 2, 3, 4, 5].map(() => gate<number>());
    const run = scriptedRun({
      bindings: toolsOf(Object.fromEntries(gates.map(({ promise }, index) => [`f${index}`, () => promise]))),
    });
    run.turn({ ...waiting, calls: gates.map((_, index) => [index + 1, 0, index, {}]) });
    gates[1]!.open(1);
    gates[0]!.open(0);
    gates[3]!.fail(new Error('three'));
    gates[2]!.open(2);
    gates[4]!.open(4);
    await flush();
    expect(run.deliveries()).toEqual([
      [
        [2, 0, 1],
        [1, 0, 0],
      ],
      [[4, 1, 'three']],
      [
        [3, 0, 2],
        [5, 0, 4],
      ],
    ]);
  });

  it('M28: results over the queue wait until the guest has taken some', async () => {
    const run = scriptedRun({
      bindings: toolsOf({ f: () => 'x'.repeat(40) }),
      options: { maxQueuedBytes: 120 },
    });
    run.turn({ ...waiting, calls: [1, 2, 3, 4, 5].map((id) => [id, 0, 0, {}]) });
    await flush();
    const ids = () => (run.deliveries() as [number][][]).map((frame) => frame.map(([id]) => id));
    expect(ids()).toEqual([[1, 2]]);
    run.turn(waiting);
    expect(ids()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    run.turn(waiting);
    expect(ids()).toEqual([[1, 2], [3, 4], [5]]);
  });
});
