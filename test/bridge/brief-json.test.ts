import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefJson, briefText } from '#dist/bridge/brief-json.js';

describe('briefJson', () => {
  it('C55: a value that fits is its JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(briefJson(value, 1_000_000)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('C55: a longer one keeps its beginning, ends with a mark, and never exceeds the room', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 2, max: 30 }), (value, max) => {
        const whole = JSON.stringify(value);
        const brief = briefJson(value, max);
        if (whole.length <= max) {
          expect(brief).toBe(whole);
          return;
        }
        expect(brief.length).toBeLessThanOrEqual(max);
        expect(brief.at(-1)).toBe('…');
        expect(whole.startsWith(brief.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('C55: it looks at no more of a value than it shows', () => {
    let reads = 0;
    const rows = Array.from({ length: 10_000 }, () =>
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get() {
          reads += 1;
          return 1;
        },
      }),
    );
    expect(briefJson(rows, 20)).toBe('[{"a":1},{"a":1},{"…');
    expect(reads).toBeLessThan(5);
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(briefJson(deep, 6)).toBe('[[[[[…');
  });
});

describe('briefText', () => {
  it('C55: a text becomes one line, cut with a mark and never inside a character', () => {
    expect(briefText('no such file:\n  a.txt\n', 40)).toBe('no such file: a.txt');
    expect(briefText('x'.repeat(50), 10)).toBe('xxxxxxxxx…');
    expect(briefText('😀😀😀', 4)).toBe('😀…');
    expect(briefText(' '.repeat(1000), 10)).toBe('…');
  });
});
