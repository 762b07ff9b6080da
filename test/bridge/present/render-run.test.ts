import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSize } from '#dist/bridge/present/json-size.js';
import { renderRun } from '#dist/bridge/present/render-run.js';
import type { SubCallNote } from '#dist/bridge/sub-call-note.js';
import type { CodeRunFailure } from '#dist/runtime/contract/code-runtime.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';

const LIMIT = { maxContentBytes: 65_536 };

const call = (n: number, name: string, rest: Partial<SubCallNote> = {}): SubCallNote => ({
  n,
  name,
  args: '{}',
  state: 'completed',
  ok: true,
  outcome: '',
  ...rest,
});

const success = (
  value: JsonValue | undefined,
  logs: string[] = [],
  calls: SubCallNote[] = [],
  limits = LIMIT,
) => renderRun({ logs, ...(value === undefined ? {} : { value }) }, calls, limits).text;

const failure = (error: CodeRunFailure, logs: string[] = [], calls: SubCallNote[] = [], limits = LIMIT) =>
  renderRun({ logs, error }, calls, limits).text;

describe('the text of a successful run', () => {
  it('C53: logs come first, then the result; empty parts are dropped', () => {
    expect(success({ a: 1 }, ['one', 'two'])).toBe('one\ntwo\n{\n  "a": 1\n}');
    expect(success('raw\ntext', ['one'])).toBe('one\nraw\ntext');
    expect(success(undefined, ['one'])).toBe('one');
    expect(success('', ['one'])).toBe('one');
    expect(success(5)).toBe('5');
  });

  it('C53, E87: nothing printed and nothing returned is marked, with the calls that ran', () => {
    expect(success(undefined)).toBe('(completed with no output)');
    expect(success('')).toBe('(completed with no output)');
    expect(success('', [''])).toBe('(completed with no output)');
    expect(success(undefined, [], [call(1, 'add'), call(2, 'echo'), call(3, 'add', { ok: false })])).toBe(
      '(completed with no output; 3 calls ran: add ×2, echo)',
    );
    const many = Array.from({ length: 40 }, (_, n) => call(n + 1, `tool${n}`));
    expect(success(undefined, [], many)).toBe(
      '(completed with no output; 40 calls ran: tool0, tool1, tool2, tool3, tool4, tool5, tool6, tool7, tool8, tool9 and 30 more tools)',
    );
  });

  it('E86: null is a result', () => {
    expect(success(null)).toBe('null');
  });

  it('C54, E88: JSON is indented like JSON.stringify until the sixth level, then on one line', () => {
    const shallow = { a: [1, { b: 'x', c: [] }, {}], __proto__key: null, 'd"': true };
    expect(success(shallow)).toBe(JSON.stringify(shallow, null, 2));
    expect(success([[[[[[1, { a: 2 }]]]]]])).toBe(
      '[\n  [\n    [\n      [\n        [\n          [1,{"a":2}]\n        ]\n      ]\n    ]\n  ]\n]',
    );
    expect(success(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{\n  "__proto__": {\n    "a": 1\n  }\n}');
  });

  it('C54: five thousand levels are written without recursion, in less than 11 000 characters', () => {
    let deep: JsonValue = [];
    for (let level = 1; level < 5_000; level++) deep = [deep];
    const text = success(deep);
    expect(text.length).toBeLessThan(11_000);
    expect(text.split('[').length - 1).toBe(5_000);
  });

  it('C62: one last line names the calls that nobody awaited, with their lines', () => {
    const calls = [
      call(1, 'add'),
      call(2, 'record', { state: 'in-flight', position: { line: 1, column: 6 } }),
      call(3, 'record', { state: 'not-started', position: { line: 2, column: 6 } }),
      call(4, 'hang', { state: 'unknown' }),
    ];
    expect(success(1, ['log'], calls)).toBe(
      'log\n1\nCalls that nobody awaited when the program ended: #2 record (line 1) (in flight, aborted); ' +
        '#4 hang (may still be running); #3 record (line 2) (not started). Await every call whose effect matters.',
    );
  });

  it('W2: a note about the outcome stands on a line of its own', () => {
    expect(renderRun({ logs: [], value: 1, note: 'note' }, [], LIMIT).text).toBe('1\nnote');
    expect(renderRun({ logs: [], note: 'run() was never called' }, [], LIMIT).text).toBe(
      '(completed with no output)\nrun() was never called',
    );
  });
});

describe('the text of a large successful run', () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }));

  it('C69, M25: a large value is shown by shape, counts, head and tail, as valid JSON within the limit', () => {
    const text = success({ rows, total: 5_000 }, [], [], { maxContentBytes: 1_500 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500);
    const shown = JSON.parse(text);
    expect(shown.notice).toBe(
      'The output is 147805 bytes, 1500 can be shown. What stands between … marks was left out. ' +
        'To read more, return less (select, filter, slice or aggregate in the program) ' +
        'or read the spilled copy where one is named.',
    );
    expect(shown.shape).toBe('{ rows: array of 5000 × { id: number, name: string }, total: number }');
    expect(shown.result.total).toBe(5_000);
    expect(shown.result.rows[0]).toEqual({ id: 0, name: 'row 0' });
    expect(shown.result.rows.at(-1)).toEqual({ id: 4_999, name: 'row 4999' });
    expect(shown.result.rows.find((row: unknown) => typeof row === 'string')).toMatch(
      /^… \d+ of 5000 items left out …$/,
    );
  });

  it('C69: an output too large to be measured in passing is said to be more', () => {
    const { notice } = JSON.parse(success(['x'.repeat(2_000_000)]));
    expect(notice).toMatch(/^The output is more than 1048576 bytes, 65536 can be shown\. /);
  });

  it('C69: most of the limit is used, so that little is left out', () => {
    const text = success(rows);
    expect(Buffer.byteLength(text)).toBeGreaterThan(40_000);
  });

  it('C69, M25: a long text keeps its beginning and its end; logs are shown beside', () => {
    const text = success(`${'begin '.repeat(5_000)}the end`, ['first', 'x'.repeat(50_000), 'last'], [], {
      maxContentBytes: 2_000,
    });
    const { result, logs } = JSON.parse(text);
    expect(result).toMatch(/^begin begin .* … \d+ characters left out … .*begin the end$/);
    expect([logs[0], logs.at(-1)]).toEqual(['first', 'last']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  });

  it('M25: exactly at the limit the text is whole, one byte over it is a summary', () => {
    expect(success('é'.repeat(500), [], [], { maxContentBytes: 1_000 })).toBe('é'.repeat(500));
    expect(JSON.parse(success('é'.repeat(500), ['a'], [], { maxContentBytes: 1_001 })).shape).toBe(
      'text of 500 characters',
    );
  });

  it('C69, M25: whatever the value, the logs and the limit, the text fits and, when cut, is valid JSON', () => {
    const value = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<JsonValue>;
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(
        value,
        fc.array(text, { maxLength: 20 }),
        fc.integer({ min: 1, max: 2_000 }),
        (v, logs, max) => {
          const whole = success(v, logs);
          const shown = success(v, logs, [], { maxContentBytes: max });
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(max);
          if (Buffer.byteLength(whole) <= max) expect(shown).toBe(whole);
          else JSON.parse(shown);
        },
      ),
    );
  });
});

describe('the size of a value', () => {
  it('C69: it is that of its JSON text, measured no further than asked', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(), (value, limit) => {
        const bytes = Buffer.byteLength(JSON.stringify(value));
        expect(jsonSize(value as JsonValue)).toBe(bytes);
        expect(jsonSize(value as JsonValue, limit) > limit).toBe(bytes > limit);
      }),
    );
  });
});

describe('the text of a failed run', () => {
  const position = { line: 3, column: 11 };
  const frame = '> 3 | const c = = 3;\n    |           ^';

  it('C55: kind, message, place, lines around, advice, output, then what had been done', () => {
    const calls = [
      call(1, 'record', {
        args: '{"tag":"wrote"}',
        outcome: '{"ok":true}',
        position: { line: 1, column: 7 },
      }),
      call(2, 'add', { ok: false, outcome: '"a" wants a number', position }),
      call(3, 'hang', { state: 'in-flight', position: { line: 2, column: 1 } }),
      call(4, 'slow', { state: 'unknown' }),
      call(5, 'record', { args: '{"tag":"later"}', state: 'not-started' }),
    ];
    const error = {
      kind: 'exception',
      message: 'ToolCallError: "a" wants a number\n    at program.ts:3:11',
      position,
      frame,
      hint: 'Send numbers.',
    } as const;
    expect(failure(error, ['step 1', 'step 2'], calls)).toBe(
      [
        'code run failed (exception): ToolCallError: "a" wants a number',
        '    at program.ts:3:11',
        'at line 3, column 11:',
        '> 3 | const c = = 3;',
        '    |           ^',
        'The failed call: #2 add({})',
        'Hint: Send numbers.',
        'Captured output:',
        'step 1',
        'step 2',
        'Calls completed before the failure (2), their effects remain:',
        '  #1 record({"tag":"wrote"}) (line 1) -> {"ok":true}',
        '  #2 add (line 3) failed, see above',
        'Calls in flight when it failed, aborted, with unknown effect:',
        '  #3 hang({}) (line 2)',
        'Calls that may still be running, with unknown effect:',
        '  #4 slow({})',
        'Calls not started:',
        '  #5 record({"tag":"later"})',
      ].join('\n'),
    );
  });

  it('C55: the call that ended the program is told once, and another that failed with its own reason', () => {
    const at = { line: 3, column: 11 };
    const ended = call(2, 'add', { ok: false, outcome: '"a" wants a number', position: at });
    const error = { kind: 'exception', message: 'ToolCallError: "a" wants a number', position: at } as const;
    expect(failure(error, [], [ended])).toBe(
      'code run failed (exception): ToolCallError: "a" wants a number\nat line 3, column 11\nThe failed call: #2 add({})',
    );
    const other = call(1, 'add', { ok: false, outcome: 'no', position: { line: 1, column: 1 } });
    expect(failure(error, [], [other, ended]).split('\n').slice(-3)).toEqual([
      'Calls completed before the failure (2):',
      '  #1 add({}) (line 1) failed: no',
      '  #2 add (line 3) failed, see above',
    ]);
  });

  it('C55: without output, place and calls there is the first line alone', () => {
    expect(failure({ kind: 'abort', message: 'Error: stop' })).toBe('code run failed (abort): Error: stop');
  });

  it('C55: many calls are capped, the first and the last stay', () => {
    const calls = Array.from({ length: 200 }, (_, n) => call(n + 1, 'add', { outcome: 'x' }));
    const text = failure({ kind: 'timeout', message: 'late' }, [], calls);
    expect(text.split('\n').length).toBe(1 + 1 + 20 + 1);
    expect(text).toContain('  #10 add({}) -> x\n  … 180 more calls …\n  #191 add({}) -> x');
  });

  it('C55: calls that never left the sandbox are listed as not started', () => {
    const calls = { completed: [], inFlight: [], notStarted: [{ n: 7, name: 'add', position }] };
    expect(failure({ kind: 'timeout', message: 'late', calls })).toBe(
      'code run failed (timeout): late\nCalls not started:\n  #7 add() (line 3)',
    );
  });

  it('M25: the front of a long message stays and a marker follows; the prefix of a failure counts', () => {
    const error = { kind: 'exception', message: `Error: cause-at-front ${'E'.repeat(5_000)}` } as const;
    const text = failure(error, [], [], { maxContentBytes: 200 });
    expect(text).toMatch(
      /^code run failed \(exception\): Error: cause-at-front E+… \[\d+ more characters left out\]$/,
    );
    expect(Buffer.byteLength(`Error: ${text}`)).toBeLessThanOrEqual(200);
  });

  it('M25: place, advice and calls stay beside a long message and long output', () => {
    const error = {
      kind: 'exception',
      message: `Error: ${'E'.repeat(50_000)}`,
      position,
      frame,
      hint: 'H.',
    } as const;
    const text = failure(error, ['L'.repeat(50_000)], [call(1, 'record')], { maxContentBytes: 4_000 });
    for (const part of ['at line 3, column 11:', 'Hint: H.', 'Captured output:\nL', '  #1 record({})'])
      expect(text).toContain(part);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_993);
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_800);
  });

  it('M25: whatever is said and printed, the text fits and starts as the message does', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(
        text,
        fc.array(text),
        text,
        fc.integer({ min: 40, max: 2_000 }),
        (message, logs, hint, max) => {
          const error = { kind: 'exception', message, hint, position, frame } as const;
          const shown = failure(error, logs, [call(1, 'add'), call(2, 'add')], { maxContentBytes: max });
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(max - 7);
          expect(shown.startsWith('code run failed'.slice(0, max - 7))).toBe(true);
        },
      ),
    );
  });
});
