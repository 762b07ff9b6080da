import type { HostFrameType, PeerFrameType } from './wire.js';

/** How a sandbox came to its end while a run was in it. */
export interface SandboxDeath {
  readonly kind: 'memory-limit' | 'sandbox-died' | 'timeout' | 'protocol';
  readonly message: string;
  /** Of the memory, MiB. */
  readonly limit?: number;
}

/** What a run hears from the sandbox that serves it. No method throws, whatever comes. */
export interface LineListener {
  /** One frame of this run, in order. */
  onFrame(type: PeerFrameType, payload: Buffer | string): void;
  /** The sandbox is gone and nothing more will come; called at most once. */
  onDeath(death: SandboxDeath): void;
}

/** One run's line to the sandbox that serves it. It ends with `release`, `stop`, or the sandbox's death. */
export interface PeerLine {
  /** `isolated-vm` or `quickjs`. */
  readonly engine: string;
  /**
   * Sends one frame of this run.
   *
   * @param budgetMs busy time after which the sandbox is overdue with its answer, ms; the grace comes on top
   */
  send(type: HostFrameType, payload: string, budgetMs: number): void;
  /** The peer has thrown the run away on its own. */
  release(): void;
  /**
   * Throws the run away from outside.
   *
   * @param isBroken whether the sandbox cannot be trusted with another run
   * @returns settles when no code of the run can run any more
   */
  stop(isBroken: boolean): Promise<void>;
}

/** What serves programs, as a deployment may want to log it. */
export interface EngineInfo {
  readonly engine: string;
  readonly engineVersion: string;
  /** What programs are written in, e.g. `ES2023`. */
  readonly languageLevel: string;
  /** Parts of the language's library that programs do not have, by the names that TypeScript's option `lib` has for them. */
  readonly missingLibraries: readonly string[];
  /** Why it is not the first choice. */
  readonly fallback?: string;
}

/** Hands out lines to sandboxes. */
export interface Placement {
  /**
   * Waits for a free sandbox and joins the run to it.
   *
   * @returns the line, at once where a sandbox is free; `undefined` when the wait was given up
   * @throws {SandboxUnavailableError} when no sandbox can be had
   */
  open(listener: LineListener): PeerLine | Promise<PeerLine | undefined>;
  /** Gives up the wait of one run, if it waits; nothing is started for it from then on. */
  cancel(listener: LineListener): void;
  /** What serves; `undefined` until the first sandbox is ready. */
  readonly info: EngineInfo | undefined;
  /** Starts what the first run would start. */
  warm(): Promise<EngineInfo>;
  /** Ends every sandbox; settles when all are gone. */
  dispose(): Promise<void>;
}

/** No sandbox can be had: it does not start, or too many runs wait. */
export class SandboxUnavailableError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'SandboxUnavailableError';
    this.hint = hint;
  }
}
