import type { CodeRunFailure, PreparedProgram, SourcePosition } from '../../runtime/contract/code-runtime.js';
import { codeFrame } from '../../runtime/sandbox/program/code-frame.js';
import { unshift } from '../../runtime/sandbox/program/edits.js';
import { type Lines, linesOf } from '../../runtime/sandbox/program/lines.js';
import type { CheckerText } from '../../sdk-gen/checker/checker-text.js';
import type { Finding } from './checker-session.js';
import { rewrite } from './rewrite.js';

/** One thing that the checker found, in the model's terms. */
export interface TypeCheckMessage {
  /** In the text the model sent. */
  readonly position: SourcePosition;
  readonly text: string;
}

/** What became of one program's check. */
export type TypeCheckReport =
  | {
      readonly status: 'checked';
      /** At most ten. */
      readonly errors: readonly TypeCheckMessage[];
      /** What right programs do too; at most ten. */
      readonly warnings: readonly TypeCheckMessage[];
      /** How many errors there were. */
      readonly total: number;
    }
  /** It runs, or ran, without having been checked. */
  | { readonly status: 'not-checked'; readonly cause: UncheckedCause; readonly reason: string };

/**
 * Why a program was not checked: it is too large or its types too complex, the check took too long or failed, the same
 * text had been refused before, or there is no checker.
 */
export type UncheckedCause =
  | 'too-large'
  | 'too-complex'
  | 'deadline'
  | 'failed'
  | 'sent-again'
  | 'unavailable';

/** The most messages that are told. */
const MOST_MESSAGES = 10;

/** Puts findings into the model's terms. */
export function reportOf(
  findings: readonly Finding[],
  prepared: PreparedProgram,
  sdk: CheckerText,
): TypeCheckReport {
  if (findings.some(({ verdict }) => verdict === 'unchecked')) {
    return { status: 'not-checked', cause: 'too-complex', reason: 'its types are too complex' };
  }
  const lines = linesOf(prepared.typedText);
  const of = (wanted: Finding['verdict']): readonly Finding[] =>
    distinct(findings.filter(({ verdict }) => verdict === wanted));
  const told = (finding: Finding): TypeCheckMessage => ({
    position: positionAt(finding.pos, lines, prepared),
    text:
      finding.diagnostic === undefined
        ? (finding.words ?? '')
        : rewrite(finding.diagnostic, sdk, finding.near),
  });
  const errors = of('error');
  return {
    status: 'checked',
    errors: errors.slice(0, MOST_MESSAGES).map(told),
    warnings: of('warning').slice(0, MOST_MESSAGES).map(told),
    total: errors.length,
  };
}

/** One finding for each place: what is said twice of it says nothing new. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const places = new Set<number>();
  return findings.filter(({ pos }) => !places.has(pos) && places.add(pos));
}

/** The refusal of a program, as its model reads it. */
export function refusal(
  errors: readonly TypeCheckMessage[],
  total: number,
  prepared: PreparedProgram,
): CodeRunFailure {
  const first = errors[0]!;
  const lines = errors.map(messageLine);
  if (total > errors.length) lines.push(`… and ${total - errors.length} more`);
  const count = total === 1 ? 'A type error' : `${total} type errors`;
  return {
    kind: 'type-check',
    message: `${count}; nothing was run.\n${lines.join('\n')}`,
    position: first.position,
    frame: codeFrame(prepared.source ?? prepared.typedText, first.position),
    hint: 'If the program is right as it is, send the same text again: it then runs unchecked.',
  };
}

/** How many errors of a program that runs all the same are told. */
const MOST_NOTED = 3;

/** What the model is told beside the outcome of a program that ran, or nothing. */
export function noteOf(report: TypeCheckReport): string | undefined {
  if (report.status === 'not-checked') {
    return TOLD.has(report.cause) ? `Types were not checked: ${report.reason}.` : undefined;
  }
  if (report.total === 0) return undefined;
  const shown = report.errors.slice(0, MOST_NOTED);
  const rest = report.total > shown.length ? [`… and ${report.total - shown.length} more`] : [];
  return ['The type check found:', ...shown.map(messageLine), ...rest].join('\n');
}

const TOLD: ReadonlySet<UncheckedCause> = new Set(['too-large', 'too-complex', 'deadline']);

const messageLine = ({ position, text }: TypeCheckMessage): string =>
  `line ${position.line}, column ${position.column}: ${text}`;

/** A place of the checked text in the model's own. */
function positionAt(
  pos: number,
  lines: Lines,
  { lineMap, columnShifts = [] }: PreparedProgram,
): SourcePosition {
  const { line, column } = lines.positionOf(pos);
  return { line: lineMap[line - 1] ?? line, column: Math.max(1, unshift(columnShifts, line, column)) };
}
