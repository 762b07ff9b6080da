/** The longest delay of a timer, ms: nothing is to happen when it ends. */
const FOREVER_MS = 2_147_483_647;

/**
 * Keeps the host process alive while something is awaited whose own handles do not: a sandbox must not, a run must.
 *
 * @example
 * await new KeepAlive().during(run());
 */
export class KeepAlive {
  #holders = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Awaits work; the process stays for that long. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#holders += 1;
    this.#timer ??= setInterval(() => {}, FOREVER_MS);
    try {
      return await work;
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }
}
