/**
 * Waits for a promise, but not past an abort.
 *
 * @param reason - makes the error of an abort
 * @throws what the promise rejects with, or `reason()` once the signal is aborted
 * @example
 * await untilAborted(session.flush(), exec.signal, () => new Error('aborted'));
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => Error,
): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(reason());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
