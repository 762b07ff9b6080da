import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileDiffs } from '#dist/runtime/tools/file-diffs.js';
import { lineEdits } from '#dist/runtime/tools/line-edits.js';

const text = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('fileDiffs', () => {
  it('U13: without a before-image it is the whole file', () => {
    expect(fileDiffs('a.ts', null, 'new\n')).toStrictEqual([
      { path: 'a.ts', oldText: null, newText: 'new\n' },
    ]);
    expect(fileDiffs('a.ts', null, '')).toStrictEqual([{ path: 'a.ts', oldText: null, newText: '' }]);
  });

  it('U13: a change comes with three lines of context on both sides', () => {
    const before = numbered(20);
    const after = before.with(9, 'changed');
    expect(fileDiffs('a.ts', text(...before), text(...after))).toStrictEqual([
      { path: 'a.ts', oldText: text(...before.slice(6, 13)), newText: text(...after.slice(6, 13)) },
    ]);
  });

  it('U13: changes whose contexts touch share a hunk, others have their own', () => {
    const before = numbered(30);
    const near = fileDiffs('a', text(...before), text(...before.with(5, 'x').with(12, 'y')));
    const far = fileDiffs('a', text(...before), text(...before.with(5, 'x').with(13, 'y')));
    expect(near.map(({ oldText }) => oldText?.split('\n').length)).toEqual([15]);
    expect(far.map(({ oldText }) => oldText?.split('\n').length)).toEqual([8, 8]);
  });

  it('U13: equal texts have no hunk, and the ends of a file are no context beyond it', () => {
    expect(fileDiffs('a', 'same', 'same')).toEqual([]);
    expect(fileDiffs('a', '', '')).toEqual([]);
    expect(fileDiffs('a', '', 'x')).toEqual([{ path: 'a', oldText: '', newText: 'x' }]);
    expect(fileDiffs('a', 'x\n', '')).toEqual([{ path: 'a', oldText: 'x\n', newText: '' }]);
    expect(fileDiffs('a', 'x', 'x\n')).toEqual([{ path: 'a', oldText: 'x', newText: 'x\n' }]);
    expect(fileDiffs('a', 'a\r\nb', 'a\r\nc', 0)).toEqual([{ path: 'a', oldText: 'b', newText: 'c' }]);
  });

  it('U13: replacing each hunk in its order turns the old text into the new one', () => {
    const file = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 30 })
      .map((lines) => lines.join(''));
    fc.assert(
      fc.property(file, file, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        const oldLines = before.match(/[^\n]*\n/g) ?? [];
        const newLines = after.match(/[^\n]*\n/g) ?? [];
        const edits = lineEdits(oldLines, newLines);
        const patched: string[] = [];
        let at = 0;
        for (const { from, to, newFrom, newTo } of edits) {
          patched.push(...oldLines.slice(at, from), ...newLines.slice(newFrom, newTo));
          at = to;
        }
        patched.push(...oldLines.slice(at));
        expect(patched).toEqual(newLines);
        const removed = edits.reduce((sum, { from, to }) => sum + to - from, 0);
        const added = edits.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0);
        expect(removed + added).toBe(
          oldLines.length + newLines.length - 2 * longestCommon(oldLines, newLines),
        );
        for (const { oldText, newText } of fileDiffs('a', before, after, context)) {
          expect(before).toContain(oldText);
          expect(after).toContain(newText);
          expect(newText).not.toBe(oldText);
        }
      }),
    );
  });

  it('U13: texts that have little in common are one change, in bounded time', () => {
    const before = numbered(20_000);
    const after = before.map((line) => `${line} changed`).with(10_000, 'line 10001');
    expect(lineEdits(before, after)).toEqual([{ from: 0, to: 20_000, newFrom: 0, newTo: 20_000 }]);
  });
});

function longestCommon(before: readonly string[], after: readonly string[]): number {
  let previous = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const current = [0];
    for (const [index, other] of after.entries()) {
      current.push(line === other ? previous[index]! + 1 : Math.max(previous[index + 1]!, current[index]!));
    }
    previous = current;
  }
  return previous.at(-1)!;
}
