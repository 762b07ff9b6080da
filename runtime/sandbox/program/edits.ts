import { linesOf } from './lines.js';

/** One change of a text: `[start, end)` becomes `text`, which holds no line break. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** From `column` of `line` on, the edited text stands `by` columns further right than the original. */
export interface Shift {
  readonly line: number;
  readonly column: number;
  readonly by: number;
}

/** A text after its edits, with what moved. Lines never move. */
export interface EditedText {
  readonly text: string;
  readonly shifts: readonly Shift[];
}

/** Applies edits, which must not overlap. What moves only blanks and comments at the end of a line is no shift. */
export const applyEdits = (text: string, edits: readonly Edit[]): EditedText => {
  if (edits.length === 0) return { text, shifts: [] };
  const lines = linesOf(text);
  const shifts: Shift[] = [];
  let out = '';
  let at = 0;
  let line = 0;
  let by = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
    const from = lines.positionOf(edit.start);
    if (from.line !== line) by = 0;
    line = from.line;
    const column = from.column + by + edit.text.length;
    by += edit.text.length - (edit.end - edit.start);
    if (by === 0) continue;
    const rest = text.slice(edit.end, lines.startOf(line + 1)).trim();
    if (rest !== '' && !rest.startsWith('//')) shifts.push({ line, column, by });
  }
  return { text: out + text.slice(at), shifts };
};

/** The column before the edits. A column inside of inserted text is the place where it was put. */
export const unshift = (shifts: readonly Shift[], line: number, column: number): number => {
  let by = 0;
  for (const shift of shifts) if (shift.line === line && shift.column <= column) by = shift.by;
  return column - by;
};
