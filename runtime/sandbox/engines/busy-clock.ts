const US_PER_MS = 1000;

/** Where a clock takes its readings from; replaced in tests. */
export interface ClockSources {
  /** Wall time, ms. */
  readonly wall: () => number;
  /** CPU time of this process, ms; dearer to ask. */
  readonly cpu: () => number;
}

/**
 * Measures for how long a guest was busy: by the wall, or by the CPU time of the process where that is less. A machine under load
 * stretches the one, the engine's own helper threads the other, and neither is the program's doing.
 *
 * @example
 * const clock = new BusyClock();
 * clock.start(500);
 * clock.isOver; // false
 */
export class BusyClock {
  readonly #sources: ClockSources;
  #wallStart = 0;
  #cpuStart = 0;
  #budgetMs = Number.POSITIVE_INFINITY;
  #hostWall = 0;
  #hostCpu = 0;

  /** @param sources of time; replaced in tests */
  constructor(sources: ClockSources = PROCESS_CLOCKS) {
    this.#sources = sources;
  }

  /** Starts to measure anew. @param budgetMs after which it is over, ms */
  start(budgetMs: number): void {
    this.#wallStart = this.#sources.wall();
    this.#cpuStart = this.#sources.cpu();
    this.#hostWall = 0;
    this.#hostCpu = 0;
    this.#budgetMs = budgetMs;
  }

  /** Does something that is not the guest's, a blocked write above all: it costs nothing. */
  excluding<T>(act: () => T): T {
    const wall = this.#sources.wall();
    const cpu = this.#sources.cpu();
    const done = act();
    this.#hostWall += this.#sources.wall() - wall;
    this.#hostCpu += this.#sources.cpu() - cpu;
    return done;
  }

  /** Busy time since the start, ms. */
  get busyMs(): number {
    return Math.max(0, Math.min(this.#wallMs, this.#sources.cpu() - this.#cpuStart - this.#hostCpu));
  }

  /** Whether the budget is used up; asked often, so the cheap clock comes first. */
  get isOver(): boolean {
    return this.#wallMs > this.#budgetMs && this.busyMs > this.#budgetMs;
  }

  get #wallMs(): number {
    return this.#sources.wall() - this.#wallStart - this.#hostWall;
  }
}

const PROCESS_CLOCKS: ClockSources = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / US_PER_MS;
  },
};
