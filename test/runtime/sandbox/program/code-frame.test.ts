import { describe, expect, it } from 'vitest';
import { codeFrame } from '#dist/runtime/sandbox/program/code-frame.js';

const frame = (source: string, line: number, column: number) => codeFrame(source, { line, column });

describe('the lines around a position', () => {
  const ten = Array.from({ length: 12 }, (_, n) => `line ${n + 1}`).join('\n');

  it('M14: two lines before and after, numbered, with a caret below the column', () => {
    expect(frame(ten, 9, 6)).toBe(
      [
        '   7 | line 7',
        '   8 | line 8',
        '>  9 | line 9',
        '     |      ^',
        '  10 | line 10',
        '  11 | line 11',
      ].join('\n'),
    );
    expect(frame(ten, 1, 1)).toBe('> 1 | line 1\n    | ^\n  2 | line 2\n  3 | line 3');
    expect(frame(ten, 12, 99)).toBe('  10 | line 10\n  11 | line 11\n> 12 | line 12\n     |        ^');
  });

  it('M14: CRLF, tabs and astral signs keep the caret below its column', () => {
    expect(frame('a\r\n\tb = = c\r\nd', 2, 6)).toBe('  1 | a\n> 2 | \tb = = c\n    | \t    ^\n  3 | d');
    expect(frame('"😀" = x', 1, 6)).toBe('> 1 | "😀" = x\n    |      ^');
  });

  it('M14: a long line is shown as a window around the column', () => {
    const [shown, caret] = frame(`${'a'.repeat(5_000)}!${'b'.repeat(5_000)}`, 1, 5_001).split('\n');
    expect(shown!.length).toBeLessThan(140);
    expect(shown![caret!.indexOf('^')]).toBe('!');
  });

  it('M14: control signs and halves of signs cannot disturb the text, no position is out of range', () => {
    expect(frame('a\u0000b\u001b[31m\ud800', 1, 1)).toBe('> 1 | a\ufffdb\ufffd[31m\ufffd\n    | ^');
    expect(frame('', 5, 5)).toBe('> 1 |\n    | ^');
    expect(frame('x', -3, 0)).toBe('> 1 | x\n    | ^');
    expect(frame('a\n', 2, 1)).toBe('  1 | a\n> 2 |\n    | ^');
  });
});
