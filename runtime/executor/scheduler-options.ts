import type { CommitOrder } from './scheduled-entry.js';

/** What a scheduler is told once. */
export interface SchedulerOptions {
  /** At most so many bodies run at once; a positive integer. */
  readonly maxParallel: number;
  readonly commitOrder: CommitOrder;
  /** A further condition of every start; call {@link Scheduler.wake} when it may have become true. */
  readonly mayStart?: (() => boolean) | undefined;
}
