import type { CodeRunFailure, PreparedProgram, SourcePosition } from '../../contract/code-runtime.js';

/** The model's text, ready to be run or refused. */
export type PreparedRun = ReadyRun | RefusedRun;

/** A program that an engine can compile. */
export interface ReadyRun {
  readonly ok: true;
  /**
   * One expression, a function of the namespaces' names and error classes that returns the program as an async function.
   * The program starts on the first line.
   */
  readonly code: string;
  /** What the engine has to add to a column of the first line: the length of what stands in front, negative. */
  readonly columnOffset: number;
  readonly prepared: PreparedProgram;
  /** The text in which positions count: the model's, from the first line after the fence when there is one. */
  readonly source: string;
  /**
   * The position in {@link ReadyRun.source} for one in `code`, as an engine with `columnOffset` reports it: line and column
   * from 1, in UTF-16 units. `undefined` for what is not the program's own.
   */
  toSource(line: number, column: number): SourcePosition | undefined;
  /** Set when a constant shift is all that {@link ReadyRun.toSource} does within the program. */
  readonly linear?: {
    /** To be added to a line. */
    readonly lineShift: number;
    /** To be added to a column of the first line, beside `columnOffset`. */
    readonly firstLineColumnShift: number;
  };
  /** The value is that of a last expression: one that is not lossless JSON is a note, not a failure. */
  readonly implicit: boolean;
  /** A function that the program declares and never calls; worth a note when there is neither value nor output. */
  readonly uncalledFunction?: string;
}

/** A text that is no program. */
export interface RefusedRun {
  readonly ok: false;
  readonly failure: CodeRunFailure;
}
