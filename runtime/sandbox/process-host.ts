import { type ChildEnd, ChildLink } from './child-link.js';
import type { RawFrame } from './codec.js';
import type { LaunchPlan } from './launch-plans.js';
import { limitMemory, type MemoryLimit } from './memory-limit.js';
import { maxPeerFrameBytes, type ResolvedSandboxOptions } from './options.js';
import type { EngineInfo, LineListener, PeerLine, SandboxDeath } from './peer-line.js';
import { ProcessGuard } from './process-guard.js';
import { ProcessHello } from './process-hello.js';
import {
  COMPUTE_DEATH,
  protocolDeath,
  STOPPED_DEATH,
  siblingDeath,
  unexpectedDeath,
} from './sandbox-death.js';
import { memoryFailure } from './shared-failures.js';
import { UnansweredFrames } from './unanswered-frames.js';
import { warmRun } from './warm-run.js';
import { HostFrame, type HostFrameType, PeerFrame, type PeerFrameType } from './wire.js';

/** One run in the process. */
interface Seat {
  readonly listener: LineListener;
  /** Set once the run is told to stop; settles it. */
  onStopped?: () => void;
}

/** Answers to frames of runs; everything else is told apart before. */
const RUN_FRAMES: ReadonlySet<number> = new Set([
  PeerFrame.prepared,
  PeerFrame.turn,
  PeerFrame.end,
  PeerFrame.log,
  PeerFrame.stopped,
]);

/** How long a process may take until it can serve, ms. */
const BOOT_MS = 30_000;

/** How long a retired process may take to leave, ms. */
const LEAVE_MS = 2_000;

/** Busy time after which a process is replaced, ms: well below the CPU limit of its life. */
const LIFE_BUSY_MS = 300_000;

/** One sandbox process: its runs, the frames between, and its end. */
export class ProcessHost {
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  readonly #options: ResolvedSandboxOptions;
  readonly #link: ChildLink;
  readonly #onRoom: (host: ProcessHost) => void;
  readonly #seats = new Map<number, Seat>();
  readonly #frames = new UnansweredFrames();
  readonly #hello = new ProcessHello();
  #info: EngineInfo | undefined;
  #memory: MemoryLimit | undefined;
  #guard: ProcessGuard | undefined;
  #lastRun = 0;
  #isRetired = false;
  /** Why it is being killed, and the run to blame. */
  #verdict: { readonly run: number | undefined; readonly death: SandboxDeath } | undefined;
  #isGone = false;
  #resolveGone!: () => void;

  /** @param onRoom told when a run has left, none computes any more, or the process is gone */
  constructor(plan: LaunchPlan, options: ResolvedSandboxOptions, onRoom: (host: ProcessHost) => void) {
    this.#options = options;
    this.#onRoom = onRoom;
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#link = new ChildLink(plan, maxPeerFrameBytes(options), {
      onFrame: (frame) => this.#take(frame),
      onBroken: (problem) => this.#kill(this.#blame(), protocolDeath(problem)),
      onClosed: (end) => this.#close(end),
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether a run can be joined to it now. */
  get hasRoom(): boolean {
    return this.#isServing && this.#seats.size < this.#options.runsPerProcess;
  }

  /** Whether it is ready and no run is in it. */
  get isIdle(): boolean {
    return this.#isServing && this.#seats.size === 0;
  }

  /** Whether runs are in it; the one that warms it does not count, nor do those that die with it. */
  get hasRuns(): boolean {
    return this.#seats.size > 0 && this.#guard !== undefined && this.#verdict === undefined;
  }

  /** Whether it has runs and all of them wait for the host. */
  get isWaiting(): boolean {
    return this.hasRuns && this.#frames.head === undefined;
  }

  /** Since when it has had nothing to do, ms of `performance.now()`. */
  get idleSince(): number {
    return this.#frames.idleSince;
  }

  /** For how long all of its runs have waited for the host, ms. */
  get waitingMs(): number {
    return this.isWaiting ? performance.now() - this.#frames.idleSince : 0;
  }

  /** Whether a program in it computes, as far as the host knows. */
  get isAtWork(): boolean {
    return this.hasRuns && this.#frames.head !== undefined;
  }

  get #isServing(): boolean {
    return this.#guard !== undefined && !this.#isRetired && this.#verdict === undefined && !this.#isGone;
  }

  /**
   * Waits until it can serve: the engine is loaded, one program has run, its memory is limited.
   *
   * @throws {SandboxUnavailableError} when it says that it cannot serve
   * @throws {Error} when it ends, or takes too long
   */
  async boot(): Promise<EngineInfo> {
    const timer = setTimeout(
      () => this.#kill(undefined, protocolDeath(`not ready within ${BOOT_MS} ms`)),
      BOOT_MS,
    );
    try {
      this.#info = await this.#hello.info;
      await warmRun((listener) => this.#seat(listener), this.#options.limits);
      const { pid } = this.#link;
      if (pid !== undefined && !this.#isGone) this.#memory = await limitMemory(pid, this.#options);
      // It may have ended meanwhile, and what was opened for it would stay open.
      if (this.#isGone) this.#memory?.readings.close();
      if (this.#memory === undefined || this.#isGone || this.#verdict !== undefined)
        throw new Error('it ended while it started');
      this.#watch();
      return this.#info;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Joins a run to it; call only while it has room. */
  open(listener: LineListener): PeerLine {
    return this.#seat(listener);
  }

  /** Lets no further run in; it leaves when the last one has. */
  retire(): void {
    this.#isRetired = true;
    if (this.#seats.size > 0 || this.#isGone) return;
    this.#link.closeInput();
    setTimeout(() => this.#link.kill(), LEAVE_MS).unref();
  }

  /** Ends it at once. */
  kill(): Promise<void> {
    this.#kill(undefined, { kind: 'sandbox-died', message: 'The sandbox was ended by its host' });
    // Whoever waits for its end must live to see it.
    this.#link.hold(true);
    return this.gone;
  }

  #seat(listener: LineListener): PeerLine {
    this.#lastRun += 1;
    const run = this.#lastRun;
    this.#seats.set(run, { listener });
    return {
      engine: this.#info?.engine ?? this.#options.engine,
      send: (type, payload, budgetMs) => this.#send(type, run, payload, budgetMs),
      release: () => this.#free(run),
      stop: (isBroken) => this.#stop(run, isBroken),
    };
  }

  #send(type: HostFrameType, run: number, payload: string, budgetMs: number): void {
    if (this.#isGone || this.#verdict !== undefined) return;
    this.#frames.sent(run, budgetMs);
    this.#guard?.watch();
    this.#link.send(type, run, payload);
  }

  #take(frame: RawFrame): void {
    const { type, run, payload } = frame;
    if (this.#verdict !== undefined) {
      // What was printed before the end is kept; nothing else counts any more.
      if (type === PeerFrame.log) this.#seats.get(run)?.listener.onFrame(type, payload);
      return;
    }
    if (!this.#hello.isOver) {
      const refusal = this.#hello.take(frame);
      if (refusal !== undefined) this.#kill(undefined, protocolDeath(refusal));
    } else if (!RUN_FRAMES.has(type) || run > this.#lastRun || run === 0) {
      this.#kill(this.#blame(), protocolDeath(`a frame of type ${type} for run ${run}`));
    } else if (type === PeerFrame.log) this.#seats.get(run)?.listener.onFrame(type, payload);
    else if (this.#frames.answered(run)) this.#takeAnswer(type as PeerFrameType, run, payload);
    else this.#kill(run, protocolDeath('an answer to nothing'));
  }

  #takeAnswer(type: PeerFrameType, run: number, payload: Buffer): void {
    const seat = this.#seats.get(run);
    if (type === PeerFrame.stopped && seat?.onStopped !== undefined) {
      seat.onStopped();
      this.#free(run);
      return;
    }
    seat?.listener.onFrame(type, payload);
    if (this.isWaiting) this.#onRoom(this);
  }

  #stop(run: number, isBroken: boolean): Promise<void> {
    const seat = this.#seats.get(run);
    if (seat === undefined || this.#isGone) return Promise.resolve();
    return new Promise((resolve) => {
      seat.onStopped = resolve;
      if (isBroken) this.#kill(run, protocolDeath('it is not to be trusted'));
      else if (!this.#frames.has(run)) this.#send(HostFrame.stop, run, '', 0);
      else {
        // The answer may be there already, unread; a program that still computes is not waited for.
        setImmediate(() => {
          if (this.#frames.has(run)) this.#kill(run, STOPPED_DEATH);
          else this.#send(HostFrame.stop, run, '', 0);
        });
      }
    });
  }

  /** The run that the process works on. */
  #blame(): number | undefined {
    return this.#frames.head?.run ?? this.#seats.keys().next().value;
  }

  #free(run: number): void {
    this.#seats.delete(run);
    // The first run was the one that warmed it.
    const isWorn = this.#lastRun > this.#options.recycleAfter || this.#frames.busyMs > LIFE_BUSY_MS;
    if (isWorn || this.#isRetired) this.retire();
    if (this.#guard !== undefined) this.#onRoom(this);
  }

  #watch(): void {
    const { readings, maxRssBytes, wornRssBytes } = this.#memory!;
    this.#guard = new ProcessGuard({
      readings,
      graceMs: this.#options.graceMs,
      maxRssBytes,
      head: () => this.#frames.head,
      onRest: (rssBytes) => {
        if (rssBytes > wornRssBytes && this.isIdle) this.retire();
      },
      onOverrun: () => this.#kill(this.#blame(), COMPUTE_DEATH),
      onOverMemory: () => this.#kill(this.#blame(), memoryFailure(this.#options.memoryMb)),
    });
  }

  #kill(run: number | undefined, death: SandboxDeath): void {
    if (this.#verdict !== undefined || this.#isGone) return;
    this.#verdict = { run, death };
    this.#guard?.stop();
    this.#link.kill();
  }

  #close(end: ChildEnd): void {
    this.#isGone = true;
    this.#guard?.stop();
    const { memoryMb } = this.#options;
    const usedShare = (this.#guard?.lastRssBytes ?? 0) / (this.#memory?.maxRssBytes ?? 1);
    const own = this.#verdict?.death ?? unexpectedDeath(end, usedShare, memoryMb);
    this.#hello.fail(new Error(`${own.message}: ${end.report.text.trim().slice(0, 1000)}`));
    const seats = [...this.#seats];
    this.#seats.clear();
    this.#frames.clear();
    this.#memory?.readings.close();
    for (const [run, { listener, onStopped }] of seats) {
      const isBlamed = this.#verdict?.run === undefined || this.#verdict.run === run;
      if (onStopped !== undefined) onStopped();
      else listener.onDeath(isBlamed ? own : siblingDeath(own));
    }
    this.#resolveGone();
    this.#onRoom(this);
  }
}
