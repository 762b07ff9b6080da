import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clampTimeout, fuseSignals, MAX_TIMER_DELAY_MS, startDeadline } from '#dist/runtime/core/deadline.js';

describe('clampTimeout', () => {
  it('Q6: takes what was asked for, else the default, never above the maximum', () => {
    expect(clampTimeout(10, 20, 30)).toBe(10);
    expect(clampTimeout(undefined, 20, 30)).toBe(20);
    expect(clampTimeout(40, 20, 30)).toBe(30);
    expect(clampTimeout(undefined, 40, 30)).toBe(30);
    expect(clampTimeout(0.5, 20, 30)).toBe(0.5);
  });

  it('Q6, E98: a timer holds at most 2 147 483 647 ms', () => {
    expect(MAX_TIMER_DELAY_MS).toBe(2_147_483_647);
    expect(clampTimeout(2 ** 40, 20, Infinity)).toBe(MAX_TIMER_DELAY_MS);
    expect(clampTimeout(undefined, Infinity, Infinity)).toBe(MAX_TIMER_DELAY_MS);
  });

  it('Q6: nobody can ask for 0, negative, NaN or Infinity; as a default 0 means no timer', () => {
    for (const requested of [0, -1, Number.NaN, Infinity, -Infinity, '5' as never, null as never]) {
      expect(() => clampTimeout(requested, 20, 30)).toThrow(TypeError);
    }
    expect(clampTimeout(undefined, 0, 30)).toBe(0);
    expect(() => clampTimeout(5, 20, 0)).toThrow('maxMs');
    expect(() => clampTimeout(undefined, -1, 30)).toThrow('defaultMs');
  });
});

/** Counts the listeners that a signal has. */
function counted(controller: AbortController) {
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  return { signal, listeners: () => listeners };
}

describe('fuseSignals', () => {
  it('P29: equal signals are the signal itself', () => {
    const { signal } = new AbortController();
    const fused = fuseSignals(signal, signal);
    expect(fused.signal).toBe(signal);
    fused.dispose();
  });

  it.each([0, 1])(
    'P29, E44: aborts with the first of the two and its reason; neither aborts the other',
    (which) => {
      const controllers = [new AbortController(), new AbortController()];
      const fused = fuseSignals(controllers[0]!.signal, controllers[1]!.signal);
      expect(fused.signal.aborted).toBe(false);
      const reason = new Error('enough');
      controllers[which]!.abort(reason);
      expect(fused.signal.reason).toBe(reason);
      expect(controllers[1 - which]!.signal.aborted).toBe(false);
      controllers[1 - which]!.abort('later');
      expect(fused.signal.reason).toBe(reason);
    },
  );

  it('P30: a signal that is aborted already passes on at once', () => {
    const reason = new Error('long ago');
    const fused = fuseSignals(new AbortController().signal, AbortSignal.abort(reason));
    expect([fused.signal.aborted, fused.signal.reason]).toEqual([true, reason]);
  });

  it('P29: disposing takes the listeners off, and so does the abort', () => {
    const first = counted(new AbortController());
    const controller = new AbortController();
    const second = counted(controller);
    const fused = fuseSignals(first.signal, second.signal);
    expect([first.listeners(), second.listeners()]).toEqual([1, 1]);
    fused.dispose();
    fused.dispose();
    expect([first.listeners(), second.listeners()]).toEqual([0, 0]);
    controller.abort();
    expect(fused.signal.aborted).toBe(false);

    const other = new AbortController();
    const third = counted(new AbortController());
    fuseSignals(third.signal, other.signal);
    other.abort();
    expect(third.listeners()).toBe(0);
  });
});

describe('startDeadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('Q2, Q3: aborts with its own reason when the time is over, and says so', () => {
    const reason = new Error('too slow');
    const deadline = startDeadline(50, () => reason, new AbortController().signal);
    vi.advanceTimersByTime(49);
    expect([deadline.signal.aborted, deadline.fired]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([deadline.signal.reason, deadline.fired]).toEqual([reason, true]);
  });

  it('Q4: a caller that aborts first is not a deadline, and takes the timer away', () => {
    const caller = new AbortController();
    const deadline = startDeadline(50, () => new Error('too slow'), caller.signal);
    caller.abort('stop');
    expect([deadline.signal.reason, deadline.fired]).toEqual(['stop', false]);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(100);
    expect(deadline.fired).toBe(false);
  });

  it('Q4: an abort after the deadline changes nothing', () => {
    const caller = new AbortController();
    const reason = new Error('too slow');
    const deadline = startDeadline(50, () => reason, caller.signal);
    vi.advanceTimersByTime(50);
    caller.abort('later');
    expect([deadline.signal.reason, deadline.fired]).toEqual([reason, true]);
  });

  it('Q2: disposing clears the timer; an aborted caller arms none', () => {
    const caller = counted(new AbortController());
    const deadline = startDeadline(50, () => 'never', caller.signal);
    expect([vi.getTimerCount(), caller.listeners()]).toEqual([1, 1]);
    deadline.dispose();
    deadline.dispose();
    expect([vi.getTimerCount(), caller.listeners()]).toEqual([0, 0]);
    expect(startDeadline(50, () => 'never', AbortSignal.abort('before')).signal.reason).toBe('before');
  });

  it('E98: a delay that no timer holds is refused', () => {
    for (const ms of [0, -1, Number.NaN, MAX_TIMER_DELAY_MS + 1, Infinity]) {
      expect(() => startDeadline(ms, () => 'never')).toThrow(TypeError);
    }
  });
});
