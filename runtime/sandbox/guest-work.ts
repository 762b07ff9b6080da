import type { CodeRunCallNote, CodeRunFailure } from '../contract/code-runtime.js';
import { AbortError } from '../core/errors.js';
import type { JsonValue } from '../core/json-value.js';
import { callBinding, type OnSettled } from './binding-outcome.js';
import type { BindingTable } from './bindings.js';
import { CallTable } from './call-table.js';
import { DeliveryQueue } from './delivery-queue.js';
import { RunTimers } from './run-timers.js';
import { type GuestLimits, type GuestTurn, HostFrame } from './wire.js';

const NONE: readonly never[] = [];

/** What a guest has asked of the host and waits for: its calls, what they brought, its timers. */
export class GuestWork {
  readonly #limits: GuestLimits;
  readonly #calls: CallTable;
  readonly #deliveries: DeliveryQueue;
  readonly #timers: RunTimers;
  #isClosed = false;

  /**
   * @param pauseWall stops the wall budget until the returned function is called
   * @param send sends one frame of the run
   */
  constructor(
    table: BindingTable,
    limits: GuestLimits,
    pauseWall: () => () => void,
    send: (type: typeof HostFrame.deliver | typeof HostFrame.fire, payload: string, bytes: number) => void,
  ) {
    this.#limits = limits;
    this.#calls = new CallTable(table, limits, pauseWall);
    this.#deliveries = new DeliveryQueue(limits.maxQueuedBytes, (text, bytes) =>
      send(HostFrame.deliver, text, bytes),
    );
    this.#timers = new RunTimers(limits.maxTimers, (ids) => {
      const text = JSON.stringify(ids);
      send(HostFrame.fire, text, text.length);
    });
  }

  /** Calls that came. */
  get callCount(): number {
    return this.#calls.count;
  }

  /** Whether nothing is left that could wake the guest, answers under way apart. */
  get isIdle(): boolean {
    return this.#deliveries.isEmpty && this.#calls.waitedFor === 0 && this.#timers.size === 0;
  }

  /**
   * Judges what a turn asks for; everything is judged before anything acts.
   *
   * @returns what is wrong with it, as text
   */
  accept({ calls, cancels, timers, clears }: GuestTurn): string | undefined {
    for (const call of calls ?? NONE) {
      const problem = this.#calls.accept(call);
      if (problem !== undefined) return problem;
    }
    for (const [id, reason] of cancels ?? NONE) {
      const problem = this.#calls.cancel(id, reason);
      if (problem !== undefined) return problem;
    }
    for (const [id, delayMs] of timers ?? NONE) {
      const problem = this.#timers.arm(id, delayMs);
      if (problem !== undefined) return problem;
    }
    for (const id of clears ?? NONE) {
      const problem = this.#timers.clear(id);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /**
   * Starts the calls of an accepted turn.
   *
   * @returns what is wrong with them, as text; then none has started
   */
  start({ calls }: GuestTurn): string | undefined {
    if (calls === undefined) return undefined;
    const problem = this.#calls.start(calls);
    if (problem !== undefined) return problem;
    for (const call of calls) {
      // A binding may end the run.
      if (this.#isClosed) break;
      const opened = this.#calls.opened(call[0]);
      if (opened !== undefined) callBinding(opened, call[3] as JsonValue, this.#limits, this.#settle);
    }
    return undefined;
  }

  readonly #settle: OnSettled = (id, outcome) => {
    if (this.#calls.settle(id, outcome.ok)) this.#deliveries.add(outcome);
  };

  /** The guest has answered the oldest deliveries. */
  delivered(): void {
    this.#deliveries.answered();
  }

  /** The calls by how far they got. */
  notes(): NonNullable<CodeRunFailure['calls']> {
    return this.#calls.notes();
  }

  /** The calls that have not settled, in the order in which they came. */
  unsettled(): readonly CodeRunCallNote[] {
    return this.#calls.unsettled();
  }

  /** The run is over: aborts the open calls, drops the rest. */
  close(): void {
    this.#isClosed = true;
    this.#timers.dispose();
    this.#deliveries.close();
    this.#calls.abandon(new AbortError('ABORTED', 'The run is over'));
  }
}
