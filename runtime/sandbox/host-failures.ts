import type { CodeRunCallNote, CodeRunFailure } from '../contract/code-runtime.js';
import { UNPRINTABLE_ERROR } from '../core/error-text.js';

type Calls = NonNullable<CodeRunFailure['calls']>;

/** Names that a list in a message shows. */
const SHOWN_NAMES = 8;

/**
 * The failure of a run that was given up.
 *
 * @param reason of the signal; may be anything
 */
export function abortFailure(reason: unknown): CodeRunFailure {
  let message: string;
  try {
    message = String(reason);
  } catch {
    message = UNPRINTABLE_ERROR;
  }
  return { kind: 'abort', message };
}

/** The failure of a run whose sandbox said something that it must not say. @param problem as text */
export function protocolFailure(problem: string): CodeRunFailure {
  return { kind: 'protocol', message: `The sandbox broke the protocol: ${problem}` };
}

/** The failure of a program that is too long to be read. @param limit bytes */
export function sourceFailure(bytes: number, limit: number): CodeRunFailure {
  return {
    kind: 'syntax',
    limit,
    used: bytes,
    message: `SyntaxError: The program takes ${bytes} bytes, wanted at most ${limit} (maxSourceBytes)`,
    hint: 'Send a shorter program; read long data through a tool instead of writing it into the program.',
  };
}

/**
 * A failure with the calls of its run; one of a budget says in its message how far they got, for its side effects stand.
 *
 * @example
 * withCalls(wallFailure(500), calls).message // '… of 500 ms; calls completed: read; in flight: none'
 */
export function withCalls(failure: CodeRunFailure, calls: Calls): CodeRunFailure {
  const isSilent = failure.kind !== 'timeout' || calls.completed.length + calls.inFlight.length === 0;
  const progress = isSilent
    ? ''
    : `; calls completed: ${names(calls.completed)}; in flight: ${names(calls.inFlight)}`;
  return { ...failure, message: failure.message + progress, calls };
}

function names(notes: readonly CodeRunCallNote[]): string {
  if (notes.length === 0) return 'none';
  const shown = notes.slice(0, SHOWN_NAMES).map(({ name }) => name);
  const more = notes.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
