import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefJson } from '#dist/bridge/brief-json.js';
import { CallNote } from '#dist/bridge/call-note.js';
import { frozenSnapshot } from '#dist/runtime/core/json.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import { failureResult } from '#dist/runtime/pipeline/outcome.js';

const noteOf = (args: unknown, value: unknown) =>
  new CallNote(3, 'read', { line: 2, column: 5 }, 'completed', false, args, {
    isError: false,
    value: value as never,
    content: [],
  });

/** As a value crosses: JSON has no `-0`. */
const crossing = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

describe('the note of a call', () => {
  it('C55: it shows the beginning of the arguments and of the outcome, whatever their size', () => {
    fc.assert(
      fc.property(crossing, crossing, (args, value) => {
        const note = noteOf(frozenSnapshot(args), frozenSnapshot(value));
        expect([note.args, note.outcome, note.ok]).toEqual([
          briefJson(args, 120),
          briefJson(value, 120),
          true,
        ]);
      }),
    );
    const long = { text: 'x'.repeat(10_000), rows: Array.from({ length: 1_000 }, (_, row) => ({ row })) };
    const note = noteOf(long, 'y'.repeat(10_000));
    expect([note.args, note.outcome]).toEqual([briefJson(long, 120), briefJson('y'.repeat(10_000), 120)]);
    expect(note.args.length).toBe(120);
  });

  it('C55: a failure shows one line of its message, and a call without an outcome shows none', () => {
    const args = { path: 'a' };
    const failed = new CallNote(
      1,
      'read',
      undefined,
      'completed',
      false,
      args,
      failureResult('no\n such file'),
    );
    expect([failed.args, failed.outcome, failed.ok]).toEqual(['{"path":"a"}', 'no such file', false]);
    const open = new CallNote(1, 'read', undefined, 'in-flight', true, args, undefined);
    expect([open.outcome, open.ok, open.state, open.wasGivenUp]).toEqual(['', false, 'in-flight', true]);
  });
});
