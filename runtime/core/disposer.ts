/**
 * Makes a disposer that acts once: a second call does nothing, even while the first one runs or after it threw.
 *
 * @example
 * const dispose = once(() => timers.clear());
 * dispose();
 * dispose(); // nothing happens
 */
export function once(dispose: () => void): () => void {
  let pending: (() => void) | undefined = dispose;
  return () => {
    const run = pending;
    pending = undefined;
    run?.();
  };
}
