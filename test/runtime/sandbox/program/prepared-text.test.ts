import { describe, expect, it } from 'vitest';
import { unshift } from '#dist/runtime/sandbox/program/edits.js';
import { ready } from './run.js';

/** The column at which a word of the typed text stands in the model's own. */
function columnOf(text: string, word: string): number {
  const { typedText, columnShifts = [] } = ready(text).prepared;
  const lines = typedText.split('\n');
  const line = lines.findIndex((one) => one.includes(word));
  return unshift(columnShifts, line + 1, lines[line]!.indexOf(word) + 1);
}

describe('what is prepared for a checker of types', () => {
  it('C70, M14: a body is the text of the model itself', () => {
    const text = 'const a: number = 1;\nreturn a;';
    expect(ready(text).prepared).toEqual({ typedText: text, lineMap: [1, 2], form: 'body' });
    expect(ready(`\`\`\`ts\n${text}\n\`\`\``).prepared).toMatchObject({ form: 'fenced' });
    expect(ready(`\`\`\`ts\n${text}\n\`\`\``).prepared.source).toBeUndefined();
  });

  it.each([
    'async () => { return tools.nope(); }',
    'export default async function () { return tools.nope(); }',
    'async () => {\n  return tools.nope();\n}',
    '/* é😀 */ async () => tools.nope()',
  ])('C70, M14: a whole function %j comes with its own text and the way back to its columns', (text) => {
    const { source, typedText } = ready(text).prepared;
    expect(source).toBe(text);
    expect(typedText).not.toBe(text);
    const line = text.split('\n').find((one) => one.includes('nope'))!;
    expect(columnOf(text, 'nope')).toBe(line.indexOf('nope') + 1);
  });
});
