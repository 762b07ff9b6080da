import { PROGRAM_FILE } from './guest/prelude.js';
import type { GuestFailure } from './guest/run-types.js';
import type { GuestStop } from './peer-types.js';
import { codeFrame } from './program/code-frame.js';
import { hintFor } from './program/hints.js';
import { computeFailure, memoryFailure } from './shared-failures.js';
import type { CodeRunFailure, GuestLimits, SourcePosition, WireNamespace } from './wire.js';

/** What a failure's text is made from besides what the guest says. */
export interface FailureSource {
  /** The text in which positions count. */
  readonly source: string;
  readonly namespaces: readonly WireNamespace[];
  toSource(line: number, column: number): SourcePosition | undefined;
}

/** Turns what the guest said of its failure into the run's failure, in the model's own positions. */
export function guestFailure(failure: GuestFailure, source: FailureSource): CodeRunFailure {
  const lines = [alike(failure.header)];
  let first: SourcePosition | undefined;
  for (const [name, line, column] of failure.frames ?? []) {
    const position = source.toSource(line, column);
    if (position === undefined) continue;
    first ??= position;
    const place = `${PROGRAM_FILE}:${position.line}:${position.column}`;
    lines.push(name === '' ? `    at ${place}` : `    at ${name} (${place})`);
  }
  lines.push(...(failure.tail ?? []));
  const { name, message } = failure;
  const hint =
    failure.kind === 'exception' ? hintFor({ name, message, position: first, ...source }) : undefined;
  return {
    kind: failure.kind,
    message: lines.join('\n'),
    ...placed(first, source),
    ...(hint === undefined ? {} : { hint }),
    ...(failure.code === undefined ? {} : { code: failure.code }),
  };
}

/** One engine puts quotes around the name that nothing declares; a model reads the same of both. */
const alike = (header: string): string =>
  header.replace(
    /^ReferenceError: '([\p{ID_Continue}$]+)' is not defined/u,
    'ReferenceError: $1 is not defined',
  );

function placed(position: SourcePosition | undefined, { source }: FailureSource) {
  return position === undefined ? {} : { position, frame: codeFrame(source, position) };
}

/** The failure of a run that the engine ended. */
export function stopFailure(
  stop: GuestStop,
  limits: GuestLimits,
  computeMs: number,
  source: FailureSource,
): CodeRunFailure {
  switch (stop.kind) {
    case 'timeout':
      // The engine's clock and the one that charges differ by a little.
      return computeFailure(limits.computeMs, Math.max(limits.computeMs, computeMs));
    case 'memory':
      return memoryFailure(limits.memoryMb);
    case 'output':
      return {
        kind: 'output-limit',
        limit: limits.maxOutputBytes,
        message: `The program's output is larger than its limit of ${limits.maxOutputBytes} bytes`,
      };
    case 'overflow':
      return {
        kind: 'exception',
        message: 'InternalError: stack overflow',
        hint: 'The program, or a text that it parses or evaluates, is nested too deeply or recurses without end',
      };
    case 'compile-error':
      return {
        kind: 'syntax',
        message: `SyntaxError: ${stop.message}`,
        ...placed(source.toSource(stop.line, stop.column), source),
      };
    case 'broken':
      return { kind: 'sandbox-died', message: `The sandbox's engine failed: ${stop.message}` };
    case 'idle':
      return { kind: 'protocol', message: 'The guest stopped without saying why' };
  }
}
