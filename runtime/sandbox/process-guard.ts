import type { ProcessReadings } from './process-readings.js';

/** A frame that the process works on. */
export interface WorkedFrame {
  /** When the process came to it at the earliest, ms of `performance.now()`. */
  readonly since: number;
  /** What the guest may still compute, ms. */
  readonly budgetMs: number;
}

/** What a guard watches and whom it tells. */
export interface GuardSetup {
  readonly readings: ProcessReadings;
  /** What a frame may take beyond its budget, ms. */
  readonly graceMs: number;
  /** Resident size above which the process must end, bytes. */
  readonly maxRssBytes: number;
  /** The frame that the process works on, if any. */
  readonly head: () => WorkedFrame | undefined;
  /** Told the resident size once the work is done, bytes; 0 where the system does not tell. */
  readonly onRest: (rssBytes: number) => void;
  readonly onOverrun: () => void;
  readonly onOverMemory: () => void;
}

/** Time between two looks, ms. */
const TICK_MS = 10;

/** Looks at an overdue frame before it counts, each with a poll of the input in between. */
const STRIKES = 3;

/**
 * Watches one process while it works: ends it when it computes past its budget, or grows past its memory.
 *
 * An overdue answer may just not have been read yet by a host that was blocked itself, and a loaded machine makes a process
 * late that has hardly computed: both are told apart before anything is ended.
 */
export class ProcessGuard {
  readonly #setup: GuardSetup;
  #timer: NodeJS.Timeout | undefined;
  #watched: WorkedFrame | undefined;
  #cpuAtStart: number | undefined;
  #strikes = 0;
  #hasPolled = true;
  #lastRss = 0;

  constructor(setup: GuardSetup) {
    this.#setup = setup;
  }

  /** The last resident size, bytes. */
  get lastRssBytes(): number {
    return this.#lastRss;
  }

  /** The process has been given work; twice is harmless. Watching ends by itself when the work is done. */
  watch(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const { readings, head, maxRssBytes, onOverMemory, onOverrun, onRest } = this.#setup;
    const frame = head();
    const rss = readings.rssBytes();
    if (rss !== undefined) this.#lastRss = rss;
    if (frame === undefined) {
      this.#watched = undefined;
      this.stop();
      onRest(this.#lastRss);
    } else if (rss !== undefined && rss > maxRssBytes) onOverMemory();
    else if (frame !== this.#watched) {
      this.#watched = frame;
      this.#cpuAtStart = readings.cpuMs();
      this.#strikes = 0;
    } else if (this.#isOverdue(frame) && this.#hasPolled) {
      this.#strikes += 1;
      if (this.#strikes >= STRIKES) onOverrun();
      this.#hasPolled = false;
      setImmediate(() => {
        this.#hasPolled = true;
      });
    }
  }

  #isOverdue({ since, budgetMs }: WorkedFrame): boolean {
    if (performance.now() - since <= budgetMs + this.#setup.graceMs) return false;
    const cpu = this.#setup.readings.cpuMs();
    if (cpu === undefined || this.#cpuAtStart === undefined) return true;
    // The first reading was taken up to two looks after the start.
    return cpu - this.#cpuAtStart >= budgetMs - 2 * TICK_MS;
  }
}
