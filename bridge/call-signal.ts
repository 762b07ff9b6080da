import type { CodeBindingCall } from '../runtime/contract/code-runtime.js';
import { MAX_TIMER_DELAY_MS } from '../runtime/core/deadline.js';
import { ToolTimeoutError } from '../runtime/core/errors.js';

/**
 * Whether a call may have to end before its run does. Most cannot: they share the run's signal, which costs nothing.
 *
 * @param run the run's own signal
 */
export function endsAlone(run: AbortSignal, call: CodeBindingCall | undefined): call is CodeBindingCall {
  if (call === undefined) return false;
  if (deadlineOf(call) !== undefined) return true;
  return call.isCancellable !== false && call.signal !== undefined && call.signal !== run;
}

/** The signal of a call that can be given up: by the program's own signal, by its deadline, or with the run. */
export class CallSignal {
  readonly #controller = new AbortController();
  readonly #own: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onOwn: () => void;

  /** @param onCancel told when the call alone is given up, with the reason */
  constructor(call: CodeBindingCall, name: string, onCancel: (reason: unknown) => void) {
    const cancel = (reason: unknown) => {
      if (this.#controller.signal.aborted) return;
      this.#controller.abort(reason);
      onCancel(reason);
    };
    const timeoutMs = deadlineOf(call);
    if (timeoutMs !== undefined) {
      const expired = () =>
        cancel(new ToolTimeoutError(`The call of "${name}" did not finish within ${timeoutMs} ms`));
      this.#timer = setTimeout(expired, Math.min(timeoutMs, MAX_TIMER_DELAY_MS));
    }
    this.#own = call.isCancellable === false ? undefined : call.signal;
    this.#onOwn = () => cancel(this.#own?.reason);
    this.#own?.addEventListener('abort', this.#onOwn);
  }

  /** What the call's body observes. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Passes the end of the run on. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Takes the listener and the timer off. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#own?.removeEventListener('abort', this.#onOwn);
  }
}

function deadlineOf({ timeoutMs }: CodeBindingCall): number | undefined {
  return typeof timeoutMs === 'number' && timeoutMs > 0 ? timeoutMs : undefined;
}
