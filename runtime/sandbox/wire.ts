// The wire between host and sandbox peer. The host trusts nothing that arrives: the peer runs a hostile guest.
//
// A frame is: 4 bytes big-endian length of what follows · 1 byte type · 4 bytes big-endian run id · UTF-8 payload.
// Every host frame is answered by exactly one peer frame (never a `log`), so "busy" is: sent > answered.
// Frames of one run are answered in order. The in-process placement passes the same types and payloads by call.

import type { CodeRunFailure, PreparedProgram, SourcePosition } from '../contract/code-runtime.js';

/** Host to peer. */
export const HostFrame = {
  /** Payload: JSON of {@link StartPayload}. Answer: `prepared` when `hold`, else `turn` or `end`. */
  start: 1,
  /** Payload: empty. Runs what was held after `prepared`. Answer: `turn` or `end`. */
  go: 2,
  /** Payload: JSON array of {@link Delivery}, passed to the guest unparsed. Answer: `turn` or `end`. */
  deliver: 3,
  /** Payload: JSON array of timer ids that are due, in due order. Answer: `turn` or `end`. */
  fire: 4,
  /** Payload: empty. Throws the run away, known or not. Answer: `stopped`. */
  stop: 5,
} as const;

/** Peer to host. */
export const PeerFrame = {
  /** Once, before anything else, run id 0. Payload: JSON of {@link ReadyPayload}. */
  ready: 16,
  /** Payload: JSON of `PreparedProgram`. */
  prepared: 17,
  /** Payload: `<computeMs> <heapBytes>\n` and the guest's own text: JSON of {@link GuestTurn}. */
  turn: 18,
  /** Terminal, made by the peer. Payload: JSON of {@link EndPayload}. With run id 0 in place of `ready`: it cannot serve. */
  end: 19,
  /** Unasked. Payload: JSON array of strings, one per console call. */
  log: 20,
  /** Payload: empty. */
  stopped: 21,
} as const;

export type HostFrameType = (typeof HostFrame)[keyof typeof HostFrame];
export type PeerFrameType = (typeof PeerFrame)[keyof typeof PeerFrame];

/** What the guest may do; every number is enforced by the peer and again by the host. */
export interface GuestLimits {
  /** Guest busy time of the whole run, ms. */
  readonly computeMs: number;
  /** Guest heap, MiB. */
  readonly memoryMb: number;
  /** UTF-8 bytes of one call's arguments or one result. */
  readonly maxMessageBytes: number;
  /** Calls in flight from the guest; more wait inside it. A call that the guest cancelled counts no longer. */
  readonly maxPendingCalls: number;
  /** UTF-8 bytes of the arguments that one turn carries; calls over it wait inside the guest for the next turn. */
  readonly maxQueuedBytes: number;
  /** Timers armed at once; arming one over it throws in the guest. */
  readonly maxTimers: number;
  /** Calls of the whole run; the call over it rejects in the guest. */
  readonly maxCalls: number;
  /** Nesting of any value that crosses. */
  readonly maxDepth: number;
  /** UTF-8 bytes of the program. */
  readonly maxSourceBytes: number;
  /** UTF-8 bytes of JSON that logs and value may take together. */
  readonly maxOutputBytes: number;
  /** Entries of the log. */
  readonly maxLogEntries: number;
}

/** One injected namespace. `members` index the calls. */
export interface WireNamespace {
  readonly global: string;
  readonly members: readonly string[];
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string };
  readonly argumentStyle: 'object' | 'list';
  /** `[member of this namespace, index of the namespace whose members it calls by name]`. */
  readonly forwards: readonly (readonly [member: string, namespace: number])[];
}

export interface StartPayload {
  readonly program: string;
  readonly namespaces: readonly WireNamespace[];
  readonly limits: GuestLimits;
  /** Answer `prepared` and wait for `go`. */
  readonly hold: boolean;
}

export interface ReadyPayload {
  readonly wire: 1;
  /** `isolated-vm` or `quickjs`. */
  readonly engine: string;
  readonly engineVersion: string;
  readonly pid: number;
  /** What a program is written in, e.g. `ES2023`. */
  readonly languageLevel: string;
  /** What the library of that language lacks, by TypeScript's names. */
  readonly missingLibraries: readonly string[];
  /** Why it is not the engine that was asked for first. */
  readonly fallback?: string;
}

/** `[callId, 0, value]` resolves, `[callId, 1, message, code?]` rejects. A failure travels in a frame of its own. */
export type Delivery =
  | readonly [id: number, kind: 0, value: unknown]
  | readonly [id: number, kind: 1, message: string, code?: string];

/** One call: ids count 1, 2, 3 … over the whole run. Position is in the model's own text, absent where unknown. */
export type WireCall = readonly [
  id: number,
  namespace: number,
  member: number,
  args: unknown,
  extra?: CallExtra,
];

/**
 * `at` stands in for `position`: text that starts with `line:column` of the model's text, and tells nothing where it does not.
 * `signal`: the program kept a signal of its own for this call, so that it may cancel it, as it may one with a deadline.
 */
export interface CallExtra {
  readonly position?: readonly [line: number, column: number];
  readonly at?: string;
  readonly timeoutMs?: number;
  readonly signal?: 1;
}

/**
 * What the guest has to say once it can go no further. `done` beside open calls is legal: they are abandoned; calls that
 * come with `done` itself are never started. After `done` the peer throws the run away without being told.
 */
export interface GuestTurn {
  readonly state: 'waiting' | 'done';
  readonly calls?: readonly WireCall[];
  /** Calls the program gave up (its own signal or deadline): their pipeline signal is to be aborted. */
  readonly cancels?: readonly (readonly [id: number, reason: string])[];
  /** Newly armed timers; ids count 1, 2, 3 … over the whole run; delay in ms. */
  readonly timers?: readonly (readonly [id: number, delayMs: number])[];
  readonly clears?: readonly number[];
  /** With `done` only; absent when the program returned nothing. */
  readonly value?: unknown;
  /** With `done` only: one line about the value that could not leave, or a function that was never called. */
  readonly note?: string;
}

/** A run that the peer ended: every failure but those that only the host can see (wall budget, abort, death). */
export interface EndPayload {
  readonly failure: CodeRunFailure;
  readonly computeMs: number;
  readonly heapBytes: number;
}

export type { CodeRunFailure, PreparedProgram, SourcePosition };
