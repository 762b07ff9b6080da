import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logBeginning } from '#dist/runtime/sandbox/log-beginning.js';

describe('the beginning of a log that is too large to be read', () => {
  it('M25, E102: wherever it is cut, its entries are those that were sent, and the last one a beginning', () => {
    const part = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '€', '😀', '\ud800', '\\u', 'u00');
    const entries = fc.array(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(entries, fc.nat(), fc.boolean(), (sent, at, isText) => {
        const text = JSON.stringify(sent);
        const payload = isText ? text : Buffer.from(text);
        const got = logBeginning(payload, 1 + (at % (payload.length - 1)));
        expect(got.length).toBeLessThanOrEqual(sent.length + 1);
        got.forEach((entry, index) => {
          const whole = sent[index] ?? '';
          if (index < got.length - 1) expect(entry).toBe(whole);
          else expect(whole.startsWith(entry)).toBe(true);
        });
      }),
    );
  });

  it('M51: what does not begin as a log does is nothing', () => {
    for (const forged of ['{"a":"', '[1,2', 'x', '', '[["a"', '[null,"', '"a']) {
      expect([forged, logBeginning(forged, 100)]).toEqual([forged, []]);
    }
  });
});
