import type {
  CodeBindingCall,
  CodeRunCallNote,
  CodeRunFailure,
  SourcePosition,
} from '../contract/code-runtime.js';
import { AbortError } from '../core/errors.js';
import type { JsonValue } from '../core/json-value.js';
import type { BindingTable, BoundMember } from './bindings.js';
import type { CallExtra, GuestLimits, WireCall } from './wire.js';

const NO_EXTRA: CallExtra = {};

/** A call of the guest, from its arrival to the end of the run. */
interface Entry {
  readonly n: number;
  readonly name: string;
  readonly position: SourcePosition | undefined;
  state: 'not-started' | 'open' | 'cancelled' | 'dropped' | 'completed';
  ok: boolean;
  call: BindingCall | undefined;
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

/** A call that may go to its binding now. */
export interface StartedCall {
  readonly id: number;
  readonly member: BoundMember;
  readonly args: JsonValue;
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
  accept([id, space, index, args, extra]: WireCall): string | undefined {
    if (id !== this.#entries.length + 1) return `call ${id} after call ${this.#entries.length}`;
    const member = this.#table.members[space]?.[index];
    if (member === undefined) return `call ${id} of a function that was not declared`;
    if (id > this.#limits.maxCalls) return `more than ${this.#limits.maxCalls} calls`;
    const isList = this.#table.wire[space]!.argumentStyle === 'list';
    if (isList !== Array.isArray(args) || typeof args !== 'object' || args === null) {
      return `call ${id} with arguments of the wrong kind`;
    }
    const position = extra === undefined ? undefined : positionOf(extra);
    this.#entries.push({
      n: id,
      name: member.name,
      position,
      state: 'not-started',
      ok: false,
      call: undefined,
    });
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
   * @returns what goes to the bindings, in order, or what is wrong with them, as text
   */
  start(calls: readonly WireCall[]): readonly StartedCall[] | string {
    const wanted = calls.filter(([id]) => this.#entries[id - 1]!.state === 'not-started');
    if (this.#waited + wanted.length > this.#limits.maxPendingCalls) {
      return `more than ${this.#limits.maxPendingCalls} calls in flight`;
    }
    this.#waited += wanted.length;
    return wanted.map(([id, space, index, args, extra]) => {
      const entry = this.#entries[id - 1]!;
      entry.state = 'open';
      const call = new BindingCall(id, entry.position, extra ?? NO_EXTRA, this.#pauseWall);
      entry.call = call;
      return { id, member: this.#table.members[space]![index]!, args: args as JsonValue, call };
    });
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
      const { n, name, ok, position, state } = entry;
      const place = position === undefined ? {} : { position };
      if (state === 'completed') notes.completed.push({ n, name, ok, ...place });
      else if (state === 'open' || state === 'cancelled') notes.inFlight.push({ n, name, ...place });
      else notes.notStarted.push({ n, name, ...place });
    }
    return notes;
  }
}

const PLACE = /^(\d{1,9}):(\d{1,9})/;

function positionOf({ position, at }: CallExtra): SourcePosition | undefined {
  if (position !== undefined) return { line: position[0], column: position[1] };
  const place = at === undefined ? null : PLACE.exec(at);
  const line = Number(place?.[1]);
  const column = Number(place?.[2]);
  return line >= 1 && column >= 1 ? { line, column } : undefined;
}
