import type { WorkedFrame } from './process-guard.js';

interface Unanswered extends WorkedFrame {
  readonly run: number;
  since: number;
}

/**
 * The frames that a process has been sent and has not answered, in the order in which it works on them.
 *
 * @example
 * const frames = new UnansweredFrames();
 * frames.sent(1, 500);
 * frames.answered(1); // true
 */
export class UnansweredFrames {
  readonly #frames: Unanswered[] = [];
  #busyMs = 0;
  #idleSince = 0;

  /** The frame that the process works on. */
  get head(): (WorkedFrame & { readonly run: number }) | undefined {
    return this.#frames[0];
  }

  /** Time during which the process had work, ms. */
  get busyMs(): number {
    return this.#busyMs;
  }

  /** Since when the process has had no work, ms of `performance.now()`. */
  get idleSince(): number {
    return this.#idleSince;
  }

  /** @param budgetMs what the guest may still compute, ms */
  sent(run: number, budgetMs: number): void {
    this.#frames.push({ run, since: performance.now(), budgetMs });
  }

  /**
   * Takes the oldest frame of a run off.
   *
   * @returns false when there is none
   */
  answered(run: number): boolean {
    const head = this.#frames[0];
    if (head?.run !== run) {
      const index = this.#frames.findIndex((frame) => frame.run === run);
      if (index < 0) return false;
      this.#frames.splice(index, 1);
      return true;
    }
    this.#frames.shift();
    const now = performance.now();
    this.#busyMs += now - head.since;
    const next = this.#frames[0];
    if (next !== undefined) next.since = now;
    else this.#idleSince = now;
    return true;
  }

  /** Whether the process has work of a run. */
  has(run: number): boolean {
    return this.#frames.some((frame) => frame.run === run);
  }

  clear(): void {
    this.#frames.length = 0;
  }
}
