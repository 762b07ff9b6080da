import type { SourcePosition } from '../runtime/contract/execution.js';

/** How far a sub-call had come when its run was over; `taken-back` by the program itself, before it started. */
export type SubCallState = 'completed' | 'in-flight' | 'not-started' | 'taken-back' | 'unknown';

/** One sub-call as the text for the model tells of it. */
export interface SubCallNote {
  /** Counts from 1 in the order in which the program called. */
  readonly n: number;
  readonly name: string;
  /** The beginning of the arguments, on one line. */
  readonly args: string;
  readonly state: SubCallState;
  /** The program had given it up by its signal or deadline and no longer waited, so it is not one that nobody awaited. */
  readonly wasGivenUp?: boolean;
  /** Of a completed call. */
  readonly ok: boolean;
  /** One line: the value's beginning or the failure's message; empty where there is none yet. */
  readonly outcome: string;
  readonly position?: SourcePosition | undefined;
}
