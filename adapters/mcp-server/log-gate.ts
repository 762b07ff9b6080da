/** So many messages of one source pass in one span of time. */
const MOST_IN_A_SPAN = 200;
const SPAN_MS = 1_000;

/** What is to be done with a log message. */
export type LogVerdict = 'pass' | 'drop' | 'drop-and-say-so';

/** Keeps a source that logs without end from burying what clients are told beside it. */
export class LogGate {
  readonly #sources = new Map<string, { since: number; passed: number; isTold: boolean }>();
  readonly #now: () => number;

  /** @param now - the time, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a message.
   *
   * @param source - whose share it takes; what a source can choose itself must not be part of it
   */
  judge(source: string): LogVerdict {
    const now = this.#now();
    let share = this.#sources.get(source);
    if (share === undefined || now - share.since >= SPAN_MS) {
      share = { since: now, passed: 0, isTold: false };
      this.#sources.set(source, share);
    }
    if (share.passed < MOST_IN_A_SPAN) {
      share.passed += 1;
      return 'pass';
    }
    if (share.isTold) return 'drop';
    share.isTold = true;
    return 'drop-and-say-so';
  }
}
