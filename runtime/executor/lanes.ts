import type { LaneLimit } from './scheduled-entry.js';

/** Counts the bodies of each kind that has a cap of its own. No limit is a lane without a count. */
export class Lanes {
  readonly #counts = new Map<unknown, number>();

  isFull(limit: LaneLimit | undefined): boolean {
    return limit !== undefined && (this.#counts.get(limit.key) ?? 0) >= limit.max;
  }

  enter(limit: LaneLimit | undefined): void {
    if (limit !== undefined) this.#counts.set(limit.key, (this.#counts.get(limit.key) ?? 0) + 1);
  }

  leave(limit: LaneLimit | undefined): void {
    if (limit !== undefined) this.#counts.set(limit.key, (this.#counts.get(limit.key) ?? 1) - 1);
  }
}
