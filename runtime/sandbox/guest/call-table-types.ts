// The guest's promise table; types only.

import type { TimerRecord, Tracked } from './kit.js';

/** One call of a member. `id` is 0 until it has been sent. */
export interface CallRecord {
  id: number;
  readonly namespace: number;
  readonly member: number;
  readonly name: string;
  /** JSON text of the arguments. */
  readonly text: string;
  /** UTF-8 bytes of `text`, or more. */
  readonly bytes: number;
  /** The program's frames at the call, as stack lines. */
  readonly frames: string;
  /** 0 when the program set none. */
  timeoutMs: number;
  timer: TimerRecord | undefined;
  /** Takes the listener off the call's own signal. */
  forget: (() => void) | undefined;
  settled: boolean;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  /** Where the engine does not report unhandled rejections. */
  watch: Tracked | undefined;
  next: CallRecord | undefined;
}

/** What the other parts ask of the table. */
export interface CallTable {
  /** Whether a call is in flight or queued. */
  waiting(): boolean;
  /** Gives queued calls their ids and takes them as parts of a turn, e.g. `,"calls":[…]`. */
  take(): string;
  deliver(text: string): void;
  call(namespace: number, member: number, args: unknown, options: unknown, below: unknown): object;
  /** Counts from the start again; no call may be open. */
  reset(): void;
  /** Counts a call as settled; one that the program gave up is cancelled at the host, for the reason that is given. */
  settle(record: CallRecord, cancelled?: string): void;
}

/** The part that makes a call fail. */
export interface CallFailures {
  /** A promise that rejects with the namespace's error; no call is made. */
  refuse(namespace: number, member: string, message: string, code: string, below: unknown): object;
  /** Rejects a call. An empty code is none. */
  fail(record: CallRecord, message: string, code: string): void;
  /** Rejects a call now and has the host cancel it. */
  giveUp(record: CallRecord, message: string, code: string, cause: unknown): void;
  /**
   * Looks at a call that is not plainly fine, and arms what its options ask for.
   *
   * @param text what the arguments became; `undefined` when they were refused
   * @returns the rejected promise of a call that cannot be made
   */
  check(
    record: CallRecord,
    args: unknown,
    text: string | undefined,
    options: unknown,
    isOverLimit: boolean,
  ): object | undefined;
}
