import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputLedger } from '#dist/runtime/sandbox/ledger.js';
import { composeResult, overflowFailure } from '#dist/runtime/sandbox/run-result.js';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function ledgerWith(maxBytes: number, ...logs: string[]) {
  const ledger = new OutputLedger(maxBytes, 1000);
  const taken = logs.map((entry) => ledger.addLog(entry));
  return { ledger, taken };
}

const fits = (ledger: OutputLedger, value: unknown) => ledger.fitsValue(value, bytesOf(value), false);

describe('the output ledger', () => {
  it('M24, E99: exactly at the cap passes, one byte over fails', () => {
    expect(fits(ledgerWith(7).ledger, '€')).toBe(true);
    expect(fits(ledgerWith(6).ledger, '€')).toBe(false);
    expect(fits(ledgerWith(11, 'abc').ledger, 'xy')).toBe(true);
    expect(fits(ledgerWith(10, 'abc').ledger, 'xy')).toBe(false);
  });

  it('M23: logs count as the JSON of their list, with brackets and commas', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (logs, value) => {
        const total = bytesOf(logs) + bytesOf(value);
        expect(fits(ledgerWith(total, ...logs).ledger, value)).toBe(true);
        expect(fits(ledgerWith(total - 1, ...logs).ledger, value)).toBe(false);
      }),
    );
  });

  it('M23: a number is counted as it is written out, not as it came', () => {
    const { ledger } = ledgerWith(22);
    expect(ledger.fitsValue(JSON.parse('1e20'), 4, true)).toBe(false);
    expect(new OutputLedger(23, 1).fitsValue(JSON.parse('1e20'), 4, true)).toBe(true);
  });

  it('M23: blanks and needless escapes of the text that a value came in do not count', () => {
    const text = '  { "a" : "\\u0061" }  ';
    const value: unknown = JSON.parse(text);
    expect(new OutputLedger(11, 1).fitsValue(value, text.length, false)).toBe(true);
    expect(new OutputLedger(10, 1).fitsValue(value, text.length, false)).toBe(false);
  });

  it('M25, E102: an entry that does not fit leaves its beginning, cut at a code point, and nothing after it', () => {
    const { ledger, taken } = ledgerWith(14, 'abc', 'de😀', 'f');
    expect(taken).toEqual([true, false, false]);
    expect(ledger.logs).toEqual(['abc', 'de']);
  });

  it('M25: the failure names the cap, and its message and the logs stay below it together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 20 }),
        fc.integer({ min: 4, max: 400 }),
        (logs, cap) => {
          const { ledger, taken } = ledgerWith(cap, ...logs);
          if (!taken.includes(false)) return;
          const { error, logs: kept } = composeResult(
            { failure: overflowFailure(ledger) },
            ledger,
            {} as never,
          );
          expect(error?.kind).toBe('output-limit');
          expect(error?.limit).toBe(cap);
          expect(bytesOf(kept) + bytesOf(error?.message)).toBeLessThanOrEqual(cap);
          expect(logs.slice(0, kept.length).every((entry, index) => entry.startsWith(kept[index]!))).toBe(
            true,
          );
          if (cap >= 120) expect(error?.message).toContain(String(cap));
        },
      ),
    );
  });

  it('M25: the smallest cap leaves an empty list and an empty message', () => {
    const { ledger } = ledgerWith(4, 'abc');
    const result = composeResult({ failure: overflowFailure(ledger) }, ledger, {} as never);
    expect([result.logs, result.error?.message, 'value' in result]).toEqual([[], '', false]);
  });

  it('M26, E100: an oversized message becomes an output limit that quotes its beginning', () => {
    const { ledger } = ledgerWith(20_000, 'kept');
    const failure = { kind: 'exception', message: `Error: cause-at-front ${'E'.repeat(100_000)}` } as const;
    const { error, logs } = composeResult({ failure }, ledger, {} as never);
    expect(error?.kind).toBe('output-limit');
    expect(error?.message).toContain('Error: cause-at-front EEE');
    expect(error?.message).toContain('20000');
    expect(bytesOf(logs) + bytesOf(error?.message)).toBeLessThanOrEqual(20_000);
    expect(logs).toEqual(['kept']);
  });

  it('M23: a failure whose message fits stays what it is', () => {
    const failure = { kind: 'exception', message: 'Error: x' } as const;
    const { ledger } = ledgerWith(2 + bytesOf('Error: x'));
    expect(composeResult({ failure }, ledger, {} as never).error).toEqual(failure);
  });

  it('M23: entries have a cap of their own, which the failure names', () => {
    const ledger = new OutputLedger(1000, 2);
    expect([ledger.addLog('a'), ledger.addLog('b'), ledger.addLog('c')]).toEqual([true, true, false]);
    expect(overflowFailure(ledger)).toEqual({
      kind: 'output-limit',
      limit: 2,
      message: 'Too many log entries: wanted at most 2 (maxLogEntries)',
    });
    expect(ledger.logs).toEqual(['a', 'b']);
  });
});
