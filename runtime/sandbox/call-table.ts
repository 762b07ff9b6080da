import type {
  CodeBindingCall,
  CodeRunCallNote,
  CodeRunFailure,
  SourcePosition,
} from '../contract/code-runtime.js';
import { AbortError } from '../core/errors.js';
import type { BindingTable, BoundMember } from './bindings.js';
import type { CallExtra, GuestLimits, WireCall } from './wire.js';

const NO_EXTRA: CallExtra = {};

/** A call of the guest, from its arrival to the end of the run. */
class Entry {
  state: 'not-started' | 'open' | 'cancelled' | 'dropped' | 'completed' = 'not-started';
  ok = false;
  call: BindingCall | undefined = undefined;

  constructor(
    readonly n: number,
    readonly member: BoundMember,
    readonly position: SourcePosition | undefined,
  ) {}
}

/** What a binding is told of its call; the signal is made when it is first asked for, since most never ask. */
class BindingCall implements CodeBindingCall {
  readonly n: number;
  declare readonly position?: SourcePosition;
  declare readonly timeoutMs?: number;
  readonly isCancellable: boolean;
  readonly pauseWall: () => () => void;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(
    n: number,
    position: SourcePosition | undefined,
    { timeoutMs, signal }: Pick<CallExtra, 'timeoutMs' | 'signal'>,
    pauseWall: () => () => void,
  ) {
    this.n = n;
    if (position !== undefined) this.position = position;
    if (timeoutMs !== undefined) this.timeoutMs = timeoutMs;
    this.isCancellable = signal === 1 || timeoutMs !== undefined;
    this.pauseWall = pauseWall;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** A call that goes to its binding now. */
export interface OpenCall {
  readonly n: number;
  readonly member: BoundMember;
  readonly call: CodeBindingCall;
}

/**
 * The calls of one run: which came, which are open, how each ended.
 *
 * @example
 * const calls = new CallTable(table, limits, () => () => {});
 * const problem = calls.accept([1, 0, 0, { path: 'a' }]);
 */
export class CallTable {
  readonly #table: BindingTable;
  readonly #limits: GuestLimits;
  readonly #pauseWall: () => () => void;
  readonly #entries: Entry[] = [];
  #waited = 0;

  constructor(table: BindingTable, limits: GuestLimits, pauseWall: () => () => void) {
    this.#table = table;
    this.#limits = limits;
    this.#pauseWall = pauseWall;
  }

  /** Calls that came. */
  get count(): number {
    return this.#entries.length;
  }

  /** Calls that the guest waits for. */
  get waitedFor(): number {
    return this.#waited;
  }

  /**
   * Judges one call and files it as not started.
   *
   * @returns what is wrong with it, as text
   */
  accept(call: WireCall): string | undefined {
    // By index: taking an array apart asks its iterator, and one of these comes with every call.
    const id = call[0];
    const space = call[1];
    const args = call[3];
    const extra = call[4];
    if (id !== this.#entries.length + 1) return `call ${id} after call ${this.#entries.length}`;
    const member = this.#table.members[space]?.[call[2]];
    if (member === undefined) return `call ${id} of a function that was not declared`;
    if (id > this.#limits.maxCalls) return `more than ${this.#limits.maxCalls} calls`;
    const isList = this.#table.wire[space]!.argumentStyle === 'list';
    if (isList !== Array.isArray(args) || typeof args !== 'object' || args === null) {
      return `call ${id} with arguments of the wrong kind`;
    }
    this.#entries.push(new Entry(id, member, extra === undefined ? undefined : positionOf(extra)));
    return undefined;
  }

  /**
   * The guest gave a call up; one that has not started yet never will.
   *
   * @returns what is wrong with that, as text
   */
  cancel(id: number, reason: string): string | undefined {
    const entry = this.#entries[id - 1];
    if (entry === undefined) return `no call ${id} to cancel`;
    if (entry.state === 'not-started') entry.state = 'dropped';
    if (entry.state !== 'open') return undefined;
    entry.state = 'cancelled';
    this.#waited -= 1;
    entry.call?.abort(new AbortError('ABORTED', reason));
    return undefined;
  }

  /**
   * Opens the accepted calls of one turn, all or none.
   *
   * @returns what is wrong with them, as text
   */
  start(calls: readonly WireCall[]): string | undefined {
    let wanted = 0;
    for (let index = 0; index < calls.length; index += 1) {
      if (this.#entries[calls[index]![0] - 1]!.state === 'not-started') wanted += 1;
    }
    if (this.#waited + wanted > this.#limits.maxPendingCalls) {
      return `more than ${this.#limits.maxPendingCalls} calls in flight`;
    }
    this.#waited += wanted;
    for (let index = 0; index < calls.length; index += 1) {
      const call = calls[index]!;
      const entry = this.#entries[call[0] - 1]!;
      if (entry.state !== 'not-started') continue;
      entry.state = 'open';
      entry.call = new BindingCall(entry.n, entry.position, call[4] ?? NO_EXTRA, this.#pauseWall);
    }
    return undefined;
  }

  /** What goes to the binding of a call, or `undefined` when the guest has given it up. */
  opened(id: number): OpenCall | undefined {
    const entry = this.#entries[id - 1]!;
    return entry.state === 'open' ? (entry as OpenCall) : undefined;
  }

  /**
   * A binding has settled.
   *
   * @returns whether the guest still waits for it
   */
  settle(id: number, ok: boolean): boolean {
    const entry = this.#entries[id - 1]!;
    const isWaitedFor = entry.state === 'open';
    if (isWaitedFor) this.#waited -= 1;
    entry.state = 'completed';
    entry.ok = ok;
    entry.call = undefined;
    return isWaitedFor;
  }

  /** Aborts what is open, for the run is over. */
  abandon(reason: unknown): void {
    for (const { call } of this.#entries) call?.abort(reason);
  }

  /** The calls by how far they got. */
  notes(): NonNullable<CodeRunFailure['calls']> {
    const notes = {
      completed: [] as CodeRunCallNote[],
      inFlight: [] as CodeRunCallNote[],
      notStarted: [] as CodeRunCallNote[],
    };
    for (const entry of this.#entries) {
      if (entry.state === 'completed') notes.completed.push({ ...noteOf(entry), ok: entry.ok });
      else if (entry.state === 'open' || entry.state === 'cancelled') notes.inFlight.push(noteOf(entry));
      else notes.notStarted.push(noteOf(entry));
    }
    return notes;
  }

  /** The calls that have not settled, in the order in which they came. */
  unsettled(): readonly CodeRunCallNote[] {
    return this.#entries.filter(({ state }) => state !== 'completed').map(noteOf);
  }
}

function noteOf({ n, member, position }: Entry): CodeRunCallNote {
  return position === undefined ? { n, name: member.name } : { n, name: member.name, position };
}

const PLACE = /^(\d{1,9}):(\d{1,9})/;

function positionOf({ position, at }: CallExtra): SourcePosition | undefined {
  if (position !== undefined) return { line: position[0], column: position[1] };
  const place = at === undefined ? null : PLACE.exec(at);
  const line = Number(place?.[1]);
  const column = Number(place?.[2]);
  return line >= 1 && column >= 1 ? { line, column } : undefined;
}
