import type { LaneLimit, ScheduledEntry, Ticket } from './scheduled-entry.js';

type Stage = 'queued' | 'started' | 'settled' | 'closed';

/** An entry on its way through the scheduler. */
export class ScheduledItem implements Ticket {
  stage: Stage = 'queued';
  /** Submitted after it. */
  next: ScheduledItem | undefined;
  /** Settled after it. */
  nextReady: ScheduledItem | undefined;
  limit: LaneLimit | undefined;
  /** Whether its body runs. */
  hasBody = false;

  constructor(readonly entry: ScheduledEntry) {}

  get isQueued(): boolean {
    return this.stage === 'queued';
  }
}

/** What has settled and is not committed, in the order of settling. */
export class ReadyItems {
  #head: ScheduledItem | undefined;
  #tail: ScheduledItem | undefined;

  add(item: ScheduledItem): void {
    if (this.#tail === undefined) this.#head = item;
    else this.#tail.nextReady = item;
    this.#tail = item;
  }

  take(): ScheduledItem | undefined {
    const item = this.#head;
    if (item === undefined) return undefined;
    this.#head = item.nextReady;
    if (this.#head === undefined) this.#tail = undefined;
    return item;
  }
}
