import type { ToolDispatchExecution, ToolExecution } from '../contract/execution.js';
import { received } from '../core/option-error.js';

/**
 * Makes the view of a call that its wrappers share: everything is read-only but `signal`.
 *
 * Assigning anything but an AbortSignal throws in the wrapper that does it, and deleting the signal is refused, so the
 * body always has one. The execution itself keeps the caller's signal.
 */
export function dispatchView(execution: ToolExecution): ToolDispatchExecution {
  let current = execution.signal;
  return Object.freeze({
    ...execution,
    get signal() {
      return current;
    },
    set signal(replacement: AbortSignal) {
      if (!isAbortSignal(replacement)) {
        throw new TypeError(
          `Cannot replace the signal of "${execution.name}": wanted an AbortSignal, received ${received(replacement)}`,
        );
      }
      current = replacement;
    },
  });
}

const readAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get;

/** Asks the platform's own getter, which an object that only looks like a signal does not survive. */
function isAbortSignal(value: unknown): value is AbortSignal {
  if (readAborted === undefined) return value instanceof AbortSignal;
  try {
    Reflect.apply(readAborted, value, []);
    return true;
  } catch {
    return false;
  }
}
