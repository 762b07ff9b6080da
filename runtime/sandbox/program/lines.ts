import type { SourcePosition } from '../../contract/execution.js';

/** The lines of a text as an editor counts them: each ends with LF, CRLF or CR. */
export interface Lines {
  readonly count: number;
  /** Offset of the first unit of a line, from 1; the end of the text for a line after the last. */
  startOf(line: number): number;
  /** UTF-16 units of a line, its break left out. */
  widthOf(line: number): number;
  /** Line and column of an offset, both from 1, columns in UTF-16 units; clamped to the text. */
  positionOf(offset: number): SourcePosition;
}

/** Finds the lines of a text once. */
export const linesOf = (text: string): Lines => {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return {
    count: starts.length,
    startOf: (line) => starts[line - 1] ?? text.length,
    widthOf(line) {
      let end = starts[line] ?? text.length;
      while (end > starts[line - 1]! && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
      return end - (starts[line - 1] ?? end);
    },
    positionOf(offset) {
      const at = Math.min(Math.max(offset, 0), text.length);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: at - starts[low]! + 1 };
    },
  };
};

/** The last offset at which a position is worth showing: behind the last unit that is not blank. */
export const endOfContent = (text: string): number => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  return end;
};
