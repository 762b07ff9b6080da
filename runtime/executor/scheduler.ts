import { Lanes } from './lanes.js';
import type { ScheduledEntry, Ticket } from './scheduled-entry.js';
import { ReadyItems, ScheduledItem } from './scheduled-item.js';
import type { SchedulerOptions } from './scheduler-options.js';
import { Turns } from './turns.js';

/**
 * A rolling pool over an open stream of entries.
 *
 * Starts are strictly in submission order, one at a time. Parallel entries overlap up to the cap; an exclusive one waits
 * until everything before it has committed, runs alone, and holds the rest back until its own commit. A commit that can
 * be made is made before the next start. An entry whose kind is at its own cap holds those behind it.
 *
 * There is no loop that sleeps: every change looks at the queue itself, so no wake-up can be lost.
 *
 * @example
 * const scheduler = new Scheduler({ maxParallel: 10, commitOrder: 'submission' });
 * for (const entry of entries) scheduler.submit(entry);
 * await scheduler.idle();
 */
export class Scheduler {
  readonly #maxParallel: number;
  readonly #inOrder: boolean;
  readonly #mayStart: (() => boolean) | undefined;
  readonly #lanes = new Lanes();
  /** First that has not started. */
  #head: ScheduledItem | undefined;
  #tail: ScheduledItem | undefined;
  /** First that has not committed, in submission order. */
  #cursor: ScheduledItem | undefined;
  readonly #ready = new ReadyItems();
  #queued = 0;
  /** Started and not closed. */
  #open = 0;
  #bodies = 0;
  #isStarting = false;
  #isExclusive = false;
  #isCommitting = false;
  #isPumping = false;
  #isStopped = false;
  readonly #turns = new Turns(() => this.#pump());
  #failure: { readonly error: unknown } | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#maxParallel = options.maxParallel;
    this.#inOrder = options.commitOrder === 'submission';
    this.#mayStart = options.mayStart;
  }

  /** Entries that wait for their start. */
  get queued(): number {
    return this.#queued;
  }

  /** Entries that have started and not yet committed. */
  get open(): number {
    return this.#open;
  }

  /** Bodies that run now. */
  get bodies(): number {
    return this.#bodies;
  }

  /**
   * Appends an entry to the stream. It may start before this returns.
   *
   * @returns `undefined` after {@link stop} or a failure: the entry stays its owner's.
   */
  submit(entry: ScheduledEntry): Ticket | undefined {
    if (this.#isStopped) return undefined;
    const item = new ScheduledItem(entry);
    if (this.#tail !== undefined) this.#tail.next = item;
    this.#tail = item;
    this.#head ??= item;
    if (this.#inOrder) this.#cursor ??= item;
    this.#queued += 1;
    this.#pump();
    return item;
  }

  /**
   * Takes an entry back that has not started.
   *
   * @returns `false` when it has started or is gone; then nothing changes.
   */
  withdraw(ticket: Ticket): boolean {
    if (!(ticket instanceof ScheduledItem) || ticket.stage !== 'queued') return false;
    ticket.stage = 'closed';
    this.#queued -= 1;
    this.#pump();
    this.#settleWaiters();
    return true;
  }

  /** Looks at the queue again: a `mayStart` condition has changed. */
  wake(): void {
    this.#pump();
  }

  /**
   * Lets nothing more start. What has started goes on.
   *
   * @returns the entries that never started, in submission order; they are their owner's again.
   */
  stop(): ScheduledEntry[] {
    this.#isStopped = true;
    const rest: ScheduledEntry[] = [];
    for (let item = this.#head; item !== undefined; item = item.next) {
      if (item.stage !== 'queued') continue;
      item.stage = 'closed';
      rest.push(item.entry);
    }
    this.#head = undefined;
    this.#queued = 0;
    this.#settleWaiters();
    return rest;
  }

  /**
   * Resolves once everything submitted has committed, or, after {@link stop}, everything started.
   *
   * @throws the first failure of an entry's part. It stops all starts; bodies that run are drained and committed first,
   * failures on the way are dropped, and what never started stays as it is.
   */
  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#waiters.push(resolve));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #isIdle(): boolean {
    return this.#open === 0 && (this.#queued === 0 || this.#isStopped);
  }

  #settleWaiters(): void {
    if (this.#waiters.length === 0 || !this.#isIdle()) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isStopped = true;
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (let item = this.#nextToStart(); item !== undefined; item = this.#nextToStart()) {
        this.#head = item.next;
        this.#queued -= 1;
        this.#open += 1;
        this.#isStarting = true;
        item.stage = 'started';
        this.#begin(item);
      }
    } catch (error) {
      this.#fail(error);
      this.#settleWaiters();
    } finally {
      this.#isPumping = false;
    }
  }

  /** The head, if it may start now. */
  #nextToStart(): ScheduledItem | undefined {
    if (this.#isStopped || this.#isStarting || this.#isExclusive) return undefined;
    while (this.#head?.stage === 'closed') this.#head = this.#head.next;
    const item = this.#head;
    if (item === undefined || this.#isCommitting || this.#bodies >= this.#maxParallel) return undefined;
    if (this.#mayStart !== undefined && !this.#mayStart()) return undefined;
    if (item.entry.mode() !== 'parallel') {
      if (this.#open > 0) return undefined;
      this.#isExclusive = true;
    }
    item.limit = item.entry.limit?.();
    // An exclusive entry stands alone, so no cap can hold it.
    if (!this.#isExclusive && this.#lanes.isFull(item.limit)) return undefined;
    if (this.#turns.take()) return item;
    this.#isExclusive = false;
    return undefined;
  }

  #begin(item: ScheduledItem): void {
    let started: boolean | Promise<boolean>;
    try {
      started = item.entry.start();
    } catch (error) {
      this.#broke(item, error);
      return;
    }
    if (typeof started === 'boolean') this.#started(item, started);
    else {
      const broke = (error: unknown) => this.#broke(item, error);
      started.then((hasBody) => this.#started(item, hasBody), broke);
    }
  }

  #started(item: ScheduledItem, hasBody: boolean): void {
    this.#isStarting = false;
    // Nothing new begins after a failure: the entry stays without an outcome.
    if (this.#failure !== undefined) this.#close(item);
    else if (hasBody) this.#runBody(item);
    else this.#settled(item);
  }

  #runBody(item: ScheduledItem): void {
    this.#bodies += 1;
    this.#lanes.enter(item.limit);
    item.hasBody = true;
    let body: Promise<void> | undefined;
    try {
      body = item.entry.run(() => this.#settled(item));
    } catch (error) {
      this.#broke(item, error);
      return;
    }
    this.#pump();
    if (body === undefined) return;
    const broke = (error: unknown) => this.#broke(item, error);
    body.then(() => this.#settled(item), broke);
  }

  #settled(item: ScheduledItem): void {
    this.#leaveBody(item);
    item.stage = 'settled';
    if (!this.#inOrder) this.#ready.add(item);
    if (!this.#isCommitting) this.#commitReady();
  }

  #broke(item: ScheduledItem, error: unknown): void {
    this.#isStarting = false;
    this.#fail(error);
    this.#leaveBody(item);
    this.#close(item);
  }

  #leaveBody(item: ScheduledItem): void {
    if (!item.hasBody) return;
    item.hasBody = false;
    this.#bodies -= 1;
    this.#lanes.leave(item.limit);
  }

  #commitReady(): void {
    this.#isCommitting = true;
    for (let item = this.#nextReady(); item !== undefined; item = this.#nextReady()) {
      if (!this.#commit(item)) return;
    }
    this.#isCommitting = false;
    this.#pump();
    this.#settleWaiters();
  }

  /** @returns `false` when it has to be waited for: the rest follows then */
  #commit(item: ScheduledItem): boolean {
    try {
      const committed = item.entry.commit();
      if (committed !== undefined) {
        const failed = (error: unknown) => this.#resume(item, { error });
        committed.then(() => this.#resume(item), failed);
        return false;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#committed(item);
    return true;
  }

  #resume(item: ScheduledItem, failure?: { readonly error: unknown }): void {
    if (failure !== undefined) this.#fail(failure.error);
    this.#committed(item);
    this.#commitReady();
  }

  #committed(item: ScheduledItem): void {
    item.stage = 'closed';
    this.#open -= 1;
    // An exclusive entry is alone, so its own commit ends the barrier.
    this.#isExclusive = false;
  }

  #nextReady(): ScheduledItem | undefined {
    if (this.#inOrder) {
      while (this.#cursor?.stage === 'closed') this.#cursor = this.#cursor.next;
      return this.#cursor?.stage === 'settled' ? this.#cursor : undefined;
    }
    return this.#ready.take();
  }

  /** Ends an entry without a commit; those behind it may be waiting for theirs. */
  #close(item: ScheduledItem): void {
    this.#committed(item);
    if (!this.#isCommitting) this.#commitReady();
  }
}
