import { errorMessage } from '../core/error-text.js';
import { rareGlobals } from './guest/prelude.js';
import type { GuestFailure } from './guest/run-types.js';
import type { GuestPool } from './guest-pool.js';
import { columnInUnits, hasWideCharacters } from './loose-columns.js';
import type {
  Guest,
  GuestEngine,
  GuestEntry,
  GuestOutcome,
  GuestSetup,
  GuestStop,
  PeerPort,
} from './peer-types.js';
import { prepareProgram } from './program/prepare.js';
import type { ReadyRun } from './program/prepared-run.js';
import { type FailureSource, guestFailure, stopFailure } from './run-failure.js';
import { DEADLOCK } from './shared-failures.js';
import {
  type CodeRunFailure,
  type EndPayload,
  HostFrame,
  type HostFrameType,
  PeerFrame,
  type PeerFrameType,
  type SourcePosition,
  type StartPayload,
} from './wire.js';

const MENTIONS = new RegExp(`\\b(?:${rareGlobals.join('|')})\\b`, 'g');

/** One program inside the sandbox: prepares it, gives it a guest, enters the guest frame by frame. */
export class PeerRun {
  readonly #id: number;
  readonly #engine: GuestEngine;
  readonly #pool: GuestPool;
  readonly #port: PeerPort;
  readonly #onEnd: (spent: Guest | undefined) => void;
  #start: StartPayload | undefined;
  #prepared: ReadyRun | undefined;
  #guest: Guest | undefined;
  #making: Promise<void> | undefined;
  #ended = false;

  /** @param onEnd the run is over; throws its guest away */
  constructor(
    id: number,
    engine: GuestEngine,
    pool: GuestPool,
    port: PeerPort,
    onEnd: (spent: Guest | undefined) => void,
  ) {
    this.#id = id;
    this.#engine = engine;
    this.#pool = pool;
    this.#port = port;
    this.#onEnd = onEnd;
  }

  /** A guest is being made for this run; its frame is answered when that is done. */
  get making(): Promise<void> | undefined {
    return this.#making;
  }

  start(payload: string): void {
    this.#guarded(() => {
      const start = JSON.parse(payload) as StartPayload;
      this.#start = start;
      const bytes = Buffer.byteLength(start.program);
      const { maxSourceBytes } = start.limits;
      if (bytes > maxSourceBytes) {
        const message = `The program has ${bytes} bytes of text: at most ${maxSourceBytes} are possible`;
        return this.#end({ kind: 'syntax', message, limit: maxSourceBytes, used: bytes });
      }
      const prepared = prepareProgram(start.program, parameters(start), start.namespaces);
      if (!prepared.ok) return this.#end(prepared.failure);
      this.#prepared = prepared;
      if (start.hold) this.#send(PeerFrame.prepared, JSON.stringify(prepared.prepared));
      else this.#go();
    });
  }

  receive(type: HostFrameType, payload: string): void {
    this.#guarded(() => {
      switch (type) {
        case HostFrame.go:
          return this.#guest === undefined && this.#making === undefined ? this.#go() : this.#misuse();
        case HostFrame.deliver:
          return this.#guest === undefined
            ? this.#misuse()
            : this.#step(this.#guest, [{ kind: 'deliver', text: payload }]);
        case HostFrame.fire: {
          if (this.#guest === undefined) return this.#misuse();
          const timers = JSON.parse(payload) as readonly number[];
          return this.#step(
            this.#guest,
            // One entry each, so that a timer's jobs run before the next timer does.
            timers.map((timer): GuestEntry => ({ kind: 'fire', timer })),
          );
        }
        default:
          return this.#misuse();
      }
    });
  }

  #go(): void {
    const { limits } = this.#start as StartPayload;
    const made = this.#pool.take(limits.memoryMb);
    if (!(made instanceof Promise)) {
      this.#begin(made);
      return;
    }
    this.#making = made.then(
      (guest) => {
        this.#making = undefined;
        if (this.#ended) guest.dispose();
        else this.#guarded(() => this.#begin(guest));
      },
      (error: unknown) => {
        this.#making = undefined;
        if (!this.#ended) this.#end({ kind: 'sandbox-unavailable', message: errorMessage(error) });
      },
    );
  }

  #begin(guest: Guest): void {
    this.#guest = guest;
    const { program, namespaces, limits } = this.#start as StartPayload;
    const { code, columnOffset, implicit, uncalledFunction } = this.#prepared as ReadyRun;
    const shift = this.#shift();
    guest.setup(
      {
        namespaces,
        limits,
        implicit,
        mentions: [...new Set(program.match(MENTIONS) ?? [])],
        ...(uncalledFunction === undefined ? {} : { uncalledFunction }),
        ...(shift === undefined ? {} : { shift }),
      },
      {
        log: (entries) => this.#send(PeerFrame.log, entries),
        locate: (line, column) => {
          const position = this.#toSource(line, column);
          return position === undefined ? '' : `${position.line},${position.column}`;
        },
      },
    );
    this.#step(guest, [{ kind: 'start', code, columnOffset }]);
  }

  /** How the engine's positions become the model's, where that is so simple that the guest can do it for its calls. */
  #shift(): GuestSetup['shift'] {
    const { code, columnOffset, linear } = this.#prepared as ReadyRun;
    if (linear === undefined) return undefined;
    const { lineShift: line, firstLineColumnShift: first } = linear;
    if (this.#engine.countsFromColumnOffset) return { line, firstLineColumn: first };
    return hasWideCharacters(code) ? undefined : { line, firstLineColumn: first + columnOffset };
  }

  #step(guest: Guest, entries: readonly GuestEntry[]): void {
    const { computeMs } = (this.#start as StartPayload).limits;
    let outcome: GuestOutcome = { kind: 'idle' };
    for (const entry of entries) {
      const rest = computeMs - guest.computeMs;
      outcome = rest > 0 ? guest.enter(entry, rest) : { kind: 'timeout' };
      if (outcome.kind !== 'idle') break;
    }
    if (outcome.kind === 'idle') outcome = guest.collect(Math.max(1, computeMs - guest.computeMs));
    if (outcome.kind === 'turn') this.#turn(guest, outcome.text);
    else this.#stopped(guest, outcome);
  }

  #turn(guest: Guest, text: string): void {
    const state = text[0];
    if (state === 'W' || state === 'D') {
      const done = state === 'D';
      const heap = done ? guest.heapBytes : 0;
      this.#send(PeerFrame.turn, `${guest.computeMs} ${heap}\n${text.slice(1)}`);
      if (done) this.dispose();
    } else if (state === 'S') this.#end(DEADLOCK);
    else this.#end(guestFailure(JSON.parse(text.slice(1)) as GuestFailure, this.#source()));
  }

  #stopped(guest: Guest, stop: GuestStop): void {
    guest.flush();
    const { limits } = this.#start as StartPayload;
    this.#end(stopFailure(stop, limits, guest.computeMs, this.#source()));
  }

  #source(): FailureSource {
    const { source } = this.#prepared as ReadyRun;
    const { namespaces } = this.#start as StartPayload;
    return { source, namespaces, toSource: (line, column) => this.#toSource(line, column) };
  }

  #toSource(line: number, column: number): SourcePosition | undefined {
    const prepared = this.#prepared as ReadyRun;
    if (this.#engine.countsFromColumnOffset) return prepared.toSource(line, column);
    const unit = columnInUnits(prepared.code, line, column);
    return prepared.toSource(line, line === 1 ? unit + prepared.columnOffset : unit);
  }

  #misuse(): void {
    this.#end({ kind: 'protocol', message: 'The host sent a frame that this run cannot take now' });
  }

  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!this.#ended) this.#end({ kind: 'sandbox-died', message: errorMessage(error) });
    }
  }

  #end(failure: CodeRunFailure): void {
    const guest = this.#guest;
    const payload: EndPayload = {
      failure,
      computeMs: guest?.computeMs ?? 0,
      heapBytes: guest?.heapBytes ?? 0,
    };
    this.#send(PeerFrame.end, JSON.stringify(payload));
    this.dispose();
  }

  #send(type: PeerFrameType, payload: string): void {
    this.#port.send(type, this.#id, payload);
  }

  /** Gives the guest away; nothing more is sent, and nothing enters it any more. */
  dispose(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(this.#guest);
  }
}

/** The names the program is given, in the order in which the guest passes them. */
function parameters({ namespaces }: StartPayload): string[] {
  return [
    ...namespaces.map(({ global }) => global),
    ...namespaces.flatMap(({ errorClass }) => errorClass?.name ?? []),
  ];
}
