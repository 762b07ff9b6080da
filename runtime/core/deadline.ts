import { once } from './disposer.js';
import { optionError } from './option-error.js';

/**
 * The longest delay that a timer holds, ms: Node shortens anything longer to 1 ms.
 *
 * @example
 * timerMs('wallMs', MAX_TIMER_DELAY_MS) // 2147483647
 */
export const MAX_TIMER_DELAY_MS = 2_147_483_647;

/**
 * Chooses a budget: what was asked for, else the default, never above the maximum or what a timer can hold.
 *
 * 0 is not a timeout that anyone can ask for; as `defaultMs` it stands for "no timer" and comes back as 0.
 *
 * @param requested ms; `undefined` takes the default
 * @param defaultMs ms, or 0 for none
 * @param maxMs ms
 * @throws {TypeError} when `requested` is not a positive finite number, or another bound makes no sense
 * @example
 * clampTimeout(undefined, 30_000, 60_000) // 30000
 * clampTimeout(90_000, 30_000, 60_000) // 60000
 */
export function clampTimeout(requested: number | undefined, defaultMs: number, maxMs: number): number {
  if (!(maxMs > 0)) throw optionError('maxMs', 'a positive number of milliseconds', maxMs);
  if (requested === undefined) {
    if (!(defaultMs >= 0))
      throw optionError('defaultMs', '0 or a positive number of milliseconds', defaultMs);
    return Math.min(defaultMs, maxMs, MAX_TIMER_DELAY_MS);
  }
  if (typeof requested !== 'number' || !Number.isFinite(requested) || requested <= 0) {
    throw optionError('timeoutMs', 'a positive finite number of milliseconds', requested);
  }
  return Math.min(requested, maxMs, MAX_TIMER_DELAY_MS);
}

/**
 * A signal made of others. Its owner disposes it as soon as nobody listens to it any more.
 *
 * @example
 * const { signal, dispose }: FusedSignal = fuseSignals(caller, wrapper);
 */
export interface FusedSignal {
  readonly signal: AbortSignal;
  /** Takes the listeners off; the signal then never aborts any more. Twice is harmless. */
  dispose(): void;
}

/**
 * Makes a signal that aborts with the first of two, with the reason of that one.
 *
 * Neither of the two is ever aborted by it. When both are the same object, that object is the result.
 *
 * @example
 * const fused = fuseSignals(caller, wrapper);
 * try {
 *   await body(fused.signal);
 * } finally {
 *   fused.dispose();
 * }
 */
export function fuseSignals(first: AbortSignal, second: AbortSignal): FusedSignal {
  if (first === second) return { signal: first, dispose: nothing };
  const controller = new AbortController();
  const dispose = follow(controller, [first, second]);
  return { signal: controller.signal, dispose };
}

/**
 * A timer fused with a caller's signal.
 *
 * @example
 * if (deadline.fired) throw new ToolTimeoutError('too slow');
 */
export interface Deadline extends FusedSignal {
  /** Whether the timer, not the caller, aborted the signal. */
  readonly fired: boolean;
}

/**
 * Starts a deadline: a signal that aborts when the time is over or when the caller's does, whichever is first.
 *
 * Disposing it clears the timer and the listener; aborting does so too.
 *
 * @param ms a delay that a timer can hold
 * @param reason made when the timer fires: what the signal aborts with
 * @param caller aborts the deadline's signal with its own reason
 * @throws {TypeError} when no timer can hold `ms`
 * @example
 * const deadline = startDeadline(5_000, () => new ToolTimeoutError('no answer within 5000 ms'), exec.signal);
 */
export function startDeadline(ms: number, reason: () => unknown, caller?: AbortSignal): Deadline {
  if (!(ms > 0 && ms <= MAX_TIMER_DELAY_MS)) {
    throw optionError('ms', `a positive number of milliseconds up to ${MAX_TIMER_DELAY_MS}`, ms);
  }
  const controller = new AbortController();
  let fired = false;
  const unfollow = follow(controller, caller === undefined ? [] : [caller]);
  const dispose = once(() => {
    clearTimeout(timer);
    unfollow();
  });
  const timer = setTimeout(() => {
    fired = true;
    controller.abort(reason());
  }, ms);
  if (controller.signal.aborted) dispose();
  else controller.signal.addEventListener('abort', dispose, { once: true });
  return {
    signal: controller.signal,
    get fired() {
      return fired;
    },
    dispose,
  };
}

function follow(controller: AbortController, sources: readonly AbortSignal[]): () => void {
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) {
    controller.abort(aborted.reason);
    return nothing;
  }
  const onAbort = (event: Event) => {
    dispose();
    controller.abort((event.target as AbortSignal).reason);
  };
  const dispose = once(() => {
    for (const source of sources) source.removeEventListener('abort', onAbort);
  });
  for (const source of sources) source.addEventListener('abort', onAbort);
  return dispose;
}

function nothing(): void {}
