import type { JsonValue } from '../core/json-value.js';
import type { SourcePosition } from './execution.js';

export type { SourcePosition };

/** Why a program did not succeed. Closed: a deadline is never an exception, an abort never a timeout. */
export type CodeRunFailureKind =
  | 'exception'
  | 'syntax'
  | 'timeout'
  | 'abort'
  | 'memory-limit'
  | 'sandbox-died'
  | 'invalid-output'
  | 'output-limit'
  | 'protocol'
  | 'sandbox-unavailable'
  | 'deadlock'
  | 'rejected'
  | 'type-check'
  | 'suspended'
  | 'replay-divergence';

/** One binding call as a failure lists it. */
export interface CodeRunCallNote {
  /** Counts from 1 in the order in which the program called. */
  readonly n: number;
  readonly name: string;
  readonly ok?: boolean;
  readonly position?: SourcePosition;
}

/** A program's failure: a value, never a throw. */
export interface CodeRunFailure {
  readonly kind: CodeRunFailureKind;
  readonly message: string;
  /** In the text the model sent. */
  readonly position?: SourcePosition;
  /** The model's own lines around `position`, with a caret. */
  readonly frame?: string;
  /** One sentence: what to write instead. */
  readonly hint?: string;
  /** A code of the library's own table. */
  readonly code?: string;
  /** Which budget ended the run. */
  readonly budget?: 'compute' | 'wall';
  /** The limit that was hit, in the unit of its option. */
  readonly limit?: number;
  readonly used?: number;
  readonly calls?: {
    readonly completed: readonly CodeRunCallNote[];
    readonly inFlight: readonly CodeRunCallNote[];
    readonly notStarted: readonly CodeRunCallNote[];
  };
}

/** What a run cost. */
export interface CodeRunStats {
  readonly wallMs: number;
  readonly computeMs: number;
  readonly calls: number;
  /** UTF-8 bytes of messages from and to the guest. */
  readonly bytesOut: number;
  readonly bytesIn: number;
  readonly peakHeapBytes?: number;
  readonly engine: string;
  readonly placement: 'process' | 'in-process';
}

/** The one outcome of a run. `value` is absent when the program returned nothing or failed; `null` is a value. */
export interface CodeRunResult {
  readonly logs: readonly string[];
  readonly value?: JsonValue;
  readonly error?: CodeRunFailure;
  /** One line for the model about a success, e.g. that an implicit value could not leave the program. */
  readonly note?: string;
  /** Calls that the program had made and nobody awaited when its body returned. */
  readonly unawaited?: readonly CodeRunCallNote[];
  readonly stats: CodeRunStats;
}

/** What the host is told with each binding call. */
export interface CodeBindingCall {
  /** Counts from 1 within the run. */
  readonly n: number;
  readonly position?: SourcePosition;
  /** A program asked for this call to be given up; aborted when the run ends too. */
  readonly signal: AbortSignal;
  /**
   * `false` = the program kept no way to give this call up, so its signal says nothing that the run's does not.
   * @default true
   */
  readonly isCancellable?: boolean;
  /** The deadline the program gave this call, in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Stops the run's wall budget, e.g. while a person decides, until the returned function is called; nests. Does nothing
   * where the runtime was not told to pause. Absent where a runtime has no such clock.
   */
  readonly pauseWall?: () => () => void;
}

/**
 * One host function that a program may call. `args` is lossless JSON.
 *
 * A rejection reaches the program as the namespace's error class, with `message` and, when it carries one, `code`.
 */
export type CodeBindingFunction = (args: JsonValue, call: CodeBindingCall) => Promise<unknown> | unknown;

/** One injected name with its members. Member names are any strings; only own properties count. */
export interface CodeBindingNamespace {
  readonly global: string;
  readonly functions: Readonly<Record<string, CodeBindingFunction>>;
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string };
  /**
   * `object`: a member takes one arguments object (absent = `{}`) and call options. `list`: a member takes any arguments
   * and the host gets them as one array.
   * @default 'object'
   */
  readonly argumentStyle?: 'object' | 'list';
  /**
   * Member names of this namespace that take `(memberName, args?, options?)` and call that member of another namespace,
   * e.g. `{ call: 'tools' }`. They need no function of their own.
   */
  readonly forwards?: Readonly<Record<string, string>>;
}

/** What the sandbox made of the model's text. */
export interface PreparedProgram {
  /** The program with its types, normalised, still TypeScript. */
  readonly typedText: string;
  /** For each line of `typedText` the 1-based line of the model's text. */
  readonly lineMap: readonly number[];
  /** How the text was read, e.g. `body`, `fenced`, `function`. */
  readonly form: string;
  /** The model's own text, in which positions count; absent when `typedText` is that text. */
  readonly source?: string;
  /** Where `typedText` stands further right than the model's text; absent when nowhere. Lines are those of `typedText`. */
  readonly columnShifts?: readonly ColumnShift[];
}

/** From `column` of `line` on, a text stands `by` columns further right than the one it was made of. */
export interface ColumnShift {
  readonly line: number;
  readonly column: number;
  readonly by: number;
}

/** One program to run. */
export interface CodeRunRequest {
  /** The model's raw text. */
  readonly program: string;
  readonly bindings: readonly CodeBindingNamespace[];
  readonly signal?: AbortSignal | undefined;
  /** Lowers the wall budget of this run, in milliseconds; clamped to `maxTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Looks at what the sandbox prepared before the first statement runs; a failure ends the run. */
  readonly beforeStart?: ((prepared: PreparedProgram) => Promise<CodeRunFailure | undefined>) | undefined;
}

/** Runs programs. Program outcomes resolve; only misuse (bad binding names, use after disposal) rejects. */
export interface CodeRuntime {
  /** Lowercase, e.g. `typescript`. */
  readonly language: string;
  /** Informational, lowercase, e.g. `process`. */
  readonly isolation: string;
  readonly executionInstructions?: string | undefined;
  /** The largest per-run deadline it accepts, in milliseconds; absent = no per-run deadline. */
  readonly maxTimeoutMs?: number | undefined;
  /** What its programs are written in, e.g. `ES2023`; absent = it does not say. */
  readonly languageLevel?: string | undefined;
  /**
   * Parts of the language's library that its programs do not have, by the names that TypeScript's option `lib` has for
   * them; absent = not known, or not yet.
   */
  readonly missingLibraries?: readonly string[] | undefined;
  run(request: CodeRunRequest): Promise<CodeRunResult>;
  /** Aborts what runs, waits until it has stopped. */
  dispose(): Promise<void>;
}
