import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessGuard, type WorkedFrame } from '#dist/runtime/sandbox/process-guard.js';
import { RunTimers } from '#dist/runtime/sandbox/run-timers.js';
import { WallClock } from '#dist/runtime/sandbox/wall-clock.js';
import { flush, gate } from '../../support/gate.ts';
import { scriptedRun, toolsOf } from './scripted-run.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'],
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the wall budget', () => {
  it('M36: it ends a run that only waits, and says so', async () => {
    const run = scriptedRun({
      bindings: toolsOf({ slow: () => gate().promise, log: () => 1 }),
      wallMs: 500,
    });
    run.turn({
      state: 'waiting',
      calls: [
        [1, 0, 1, {}],
        [2, 0, 0, {}],
      ],
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(run.line.left).toBe('open');
    await vi.advanceTimersByTimeAsync(2);
    expect((await run.result).error).toMatchObject({
      kind: 'timeout',
      budget: 'wall',
      limit: 500,
      message:
        'The program did not end within its wall budget of 500 ms; calls completed: log; in flight: slow',
    });
  });

  it('M36: a result that came while the host was blocked itself still counts', async () => {
    const run = scriptedRun({ wallMs: 500 });
    // Timers run before input is read: the completion is read in the turn of the loop in which the budget ends.
    setTimeout(() => run.turn({ state: 'done', value: 1 }), 500);
    await vi.advanceTimersByTimeAsync(500);
    await vi.advanceTimersByTimeAsync(1);
    expect((await run.result).value).toBe(1);
  });

  it('M36, M37: it stands still while it is held, holds nest, and letting go twice is harmless', () => {
    let over = 0;
    const wall = new WallClock(100, () => {
      over += 1;
    });
    wall.start();
    vi.advanceTimersByTime(60);
    const first = wall.hold();
    const second = wall.hold();
    vi.advanceTimersByTime(1000);
    first();
    first();
    vi.advanceTimersByTime(1000);
    expect(over).toBe(0);
    second();
    vi.advanceTimersByTime(39);
    expect(over).toBe(0);
    vi.advanceTimersByTime(2);
    expect(over).toBe(1);
  });

  it('M36: a call holds it only where the runtime was told so', async () => {
    const outcomes = await Promise.all(
      [true, false].map(async (pauseWallDuringApprovals) => {
        const answered = gate<string>();
        const run = scriptedRun({
          bindings: toolsOf({
            ask: async (_, call) => {
              const resume = call.pauseWall!();
              const answer = await answered.promise;
              resume();
              return answer;
            },
          }),
          wallMs: 100,
          options: { pauseWallDuringApprovals },
        });
        run.turn({ state: 'waiting', calls: [[1, 0, 0, {}]] });
        await vi.advanceTimersByTimeAsync(5000);
        answered.open('yes');
        await vi.advanceTimersByTimeAsync(1);
        run.turn({ state: 'done', value: 'approved' });
        const { value, error } = await run.result;
        return value ?? error?.kind;
      }),
    );
    expect(outcomes).toEqual(['approved', 'timeout']);
  });

  it('M40: a run that has ended leaves no timer behind', async () => {
    const run = scriptedRun({ wallMs: 500 });
    run.turn({ state: 'waiting', timers: [[1, 300]] });
    expect(vi.getTimerCount()).toBe(2);
    run.session.abort('enough');
    await run.result;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a guest's timers", () => {
  function timers(maxArmed = 10) {
    const fired: (readonly number[])[] = [];
    return { fired, timers: new RunTimers(maxArmed, (ids) => fired.push(ids)) };
  }

  it('E98: they fire in due order, ties in the order of arming, those due together in one frame', () => {
    const { fired, timers: armed } = timers();
    const problems = [30, 10, 10, 0].map((delay, index) => armed.arm(index + 1, delay));
    expect(problems).toEqual([undefined, undefined, undefined, undefined]);
    vi.advanceTimersByTime(100);
    expect(fired).toEqual([[4], [2, 3], [1]]);
    expect(armed.size).toBe(0);
  });

  it('M36: a cleared timer does not fire, and clearing one that has fired is harmless', () => {
    const { fired, timers: armed } = timers();
    armed.arm(1, 10);
    armed.arm(2, 20);
    expect([armed.clear(1), armed.clear(1)]).toEqual([undefined, undefined]);
    vi.advanceTimersByTime(50);
    expect(armed.clear(2)).toBeUndefined();
    expect(fired).toEqual([[2]]);
  });

  it('M50: ids are sequential and their number is bounded', () => {
    const { timers: armed } = timers(2);
    expect(armed.arm(2, 1)).toBe('timer 2 after timer 0');
    expect(armed.arm(1, 1)).toBeUndefined();
    expect(armed.arm(2, 1)).toBeUndefined();
    expect(armed.arm(3, 1)).toBe('more than 2 timers at once');
    expect(armed.clear(9)).toBe('no timer 9 to clear');
  });

  it('M40: arming and clearing without end keeps nothing', () => {
    const { fired, timers: armed } = timers(4);
    for (let id = 1; id <= 20_000; id += 1) {
      expect(armed.arm(id, 1_000_000)).toBeUndefined();
      armed.clear(id);
    }
    armed.arm(20_001, 5);
    vi.advanceTimersByTime(5);
    expect(fired).toEqual([[20_001]]);
    armed.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('M36: a due timer is told to the guest, which may then go on', async () => {
    const run = scriptedRun();
    run.turn({ state: 'waiting', timers: [[1, 50]] });
    await vi.advanceTimersByTimeAsync(50);
    expect(run.line.sent.at(-1)).toMatchObject({ type: 4, payload: '[1]' });
    run.turn({ state: 'done', value: 'slept' });
    expect((await run.result).value).toBe('slept');
  });
});

describe('the watchdog', () => {
  function guarded(budgetMs = 300, graceMs = 100) {
    const state = { cpu: 0 as number | undefined, rss: 100, head: undefined as WorkedFrame | undefined };
    const killed: string[] = [];
    const rested: number[] = [];
    const guard = new ProcessGuard({
      readings: {
        cpuMs: () => state.cpu,
        known: Promise.resolve(),
        rssBytes: () => state.rss,
        dataBytes: () => undefined,
        close: () => {},
      },
      graceMs,
      maxRssBytes: 1000,
      head: () => (killed.length > 0 ? undefined : state.head),
      onRest: (rssBytes) => rested.push(rssBytes),
      onOverrun: () => killed.push('overrun'),
      onOverMemory: () => killed.push('memory'),
    });
    /** Time in which the process uses a share of a core. */
    const pass = (ms: number, share: number) => {
      for (let done = 0; done < ms; done += 10) {
        if (state.cpu !== undefined) state.cpu += 10 * share;
        vi.advanceTimersByTime(10);
      }
    };
    const work = () => {
      state.head = { since: performance.now(), budgetMs };
      guard.watch();
    };
    return { state, killed, rested, pass, work, guard };
  }

  it('M36, E96: a frame that computes past its budget and grace is ended, whatever calls are pending', () => {
    const { killed, pass, work } = guarded();
    work();
    pass(400, 1);
    expect(killed).toEqual([]);
    pass(60, 1);
    expect(killed).toEqual(['overrun']);
  });

  it('M36: a machine so loaded that the process hardly computes is no reason', () => {
    const { killed, pass, work } = guarded();
    work();
    pass(2000, 0.1);
    expect(killed).toEqual([]);
    pass(200, 1);
    expect(killed).toEqual(['overrun']);
  });

  it('M36: where CPU time is not told, the clock alone decides', () => {
    const { killed, pass, work, state } = guarded();
    state.cpu = undefined;
    work();
    pass(460, 0);
    expect(killed).toEqual(['overrun']);
  });

  it('E97: waiting costs nothing: no frame, no watching, no timer', () => {
    const { killed, pass, work, state } = guarded();
    work();
    pass(100, 1);
    state.head = undefined;
    pass(5000, 0);
    expect([killed, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('M36: each frame has the clock to itself', () => {
    const { killed, pass, work } = guarded();
    for (let frame = 0; frame < 10; frame += 1) {
      work();
      pass(200, 1);
    }
    expect(killed).toEqual([]);
  });

  it('M36: an answer that a blocked host has not read yet saves the process', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { killed, pass, work } = guarded();
    work();
    // Every tick comes at once: nothing has been read in between.
    pass(2000, 1);
    expect(killed).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) {
      await flush();
      pass(10, 1);
    }
    expect(killed).toEqual(['overrun']);
  });

  it('M34: once the work is done it tells what the process still holds, once', () => {
    const { rested, pass, work, state } = guarded();
    work();
    pass(50, 1);
    state.head = undefined;
    state.rss = 700;
    pass(100, 0);
    expect(rested).toEqual([700]);
  });

  it('M34: a process that grows past its memory is ended at once', () => {
    const { killed, pass, work, state } = guarded();
    work();
    pass(50, 1);
    state.rss = 1001;
    pass(10, 1);
    expect(killed).toEqual(['memory']);
  });
});
