/**
 * Waits; an abort ends the wait early.
 *
 * @param ms - how long
 * @example
 * await pause(250, closing.signal);
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/**
 * Waits for something that others wait for too, only as long as this signal lets it.
 *
 * @throws the signal's reason once it is aborted
 * @example
 * const link = await untilAborted(opened, exec.signal);
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    const stop = (): void => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(stop);
  });
}
