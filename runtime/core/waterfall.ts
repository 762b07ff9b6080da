/**
 * Around middleware: it gets the arguments and `next`, and decides what comes out.
 *
 * @example
 * const timed: WaterfallListener<[string], number> = async (label, next) => {
 *   console.time(label);
 *   const outcome = await next();
 *   console.timeEnd(label);
 *   return outcome;
 * };
 */
export type WaterfallListener<A extends readonly unknown[], R> = (
  ...args: [...args: A, next: () => Promise<R>]
) => Promise<R> | R;

const repeating = new WeakSet<(...args: never[]) => unknown>();

/**
 * Makes a listener that may call `next()` again once what the call before it began has settled.
 *
 * @returns a listener of its own, so that the same function can also be used without that right
 * @example
 * const twice = mayRepeat(async (_n: number, next: () => Promise<number>) => (await next()) + (await next()));
 */
export function mayRepeat<L extends (...args: never[]) => unknown>(listener: L): L {
  const marked = ((...args: never[]) => listener(...args)) as L;
  repeating.add(marked);
  return marked;
}

/**
 * Runs listeners around an innermost step, outermost first.
 *
 * `next()` delegates inward and ignores what it is given; a listener that does not call it short-circuits. It works once
 * and only until the listener has settled: any other call runs nothing and fails the listener, even one that catches what
 * `next()` threw. A listener made by {@link mayRepeat} may call it again, one call after the other. When a listener settles
 * before what it delegated to, its outcome waits for that work to be quiet.
 *
 * @param listeners outermost first; not to be changed while it runs
 * @param args what every listener gets in front of `next`
 * @param innermost what the innermost `next()` runs
 * @param settle makes of each listener's outcome what the one around it is given; what it throws is that listener's error
 * @returns settles with the outermost listener's outcome; a synchronous throw becomes a rejection
 * @throws {Error} when a listener calls `next()` twice or too late
 * @example
 * await runWaterfall([async (n: number, next: () => Promise<number>) => n * (await next())], [2], async () => 21) // 42
 */
export function runWaterfall<A extends readonly unknown[], R>(
  listeners: readonly WaterfallListener<A, R>[],
  args: A,
  innermost: () => Promise<R>,
  settle: (outcome: unknown) => R = asItIs,
): Promise<R> {
  if (listeners.length > 0) return runListener(listeners, 0, args, innermost, settle);
  try {
    return innermost();
  } catch (error) {
    return Promise.reject(error);
  }
}

async function runListener<A extends readonly unknown[], R>(
  listeners: readonly WaterfallListener<A, R>[],
  index: number,
  args: A,
  innermost: () => Promise<R>,
  settle: (outcome: unknown) => R,
): Promise<R> {
  const listener = listeners[index];
  if (listener === undefined) return innermost();
  let inner: Promise<R> | undefined;
  // Settles with the inner part and never rejects; gone once that has happened.
  let noise: Promise<void> | undefined;
  let settled = false;
  let misuse: Error | undefined;
  const fallQuiet = (): void => {
    noise = undefined;
  };
  const next = (): Promise<R> => {
    if (settled || (inner !== undefined && (noise !== undefined || !repeating.has(listener)))) {
      misuse = new Error(`Cannot run "next()": wanted ${wantedOfNext(settled, repeating.has(listener))}`);
      throw misuse;
    }
    inner = runListener(listeners, index + 1, args, innermost, settle);
    // A listener may drop what it delegated to; the rejection is then nobody's.
    noise = inner.then(fallQuiet, fallQuiet);
    return inner;
  };
  try {
    const outcome = await listener(...args, next);
    if (misuse !== undefined) throw misuse;
    return settle(outcome);
  } finally {
    settled = true;
    if (noise !== undefined) await noise;
  }
}

function wantedOfNext(isSettled: boolean, isRepeating: boolean): string {
  if (isSettled) return 'a call before the listener settled, received one after it';
  return isRepeating
    ? 'a call after the one before it had settled, received one meanwhile'
    : 'one call by a listener, received a second one';
}

function asItIs<R>(outcome: unknown): R {
  return outcome as R;
}
