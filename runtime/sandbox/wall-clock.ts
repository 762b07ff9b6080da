/**
 * The wall budget of one run: a timer that can be held.
 *
 * @example
 * const wall = new WallClock(120_000, () => end());
 * wall.start();
 * const resume = wall.hold();
 * resume();
 * wall.stop();
 */
export class WallClock {
  readonly #budgetMs: number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #holds = 0;
  #heldSince = 0;
  #heldMs = 0;
  #isStopped = false;

  /** @param budgetMs ms that do not count what was held */
  constructor(budgetMs: number, onOver: () => void) {
    this.#budgetMs = budgetMs;
    this.#onOver = onOver;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#arm(this.#budgetMs);
  }

  /**
   * Stops counting until the returned function is called. Holds nest: it counts again when the last one is let go.
   *
   * @returns lets this hold go; twice is harmless
   */
  hold(): () => void {
    if (this.#holds === 0) this.#heldSince = performance.now();
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#heldMs += performance.now() - this.#heldSince;
      if (this.#timer === undefined && !this.#isStopped) this.#arm(this.#leftMs);
    };
  }

  /** Stops for good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get #leftMs(): number {
    const now = performance.now();
    const heldMs = this.#heldMs + (this.#holds > 0 ? now - this.#heldSince : 0);
    return this.#budgetMs - (now - this.#startedAt - heldMs);
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        // Held time is found out here, so that a hold costs no timer of its own.
        if (this.#holds > 0) return;
        const left = this.#leftMs;
        if (left > 0) this.#arm(left);
        else this.#onOver();
      },
      Math.max(1, Math.ceil(delayMs)),
    );
  }
}
