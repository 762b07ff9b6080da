import type { Kit, TimerRecord, Timers } from '../kit.js';

/** Timers: armed and cleared through the turn, fired by the host. */
export function timersPart(kit: Kit): Timers & Record<string, unknown> {
  const { create, TypeError, RangeError } = kit;
  const callDetached = kit.part<(callback: unknown, args: object) => void>('detached');
  const MAX_DELAY_MS = 2147483647;
  const byId = create(null) as Record<number, TimerRecord | undefined>;
  const byHandle = create(null) as Record<number, TimerRecord | undefined>;
  let lastId = 0;
  let lastHandle = 0;
  let armed = 0;
  let first: TimerRecord | undefined;
  let last: TimerRecord | undefined;
  let clears = '';

  const arm = (callback: () => void, delayMs: number) => {
    const { maxTimers } = kit.run.limits;
    if (armed >= maxTimers)
      throw new RangeError('Cannot arm a timer: at most ' + maxTimers + ' may be armed at once');
    const timer: TimerRecord = { id: 0, callback, delayMs, next: undefined };
    armed++;
    if (last === undefined) first = timer;
    else last.next = timer;
    last = timer;
    return timer;
  };

  const disarm = (timer: TimerRecord) => {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    armed--;
    if (timer.id === 0) return;
    byId[timer.id] = undefined;
    clears += '' + (clears === '' ? '' : ',') + timer.id;
  };

  const take = () => {
    let text = '';
    for (; first !== undefined; first = first.next) {
      if (first.callback === undefined) continue;
      first.id = ++lastId;
      byId[first.id] = first;
      text += '' + (text === '' ? '' : ',') + '[' + first.id + ',' + first.delayMs + ']';
    }
    last = undefined;
    let parts = text === '' ? '' : ',"timers":[' + text + ']';
    if (clears !== '') parts += ',"clears":[' + clears + ']';
    clears = '';
    return parts;
  };

  const fire = (id: number) => {
    const timer = byId[id];
    if (timer === undefined) return;
    byId[id] = undefined;
    const callback = timer.callback as () => void;
    timer.callback = undefined;
    armed--;
    callback();
  };

  const delayOf = (name: string, value: unknown): number => {
    const delay = +(value as number);
    if (delay > MAX_DELAY_MS) {
      throw new RangeError(
        'Cannot use a delay of ' + delay + ' ms in ' + name + ': at most ' + MAX_DELAY_MS + ' is possible',
      );
    }
    return delay >= 1 ? delay - (delay % 1) : 0;
  };

  const start = (name: string, callback: unknown, value: unknown, args: unknown[], again: boolean) => {
    if (typeof callback !== 'function') {
      throw new TypeError('Cannot call ' + name + ': wanted a function, received ' + typeof callback);
    }
    const delayMs = delayOf(name, value);
    const handle = ++lastHandle;
    const run = () => {
      byHandle[handle] = again ? arm(run, delayMs) : undefined;
      callDetached(callback, args);
    };
    byHandle[handle] = arm(run, delayMs);
    return handle;
  };

  const clear = (handle: unknown) => {
    const id = typeof handle === 'string' ? +handle : handle;
    const timer = typeof id === 'number' ? byHandle[id] : undefined;
    if (timer === undefined) return;
    byHandle[id as number] = undefined;
    disarm(timer);
  };

  return {
    __proto__: null,
    arm,
    disarm,
    take,
    fire,
    armed: () => armed,
    setTimeout(callback: unknown, delay = 0, ...args: unknown[]) {
      return start('setTimeout', callback, delay, args, false);
    },
    setInterval(callback: unknown, delay = 0, ...args: unknown[]) {
      return start('setInterval', callback, delay, args, true);
    },
    clearTimeout(handle: unknown = 0) {
      clear(handle);
    },
    clearInterval(handle: unknown = 0) {
      clear(handle);
    },
    queueMicrotask(callback: unknown) {
      if (typeof callback !== 'function') {
        throw new TypeError('Cannot call queueMicrotask: wanted a function, received ' + typeof callback);
      }
      // Awaiting a plain value looks nothing up that a program could have replaced.
      (async () => {
        await undefined;
        callDetached(callback, create(null));
      })();
    },
  } as unknown as Timers & Record<string, unknown>;
}
