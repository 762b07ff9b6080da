import type {
  CodeRunFailure,
  CodeRunRequest,
  CodeRunResult,
  PreparedProgram,
} from '../contract/code-runtime.js';
import type { JsonValue } from '../core/json-value.js';
import type { BindingTable } from './bindings.js';
import { payloadBytes, payloadText } from './codec.js';
import { GuestWork } from './guest-work.js';
import { abortFailure, protocolFailure, withCalls } from './host-failures.js';
import { OutputLedger } from './ledger.js';
import { logBeginning } from './log-beginning.js';
import type { ResolvedSandboxOptions } from './options.js';
import type { LineListener, PeerLine, SandboxDeath } from './peer-line.js';
import { parseEnd, parseLog, parsePrepared } from './peer-messages.js';
import { composeResult, overflowFailure, type RunOutcome } from './run-result.js';
import { computeFailure, DEADLOCK, wallFailure } from './shared-failures.js';
import { type ParsedTurn, parseTurn } from './turn-message.js';
import { WallClock } from './wall-clock.js';
import { HostFrame, type HostFrameType, PeerFrame, type PeerFrameType, type StartPayload } from './wire.js';

/** What one run is made of. */
export interface SessionSetup {
  readonly program: string;
  readonly table: BindingTable;
  readonly options: ResolvedSandboxOptions;
  /** ms */
  readonly wallMs: number;
  readonly beforeStart?: CodeRunRequest['beforeStart'];
}

/** How the sandbox is left when the run ends: it ended the run itself, is told to, is not to be trusted, or is gone. */
type Parting = 'in-band' | 'stop' | 'break' | 'gone';

/** Characters above which a program is read before its budget starts, so that reading is not taken for computing. */
const HELD_SOURCE = 16_384;

/** What reading a program may take before the sandbox counts as stuck, ms. */
const PREPARE_MS = 10_000;

/**
 * The host's end of one run. Trusts nothing that arrives, settles `result` exactly once, and ignores whatever comes later.
 *
 * @example
 * const session = new Session({ program: 'return 1', table, options, wallMs: 1000 });
 * session.start(line);
 * const result = await session.result;
 */
export class Session implements LineListener {
  readonly result: Promise<CodeRunResult>;
  readonly #setup: SessionSetup;
  readonly #work: GuestWork;
  readonly #ledger: OutputLedger;
  readonly #wall: WallClock;
  readonly #createdAt = performance.now();
  /** Types of the frames that the peer has not answered, oldest first. */
  readonly #unanswered: HostFrameType[] = [];
  #phase: 'waiting' | 'open' | 'ending' | 'over' = 'waiting';
  #isHeld = false;
  #line: PeerLine | undefined;
  #outcome: RunOutcome = {};
  /** What the caller's own check threw: no outcome of the program. */
  #misuse: { readonly cause: unknown } | undefined;
  #computeMs = 0;
  #heapBytes = 0;
  #bytesOut = 0;
  #bytesIn = 0;
  #resolve!: (result: CodeRunResult) => void;
  #reject!: (cause: unknown) => void;

  constructor(setup: SessionSetup) {
    this.#setup = setup;
    const { options } = setup;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A host that was blocked itself reads what has come before it judges.
    this.#wall = new WallClock(setup.wallMs, () => setImmediate(() => this.fail(wallFailure(setup.wallMs))));
    const pauseWall = options.pauseWallDuringApprovals ? () => this.#wall.hold() : () => () => {};
    this.#work = new GuestWork(setup.table, options.limits, pauseWall, (type, text, bytes) =>
      this.#send(type, text, bytes),
    );
    this.#ledger = new OutputLedger(options.maxOutputBytes, options.maxLogEntries);
  }

  /** Whether the outcome is decided. */
  get isOver(): boolean {
    return this.#phase === 'ending' || this.#phase === 'over';
  }

  /** Sends the program; the line is this run's from now on. */
  start(line: PeerLine): void {
    const { program, table, options, beforeStart } = this.#setup;
    this.#line = line;
    this.#phase = 'open';
    this.#isHeld = beforeStart !== undefined || program.length > HELD_SOURCE;
    this.#wall.start();
    const payload: StartPayload = {
      program,
      namespaces: table.wire,
      limits: options.limits,
      hold: this.#isHeld,
    };
    const text = JSON.stringify(payload);
    this.#send(HostFrame.start, text, Buffer.byteLength(text), this.#isHeld ? PREPARE_MS : undefined);
  }

  /** Gives the run up, wherever it is. */
  abort(reason: unknown): void {
    this.fail(abortFailure(reason));
  }

  /** Ends the run with a failure that the host found, unless it has ended already. */
  fail(failure: CodeRunFailure): void {
    this.#end({ failure }, 'stop');
  }

  onFrame(type: PeerFrameType, payload: Buffer | string): void {
    if (this.#phase === 'over' || this.#phase === 'waiting') return;
    let problem: string | undefined;
    try {
      problem = this.#take(type, payload);
    } catch (cause) {
      problem = `a frame that could not be taken (${String(cause)})`;
    }
    if (problem !== undefined) this.#end({ failure: protocolFailure(problem) }, 'break');
  }

  onDeath(death: SandboxDeath): void {
    const isCompute = death.kind === 'timeout';
    if (isCompute) this.#computeMs = Math.max(this.#computeMs, this.#setup.options.computeMs);
    const failure = isCompute ? computeFailure(this.#setup.options.computeMs) : { ...death };
    this.#end({ failure }, 'gone');
  }

  #send(type: HostFrameType, payload: string, bytes: number, budgetMs?: number): void {
    if (this.#phase !== 'open') return;
    this.#unanswered.push(type);
    const left = Math.max(0, this.#setup.options.computeMs - this.#computeMs);
    // Counted first: in-process the run may be over when `send` returns.
    this.#bytesIn += bytes;
    this.#line!.send(type, payload, budgetMs ?? left);
  }

  /** @returns what is wrong with the frame, as text */
  #take(type: PeerFrameType, payload: Buffer | string): string | undefined {
    const bytes = payloadBytes(payload);
    this.#bytesOut += bytes;
    if (type === PeerFrame.log) return this.#takeLog(payload, bytes);
    // What was under way when the end was decided no longer counts.
    if (this.#phase === 'ending') return undefined;
    const asked = this.#unanswered.shift();
    if (asked === undefined) return 'an answer to nothing';
    const text = payloadText(payload);
    if (text === undefined) return 'a payload that is no UTF-8';
    if (type === PeerFrame.end) return this.#takeEnd(text);
    if (this.#isHeld) return type === PeerFrame.prepared ? this.#takePrepared(text) : 'no preparation';
    if (type !== PeerFrame.turn) return 'an answer of the wrong type';
    const parsed = parseTurn(text, this.#setup.options.maxDepth);
    if (typeof parsed === 'string') return parsed;
    return this.#takeTurn(parsed, bytes, asked);
  }

  #takeLog(payload: Buffer | string, bytes: number): string | undefined {
    const { options } = this.#setup;
    if (this.#ledger.overflow !== undefined) return undefined;
    // Not read as a whole: the ledger could keep a fraction of it only.
    const isTooLarge = bytes > options.maxOutputBytes + options.maxLogEntries + 2;
    const text = isTooLarge ? '' : payloadText(payload);
    const entries = isTooLarge
      ? logBeginning(payload, options.maxOutputBytes)
      : text === undefined
        ? 'a payload that is no UTF-8'
        : parseLog(text);
    if (typeof entries === 'string') return entries;
    for (const entry of entries) if (!this.#ledger.addLog(entry)) break;
    if (isTooLarge) this.#ledger.refuse();
    if (this.#ledger.overflow !== undefined) this.fail(overflowFailure(this.#ledger));
    return undefined;
  }

  #takePrepared(text: string): string | undefined {
    const prepared = parsePrepared(text);
    if (typeof prepared === 'string') return prepared;
    this.#isHeld = false;
    this.#check(prepared).then(
      (failure) => (failure === undefined ? this.#send(HostFrame.go, '', 0) : this.fail(failure)),
      (cause) => {
        if (!this.isOver) this.#misuse = { cause };
        this.abort(cause);
      },
    );
    return undefined;
  }

  async #check(prepared: PreparedProgram): Promise<CodeRunFailure | undefined> {
    return this.#setup.beforeStart?.(prepared);
  }

  #takeEnd(text: string): string | undefined {
    const end = parseEnd(text);
    if (typeof end === 'string') return end;
    this.#charge(end);
    // A peer whose engine broke may say so, and serves nobody else.
    this.#end({ failure: end.failure }, end.failure.kind === 'sandbox-died' ? 'break' : 'in-band');
    return undefined;
  }

  #charge({ computeMs, heapBytes }: { readonly computeMs: number; readonly heapBytes: number }): void {
    this.#computeMs = Math.max(this.#computeMs, computeMs);
    this.#heapBytes = Math.max(this.#heapBytes, heapBytes);
  }

  #takeTurn(parsed: ParsedTurn, bytes: number, asked: HostFrameType): string | undefined {
    const { turn } = parsed;
    this.#charge(parsed);
    const problem = this.#work.accept(turn);
    if (problem !== undefined) return problem;
    if (turn.state === 'done') {
      this.#complete(parsed, bytes);
      return undefined;
    }
    const refusal = this.#work.start(turn);
    if (refusal !== undefined) return refusal;
    if (asked === HostFrame.deliver) this.#work.delivered();
    if (this.#unanswered.length === 0 && this.#work.isIdle) this.fail(DEADLOCK);
    return undefined;
  }

  #complete({ turn, hasValue, mayGrow }: ParsedTurn, bytes: number): void {
    if (hasValue && !this.#ledger.fitsValue(turn.value, bytes, mayGrow)) {
      this.#end({ failure: overflowFailure(this.#ledger) }, 'in-band');
      return;
    }
    const unawaited = this.#work.unsettled();
    this.#end(
      {
        ...(hasValue && { value: turn.value as JsonValue }),
        ...(turn.note !== undefined && { note: turn.note }),
        ...(unawaited.length > 0 && { unawaited }),
      },
      'in-band',
    );
  }

  /** Decides the outcome, once; the rest follows when nothing of the run can act any more. */
  #end(outcome: RunOutcome, parting: Parting): void {
    if (this.isOver) return;
    this.#phase = 'ending';
    const { failure } = outcome;
    this.#outcome = failure === undefined ? outcome : { failure: withCalls(failure, this.#work.notes()) };
    this.#wall.stop();
    this.#work.close();
    const line = this.#line;
    if (parting === 'in-band') line?.release();
    if (line === undefined || parting === 'in-band' || parting === 'gone') this.#finish();
    else line.stop(parting === 'break').then(() => this.#finish(), this.#reject);
  }

  #finish(): void {
    this.#phase = 'over';
    if (this.#misuse !== undefined) {
      this.#reject(this.#misuse.cause);
      return;
    }
    const { options } = this.#setup;
    const stats = {
      wallMs: performance.now() - this.#createdAt,
      computeMs: this.#computeMs,
      calls: this.#work.callCount,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      ...(this.#heapBytes > 0 && { peakHeapBytes: this.#heapBytes }),
      engine: this.#line?.engine ?? options.engine,
      placement: options.placement,
    };
    this.#resolve(composeResult(this.#outcome, this.#ledger, stats));
  }
}
