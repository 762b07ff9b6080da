// The seam inside the sandbox: a peer serves runs over a port; an engine gives it one guest per run.

import type { GuestLimits, HostFrameType, PeerFrameType, WireNamespace } from './wire.js';

/** Where a peer's frames go: a pipe, or the host's own session when in-process. */
export interface PeerPort {
  send(type: PeerFrameType, run: number, payload: string): void;
}

/** Serves runs. `receive` answers each host frame with exactly one frame; it never throws. */
export interface SandboxPeer {
  receive(type: HostFrameType, run: number, payload: string): void;
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
}

/** Makes guests. The only two implementations are `engines/isolated-vm` and `engines/quickjs`. */
export interface GuestEngine {
  readonly name: string;
  readonly version: string;
  /** A fresh world with the prelude in place; nothing of the program yet. */
  create(memoryMb: number): Guest;
  dispose(): void;
}

/** One world for one program. No method throws for what the guest does. */
export interface Guest {
  /** Sets the run up: namespaces and limits. Costs no budget. */
  setup(
    namespaces: readonly WireNamespace[],
    limits: GuestLimits,
    onLog: (entriesJson: string) => void,
  ): void;
  /** Enters the guest, drains its jobs, pulls once. `budgetMs` is what is left of the compute budget. */
  enter(entry: GuestEntry, budgetMs: number): GuestOutcome;
  /** Busy time so far, ms. */
  readonly computeMs: number;
  /** Largest heap seen so far, bytes; 0 where the engine does not tell. */
  readonly heapBytes: number;
  dispose(): void;
}

export type GuestEntry =
  /** `code` is the erased, wrapped program; `columnOffset` is where the model's first line starts on the first line. */
  | { readonly kind: 'start'; readonly code: string; readonly columnOffset: number }
  | { readonly kind: 'deliver'; readonly text: string }
  | { readonly kind: 'fire'; readonly text: string };

/** `turn` text starts with one state letter: W waiting, D done, F failed, S stuck; JSON follows. */
export type GuestOutcome =
  | { readonly kind: 'turn'; readonly text: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'compile-error';
      readonly message: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'broken'; readonly message: string };
