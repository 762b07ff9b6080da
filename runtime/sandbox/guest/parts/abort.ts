import type { Kit, Timers } from '../kit.js';

/** `AbortController` and `AbortSignal`, and how a call listens to a signal. */
export function abortPart(kit: Kit): Record<string, unknown> {
  const { create, defineProperty: define, apply, TypeError, Error } = kit;
  interface Listener {
    readonly act: (reason: unknown) => void;
    /** What the program registered; nothing for a listener of ours. */
    readonly handler: unknown;
    next: Listener | undefined;
    gone: boolean;
  }
  interface State {
    aborted: boolean;
    reason: unknown;
    first: Listener | undefined;
    onabort: unknown;
  }
  const WeakMap = kit.intrinsic<WeakMapConstructor>('WeakMap');
  const lookUp = kit.method<(map: object, key: unknown) => State | undefined>('WeakMap', 'get');
  const file = kit.method<(map: object, key: object, state: State) => void>('WeakMap', 'set');
  const states = new WeakMap();
  const webClass = kit.part<<T>(Class: T) => T>('webClass');
  const callDetached = kit.part<(callback: unknown, args: object) => void>('detached');
  let making = false;

  const named = (name: string, message: string) =>
    define(new Error(message), 'name', { __proto__: null, value: name, writable: true, configurable: true });

  const stateOf = (signal: unknown): State => {
    const state = lookUp(states, signal);
    if (state === undefined) throw new TypeError('Illegal invocation');
    return state;
  };

  const isHandler = (value: unknown) =>
    typeof value === 'function' || (typeof value === 'object' && value !== null);

  const call = (handler: unknown, signal: object) => {
    const event = { type: 'abort', target: signal, currentTarget: signal };
    const run = typeof handler === 'function' ? handler : (handler as { handleEvent?: unknown }).handleEvent;
    const self = typeof handler === 'function' ? signal : handler;
    if (typeof run === 'function') apply(run, self, { __proto__: null, 0: event, length: 1 });
  };

  const listen = (state: State, handler: unknown, act: (reason: unknown) => void): Listener => {
    const listener: Listener = { act, handler, next: undefined, gone: false };
    if (state.first === undefined) state.first = listener;
    else {
      let last = state.first;
      while (last.next !== undefined) last = last.next;
      last.next = listener;
    }
    return listener;
  };

  const fire = (signal: object, reason: unknown) => {
    const state = stateOf(signal);
    if (state.aborted) return;
    state.aborted = true;
    state.reason = reason;
    const { first } = state;
    state.first = undefined;
    // What gives calls up comes before what the program registered.
    for (let at = first; at !== undefined; at = at.next)
      if (at.handler === undefined && !at.gone) at.act(reason);
    const { onabort } = state;
    if (onabort !== null) callDetached(() => call(onabort, signal), create(null));
    for (let at = first; at !== undefined; at = at.next)
      if (at.handler !== undefined && !at.gone) at.act(reason);
  };

  const AbortSignal = class AbortSignal {
    constructor() {
      if (!making) throw new TypeError('Illegal constructor');
      file(states, this, { aborted: false, reason: undefined, first: undefined, onabort: null });
    }
    get aborted() {
      return stateOf(this).aborted;
    }
    get reason() {
      return stateOf(this).reason;
    }
    get onabort() {
      return stateOf(this).onabort;
    }
    set onabort(handler: unknown) {
      stateOf(this).onabort = isHandler(handler) ? handler : null;
    }
    throwIfAborted() {
      const state = stateOf(this);
      if (state.aborted) throw state.reason;
    }
    addEventListener(type: unknown, handler: unknown) {
      const state = stateOf(this);
      if (type !== 'abort' || !isHandler(handler) || state.aborted) return;
      for (let at = state.first; at !== undefined; at = at.next)
        if (at.handler === handler && !at.gone) return;
      listen(state, handler, () => callDetached(() => call(handler, this), create(null)));
    }
    removeEventListener(type: unknown, handler: unknown) {
      if (type !== 'abort') return;
      for (let at = stateOf(this).first; at !== undefined; at = at.next)
        if (at.handler === handler) at.gone = true;
    }
    static abort(reason: unknown = named('AbortError', 'This operation was aborted')) {
      const signal = make();
      fire(signal, reason);
      return signal;
    }
    static timeout(milliseconds: unknown) {
      const delay = +(milliseconds as number);
      if (!(delay >= 0 && delay <= 2147483647))
        throw new TypeError('Cannot make a timeout of ' + delay + ' ms');
      const signal = make();
      kit
        .part<Timers>('timers')
        .arm(
          () => fire(signal, named('TimeoutError', 'The operation was aborted due to timeout')),
          delay - (delay % 1),
        );
      return signal;
    }
    static any(signals: Iterable<object>) {
      const all = make();
      for (const signal of signals) {
        const state = stateOf(signal);
        if (state.aborted) fire(all, state.reason);
        else listen(state, undefined, (reason) => fire(all, reason));
      }
      return all;
    }
  };

  const make = () => {
    making = true;
    const signal = new AbortSignal();
    making = false;
    return signal;
  };

  const controllers = new WeakMap();
  const signalOf = (controller: unknown): object => {
    const signal = lookUp(controllers, controller);
    if (signal === undefined) throw new TypeError('Illegal invocation');
    return signal;
  };
  const AbortController = class AbortController {
    constructor() {
      file(controllers, this, make() as never);
    }
    get signal() {
      return signalOf(this);
    }
    abort(reason: unknown = named('AbortError', 'This operation was aborted')) {
      fire(signalOf(this), reason);
    }
  };

  return {
    __proto__: null,
    AbortController: webClass(AbortController),
    AbortSignal: webClass(AbortSignal),
    /** For a call: how to stop listening, or the reason why the signal is aborted already; nothing for another value. */
    listen: (signal: unknown, act: (reason: unknown) => void) => {
      const state = lookUp(states, signal);
      if (state === undefined) return undefined;
      if (state.aborted) return { reason: state.reason };
      const listener = listen(state, undefined, act);
      return () => {
        listener.gone = true;
      };
    },
  } as unknown as Record<string, unknown>;
}
