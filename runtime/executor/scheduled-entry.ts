/** `submission`: commits follow the order of submission. `settled`: they follow the order in which bodies settle. */
export type CommitOrder = 'submission' | 'settled';

/** A cap shared by all entries of one key: at most `max` of their bodies run at once. */
export interface LaneLimit {
  readonly key: unknown;
  readonly max: number;
}

/**
 * One piece of work in four parts. The scheduler knows nothing else of it.
 *
 * A part that throws or rejects is a failure of the scheduler's own work: `idle` of the scheduler surfaces it.
 */
export interface ScheduledEntry {
  /** Asked anew each time the entry stands at the head and everything else would let it start. */
  mode(): 'parallel' | 'exclusive';
  /** Asked like `mode`: the cap of the entry's kind, if it has one. */
  limit?(): LaneLimit | undefined;
  /** The ordered part: no other entry starts before it has settled. `true` = there is a body to run. */
  start(): boolean | Promise<boolean>;
  /**
   * The body: the only part that overlaps with other bodies. It has settled with the promise, or, where there is none, when it
   * calls `settled`, which it then does exactly once.
   */
  run(settled: () => void): Promise<void> | undefined;
  /** The closing part; never two at once. */
  commit(): void | Promise<void>;
}

/** A submitted entry, as far as its owner needs it. */
export interface Ticket {
  /** Whether the entry has neither started nor been taken back. */
  readonly isQueued: boolean;
}
