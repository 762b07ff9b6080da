// What the parts of the prelude tell one another, and the peer, about the run; types only.

import type { GuestLimits } from '../wire.js';
import type { ErrorShape } from './kit.js';

/** One injected namespace as the guest keeps it. */
export interface Space {
  readonly index: number;
  readonly global: string;
  readonly members: readonly string[];
  /** Members take any arguments, not one object. */
  readonly list: boolean;
  /** Null-prototype: member name to its index, -1 for one that forwards. */
  readonly byName: Record<string, number>;
  /** Null-prototype: member name to the namespace whose members it calls. */
  readonly forwards: Record<string, number>;
}

/** The run as the guest keeps it; every field is its own. */
export interface GuestRun {
  readonly limits: GuestLimits;
  readonly implicit: boolean;
  /** When it was set up, ms of the engine's clock. */
  readonly startedAt: number;
  readonly uncalled: string | undefined;
  readonly shift: { readonly line: number; readonly firstLineColumn: number } | undefined;
  readonly spaces: Record<number, Space>;
  readonly shapes: Record<number, ErrorShape | undefined>;
  /** What the program's outer function is called with. */
  readonly args: object;
}

/** Why a program failed, as the guest tells its peer: raw positions, no code frame. */
export interface GuestFailure {
  readonly kind: 'exception' | 'invalid-output' | 'output-limit';
  /** `name: message`, or the text of what was thrown. */
  readonly header: string;
  /** `[function, line, column]` in the engine's own numbers. */
  readonly frames?: readonly (readonly [name: string, line: number, column: number])[];
  /** Properties, causes and collected errors, one line each. */
  readonly tail?: readonly string[];
  /** Name and message of an error, for hints. */
  readonly name?: string;
  readonly message?: string;
  /** What was thrown is an error of the engine's own, as when memory runs out: an `InternalError`, or `null`. */
  readonly isEngineFault?: boolean;
  /** Code of a binding's failure. */
  readonly code?: string;
}
