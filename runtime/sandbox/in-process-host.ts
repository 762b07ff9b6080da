import { announceFallback, engineProblem, openPeer } from './open-peer.js';
import type { ResolvedSandboxOptions } from './options.js';
import {
  type EngineInfo,
  type LineListener,
  type PeerLine,
  type Placement,
  SandboxUnavailableError,
} from './peer-line.js';
import { parseReady } from './peer-messages.js';
import type { CreatePeer, PeerPort, SandboxPeer } from './peer-types.js';
import { HostFrame, type HostFrameType, PeerFrame, type PeerFrameType } from './wire.js';

/** How long the peer may be served without a breath for the host's own timers and input, ms. */
const SLICE_MS = 10;

interface Frame<T> {
  readonly type: T;
  readonly run: number;
  readonly payload: string;
}

/** One run that the peer knows. */
interface Seat {
  readonly listener: LineListener;
  /** Set once the run is told to stop; settles it. */
  onStopped?: () => void;
}

/**
 * Serves every run from one peer in the host's own process: the lowest latency, and no containment. A program that computes
 * blocks the host until its budget ends; a hostile one can end the host.
 */
export class InProcessHost implements Placement {
  readonly #options: ResolvedSandboxOptions;
  readonly #createPeer: CreatePeer;
  readonly #seats = new Map<number, Seat>();
  readonly #toPeer: Frame<HostFrameType>[] = [];
  readonly #fromPeer: Frame<PeerFrameType>[] = [];
  #peer: SandboxPeer | undefined;
  #info: EngineInfo | undefined;
  #opening: Promise<EngineInfo> | undefined;
  #lastRun = 0;
  #isPumping = false;
  #isDeferred = false;
  #sliceEnd: number | undefined;

  /** @param createPeer makes the peer; replaced in tests */
  constructor(options: ResolvedSandboxOptions, createPeer: CreatePeer) {
    this.#options = options;
    this.#createPeer = createPeer;
  }

  open(listener: LineListener): PeerLine | Promise<PeerLine> {
    return this.#info === undefined ? this.warm().then(() => this.#seat(listener)) : this.#seat(listener);
  }

  /** Nothing waits for long here: a line that comes too late is released by whoever asked for it. */
  cancel(): void {}

  get info(): EngineInfo | undefined {
    return this.#info;
  }

  warm(): Promise<EngineInfo> {
    this.#opening ??= this.#load().catch((cause: unknown) => {
      this.#opening = undefined;
      throw cause;
    });
    return this.#opening;
  }

  async dispose(): Promise<void> {
    this.#toPeer.length = 0;
    await this.#opening?.catch(() => undefined);
    this.#peer?.dispose();
    this.#peer = undefined;
    for (const { onStopped } of this.#seats.values()) onStopped?.();
    this.#seats.clear();
  }

  async #load(): Promise<EngineInfo> {
    const { engine, memoryMb } = this.#options;
    let info: EngineInfo | undefined;
    const port: PeerPort = {
      send: (type, run, payload) => {
        if (type === PeerFrame.ready) info = parseReady(payload);
        else this.#receive({ type, run, payload });
      },
    };
    try {
      this.#peer = await openPeer({ engine, memoryMb }, port, this.#createPeer);
    } catch (cause) {
      const { message, hint } = engineProblem(engine, cause);
      throw new SandboxUnavailableError(message, hint);
    }
    if (info === undefined) throw new SandboxUnavailableError('The engine did not say that it is ready');
    this.#info = info;
    announceFallback(info, this.#options.onWarning);
    return info;
  }

  #seat(listener: LineListener): PeerLine {
    this.#lastRun += 1;
    const run = this.#lastRun;
    const seat: Seat = { listener };
    this.#seats.set(run, seat);
    return {
      engine: this.#info!.engine,
      send: (type, payload) => this.#send({ type, run, payload }),
      release: () => {
        this.#seats.delete(run);
      },
      stop: () => {
        if (this.#peer === undefined || !this.#seats.has(run)) return Promise.resolve();
        return new Promise<void>((resolve) => {
          seat.onStopped = resolve;
          this.#send({ type: HostFrame.stop, run, payload: '' });
        });
      },
    };
  }

  #receive(frame: Frame<PeerFrameType>): void {
    // Logs are told at once; an answer may make its listener send, which the peer could not take now.
    if (frame.type === PeerFrame.log) {
      this.#tell(frame);
      return;
    }
    this.#fromPeer.push(frame);
    // A peer that had to make a guest first answers on its own.
    if (!this.#isPumping) queueMicrotask(() => this.#tellAll());
  }

  #tellAll(): void {
    for (const answer of this.#fromPeer.splice(0)) this.#tell(answer);
  }

  #tell({ type, run, payload }: Frame<PeerFrameType>): void {
    const seat = this.#seats.get(run);
    if (type !== PeerFrame.stopped || seat?.onStopped === undefined) seat?.listener.onFrame(type, payload);
    else {
      this.#seats.delete(run);
      seat.onStopped();
    }
  }

  #send(frame: Frame<HostFrameType>): void {
    this.#toPeer.push(frame);
    if (this.#isPumping || this.#isDeferred) return;
    if (this.#sliceEnd === undefined) this.#startSlice();
    else if (performance.now() > this.#sliceEnd) {
      this.#isDeferred = true;
      return;
    }
    this.#pump();
  }

  #startSlice(): void {
    this.#sliceEnd = performance.now() + SLICE_MS;
    setImmediate(() => {
      this.#sliceEnd = undefined;
      if (!this.#isDeferred) return;
      this.#isDeferred = false;
      this.#startSlice();
      this.#pump();
    });
  }

  /** Feeds the peer, which answers before it returns, until nothing is left. */
  #pump(): void {
    this.#isPumping = true;
    for (let frame = this.#toPeer.shift(); frame !== undefined; frame = this.#toPeer.shift()) {
      this.#peer?.receive(frame.type, frame.run, frame.payload);
      this.#tellAll();
    }
    this.#isPumping = false;
  }
}
