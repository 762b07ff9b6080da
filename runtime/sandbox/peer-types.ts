// The seam inside the sandbox: a peer serves runs over a port; an engine gives it one guest per run.

import type { EngineLanguage } from './language.js';
import type { GuestLimits, HostFrameType, PeerFrameType, WireNamespace } from './wire.js';

/** Where a peer's frames go: a pipe, or the host's own session when in-process. */
export interface PeerPort {
  send(type: PeerFrameType, run: number, payload: string): void;
}

/**
 * Serves runs. `receive` answers each host frame with exactly one frame and never throws: at once, or some microtasks later
 * when the engine has to make a guest first. A frame for a run it does not know (any more) is answered `stopped`.
 */
export interface SandboxPeer {
  receive(type: HostFrameType, run: number, payload: string): void;
  /**
   * Work that is left after the answer: a guest that a waiting run needs, spare guests to build again. A loop that blocks
   * between frames must await it before it blocks, since nothing else would run it; an event loop need not.
   */
  idle(): Promise<void> | undefined;
  dispose(): void;
}

/**
 * How `peer.ts` makes a peer: loads the engine, builds the spare guests, sends `ready` through the port, then answers.
 * Throws (or rejects) when the engine does not load; nothing has been sent then.
 */
export type CreatePeer = (options: PeerOptions, port: PeerPort) => SandboxPeer | Promise<SandboxPeer>;

/** How a peer is set up; fixed for its life. */
export interface PeerOptions {
  readonly engine: 'isolated-vm' | 'quickjs';
  /** Guest heap, MiB, of guests built ahead. */
  readonly memoryMb: number;
  /** Guests built ahead. @default 2 */
  readonly spareGuests?: number;
  /** Stack of a QuickJS guest, KiB. Above the default the process needs a larger native stack (`--stack-size`). @default 64 */
  readonly quickjsStackKb?: number;
}

/** Makes guests. The only two implementations are `engines/isolated-vm` and `engines/quickjs`. */
export interface GuestEngine {
  readonly name: string;
  readonly version: string;
  /** Columns of the first line count from `columnOffset`; else from the start of the code. */
  readonly countsFromColumnOffset: boolean;
  /** What its guests speak; known once there has been one. */
  readonly language: EngineLanguage | undefined;
  /** A fresh world with the prelude in place; nothing of the program yet. */
  create(memoryMb: number): Guest | Promise<Guest>;
}

/** One world for one program. No method throws for what the guest does. */
export interface Guest {
  readonly memoryMb: number;
  /** Sets the run up. Costs no budget. */
  setup(setup: GuestSetup, hooks: GuestHooks): void;
  /** Enters the guest and drains its jobs. `budgetMs` is what is left of the compute budget. */
  enter(entry: GuestEntry, budgetMs: number): GuestStop;
  /** What the guest has to say once it can go no further. */
  collect(budgetMs: number): GuestOutcome;
  /** Busy time so far, ms. */
  readonly computeMs: number;
  /** Heap in use now, bytes; 0 where the engine does not tell. */
  readonly heapBytes: number;
  /** Sends what the guest printed last, after a stop that left it buffered; nothing of the program runs to any effect. */
  flush(): void;
  dispose(): void;
}

/** What a run is given before it starts; crosses as JSON text. */
export interface GuestSetup {
  readonly namespaces: readonly WireNamespace[];
  readonly limits: GuestLimits;
  /** Rare globals that the program's text mentions: built now and not on first access. */
  readonly mentions: readonly string[];
  /** The value is that of a last expression: one that cannot leave becomes a note. */
  readonly implicit: boolean;
  /** The one function that the program declares and never calls. */
  readonly uncalledFunction?: string;
  /** How the engine's positions become the model's, when that is a constant shift; else `locate` is asked. */
  readonly shift?: { readonly line: number; readonly firstLineColumn: number };
}

/** What a guest may ask of its peer while it runs; every answer is text. */
export interface GuestHooks {
  /** JSON array of strings, one per console call. */
  log(entriesJson: string): void;
  /** `line,column` of the model's text, or the empty string. */
  locate(line: number, column: number): string;
}

export type GuestEntry =
  /** `code` is the erased, wrapped program; `columnOffset` is where the model's first line starts on the first line. */
  | { readonly kind: 'start'; readonly code: string; readonly columnOffset: number }
  | { readonly kind: 'deliver'; readonly text: string }
  | { readonly kind: 'fire'; readonly timer: number };

/** How an entry ended. */
export type GuestStop =
  | { readonly kind: 'idle' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  /** The engine's own stack ran out where the guest cannot catch it. */
  | { readonly kind: 'overflow' }
  /** The guest printed or returned more than `maxOutputBytes`. */
  | { readonly kind: 'output' }
  | {
      readonly kind: 'compile-error';
      readonly message: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'broken'; readonly message: string };

/** `text` starts with one state letter: W waiting, D done, F failed, S stuck; JSON follows. */
export type GuestOutcome = { readonly kind: 'turn'; readonly text: string } | GuestStop;
