import { errorMessage } from './error-text.js';

/**
 * Tells every observer, in order, and lets none of them change or delay anything.
 *
 * A synchronous throw and a later rejection are both contained and reported; the other observers still run. Nothing is
 * awaited, and nothing is thrown, not even by `report`.
 *
 * @param report gets a text that is safe to print, and the thrown value itself
 * @example
 * notifyObservers([(n: number) => console.log(n)], [1], (message) => console.error(message));
 */
export function notifyObservers<A extends readonly unknown[]>(
  observers: readonly ((...args: A) => unknown)[],
  args: A,
  report: (message: string, cause: unknown) => void,
): void {
  if (observers.length === 0) return;
  const contain = (cause: unknown) => {
    try {
      report(`Observer failed: ${errorMessage(cause)}`, cause);
    } catch {
      // Whoever reports is an observer too.
    }
  };
  for (const observer of observers) {
    try {
      const returned = observer(...args);
      // Promise.resolve also contains a thenable whose `then` throws.
      if (typeof returned === 'object' && returned !== null) Promise.resolve(returned).catch(contain);
    } catch (cause) {
      contain(cause);
    }
  }
}
