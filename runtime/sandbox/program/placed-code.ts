import type { SourcePosition } from '../../contract/code-runtime.js';
import { type EditedText, unshift } from './edits.js';
import { type Lines, linesOf } from './lines.js';

/** The program's body as the engine gets it, and the way back. */
export interface PlacedCode {
  readonly text: string;
  toSource(line: number, column: number): SourcePosition | undefined;
  /** Nothing moved. */
  readonly isLinear: boolean;
}

/** A rewritten body: its text, and where a position of it was before. */
interface Rewritten {
  readonly text: string;
  original(line: number, column: number): { readonly line: number; readonly column: number } | undefined;
}

/**
 * Puts the parts of a program together.
 *
 * @param lines - The lines of the text in which positions count.
 * @param edited - The source after its edits.
 * @param rewritten - What the compiler made of the edited text with the tail, when it had to.
 */
export const mapped = (lines: Lines, edited: EditedText, tail: string, rewritten?: Rewritten): PlacedCode => {
  const inSource = (line: number, column: number): SourcePosition | undefined =>
    clamped(lines, line, unshift(edited.shifts, line, column));
  if (rewritten) {
    return {
      text: rewritten.text,
      isLinear: false,
      toSource(line, column) {
        const at = rewritten.original(line, column);
        return at && inSource(at.line, at.column);
      },
    };
  }
  const text = `${unifiedBreaks(edited.text)}${tail}`;
  if (!/[\u2028\u2029]/.test(text)) return { text, toSource: inSource, isLinear: edited.shifts.length === 0 };
  // Engines end a line at a line separator too, even within a string; editors and models do not.
  const starts = engineLines(edited.text);
  const editedLines = linesOf(edited.text);
  return {
    text,
    isLinear: false,

    toSource(line, column) {
      const start = starts[line - 1];
      if (start === undefined) return undefined;
      const at = editedLines.positionOf(start + column - 1);
      return inSource(at.line, at.column);
    },
  };
};

/** A CR alone ends a line for one engine and not for another; LF means the same everywhere in a program. */
const unifiedBreaks = (text: string): string => text.replace(/\r(?!\n)/g, '\n');

const engineLines = (text: string): number[] => {
  const starts = [0];
  for (const found of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(found.index + found[0].length);
  return starts;
};

const clamped = (lines: Lines, line: number, column: number): SourcePosition | undefined => {
  if (!(line >= 1) || line > lines.count) return undefined;
  return { line, column: Math.min(Math.max(1, column), lines.widthOf(line) + 1) };
};

/** For each line of the typed text the line of the source; what the tail adds belongs to the last one. */
export const lineMapper = (count: number, tail: string): number[] => {
  const added = tail.split('\n').length - 1;
  return Array.from({ length: count + added }, (_, at) => Math.min(at + 1, count));
};
