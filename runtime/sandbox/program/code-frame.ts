import type { SourcePosition } from '../../contract/execution.js';
import { linesOf } from './lines.js';

const LINES_AROUND = 2;
const MAX_WIDTH = 120;

/**
 * The lines around a position, numbered, with a caret below the column.
 *
 * A long line is shown as a window around the column. At most five lines, so the text stays short whatever the program.
 *
 * @param source - The text in which `position` counts.
 * @param position - Line and column, both from 1; clamped to the text.
 * @example
 * codeFrame('const a = = 1;', { line: 1, column: 11 });
 * // > 1 | const a = = 1;
 * //     |           ^
 */
export const codeFrame = (source: string, position: SourcePosition): string => {
  const lines = linesOf(source);
  const line = Math.min(Math.max(position.line, 1), lines.count);
  const first = Math.max(1, line - LINES_AROUND);
  // What follows the last line break of a text is no line of it.
  const whole = lines.count - (lines.count > line && lines.startOf(lines.count) === source.length ? 1 : 0);
  const last = Math.min(whole, line + LINES_AROUND);
  const gutter = String(last).length;
  const textOf = (number: number) =>
    source.slice(lines.startOf(number), lines.startOf(number) + lines.widthOf(number));
  const target = textOf(line);
  const column = Math.min(Math.max(position.column, 1), target.length + 1);
  const from = column > MAX_WIDTH - 20 ? column - MAX_WIDTH / 2 : 0;
  const out: string[] = [];
  for (let number = first; number <= last; number++) {
    const shown = windowOf(number === line ? target : textOf(number), from);
    out.push(`${number === line ? '>' : ' '} ${String(number).padStart(gutter)} | ${shown}`.trimEnd());
    if (number !== line) continue;
    // Tabs stay tabs below tabs, so the caret stands right whatever a tab is worth.
    const before = windowOf(target, from)
      .slice(0, column - 1 - from + (from > 0 ? 1 : 0))
      .replace(/[^\t]/g, ' ');
    out.push(`  ${' '.repeat(gutter)} | ${before}^`);
  }
  return out.join('\n');
};

const windowOf = (line: string, from: number): string => {
  const cut = line.slice(from, from + MAX_WIDTH);
  const shown = `${from > 0 && line.length > 0 ? '…' : ''}${cut}${from + MAX_WIDTH < line.length ? '…' : ''}`;
  return shown.replace(/[\u2028\u2029\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/gu, '\ufffd');
};
