import type { CodeRunCallNote, CodeRunFailure } from '../contract/code-runtime.js';
import { AbortError } from '../core/errors.js';
import { callBinding } from './binding-outcome.js';
import type { BindingTable } from './bindings.js';
import { CallTable } from './call-table.js';
import { DeliveryQueue } from './delivery-queue.js';
import { RunTimers } from './run-timers.js';
import { type GuestLimits, type GuestTurn, HostFrame } from './wire.js';

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
    send: (type: typeof HostFrame.deliver | typeof HostFrame.fire, payload: string) => void,
  ) {
    this.#limits = limits;
    this.#calls = new CallTable(table, limits, pauseWall);
    this.#deliveries = new DeliveryQueue(limits.maxQueuedBytes, (text) => send(HostFrame.deliver, text));
    this.#timers = new RunTimers(limits.maxTimers, (ids) => send(HostFrame.fire, JSON.stringify(ids)));
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
  accept({ calls = [], cancels = [], timers = [], clears = [] }: GuestTurn): string | undefined {
    return (
      first(calls, (call) => this.#calls.accept(call)) ??
      first(cancels, ([id, reason]) => this.#calls.cancel(id, reason)) ??
      first(timers, ([id, delayMs]) => this.#timers.arm(id, delayMs)) ??
      first(clears, (id) => this.#timers.clear(id))
    );
  }

  /**
   * Starts the calls of an accepted turn.
   *
   * @returns what is wrong with them, as text; then none has started
   */
  start({ calls = [] }: GuestTurn): string | undefined {
    const started = this.#calls.start(calls);
    if (typeof started === 'string') return started;
    for (const call of started) {
      // A binding may end the run.
      if (this.#isClosed) break;
      callBinding(call, this.#limits, (text, ok) => {
        if (this.#calls.settle(call.id, ok)) this.#deliveries.add(text, !ok);
      });
    }
    return undefined;
  }

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
    const { inFlight, notStarted } = this.#calls.notes();
    return [...inFlight, ...notStarted].sort((a, b) => a.n - b.n);
  }

  /** The run is over: aborts the open calls, drops the rest. */
  close(): void {
    this.#isClosed = true;
    this.#timers.dispose();
    this.#deliveries.close();
    this.#calls.abandon(new AbortError('ABORTED', 'The run is over'));
  }
}

/** The first thing that is wrong with a list, as text. */
function first<T>(list: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
