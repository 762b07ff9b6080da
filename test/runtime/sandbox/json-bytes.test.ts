import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isDeeperThan, jsonStringBytes, jsonStringPrefix } from '#dist/runtime/sandbox/json-bytes.js';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Any UTF-16, lone surrogates and control characters included. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('"', '\\', '\n', '\u0001', '\u000b', '\u007f', '😀', '\ud800', '\udc00', '€', '\u2028'),
  ),
});

describe('sizes of JSON text', () => {
  it('M23, E99: a string is as long as JSON.stringify makes it, in UTF-8', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(jsonStringBytes(text)).toBe(bytesOf(text));
      }),
    );
  });

  it('M23, E99: escapes count exactly: quote 2, controls 2 or 6, lone surrogate 6, astral 4', () => {
    const sizes = ['"', '\\', '\n', '\u0000', '\ud800', '\udfff', '😀', '€', 'é', 'a'].map(
      (text) => jsonStringBytes(text) - 2,
    );
    expect(sizes).toEqual([2, 2, 2, 6, 6, 6, 4, 3, 2, 1]);
  });

  it('M27: a text that cannot fit is not even looked at, and one that may is followed no further than the limit', () => {
    const looked = vi.spyOn(RegExp.prototype, 'test');
    expect(jsonStringBytes('"'.repeat(1_000_000), 32)).toBe(33);
    expect(looked).not.toHaveBeenCalled();
    const read = vi.spyOn(String.prototype, 'charCodeAt');
    expect(jsonStringBytes('"'.repeat(1_000_000), 1_000_100)).toBe(1_000_101);
    expect(read.mock.calls.length).toBeLessThan(500_100);
    vi.restoreAllMocks();
  });

  it('M23, E102: long text is measured and cut like short text, whatever stands where it is looked at piece by piece', () => {
    const piece = fc.constantFrom(
      'x'.repeat(4095),
      'y'.repeat(4096),
      '😀',
      '"',
      '\ud800',
      '\udc00',
      'é',
      '\n',
      'z'.repeat(1000),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat({ max: 40_000 }), (pieces, limit) => {
        const text = pieces.join('');
        expect(jsonStringBytes(text)).toBe(bytesOf(text));
        const prefix = jsonStringPrefix(text, limit + 2);
        expect(text.startsWith(prefix)).toBe(true);
        expect(bytesOf(prefix)).toBeLessThanOrEqual(limit + 2);
        const next = String.fromCodePoint(text.codePointAt(prefix.length) ?? 0x61);
        if (prefix.length < text.length) expect(bytesOf(prefix + next)).toBeGreaterThan(limit + 2);
        expect(jsonStringBytes(text, limit + 2) > limit + 2).toBe(bytesOf(text) > limit + 2);
      }),
    );
  });

  it('E102: a prefix ends on a code point and is the longest that fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, limit) => {
        const prefix = jsonStringPrefix(text, limit);
        expect(text.startsWith(prefix)).toBe(true);
        expect(bytesOf(prefix)).toBeLessThanOrEqual(limit);
        if (prefix === text) return;
        const next = String.fromCodePoint(text.codePointAt(prefix.length)!);
        expect(bytesOf(prefix + next)).toBeGreaterThan(limit);
      }),
    );
    expect(jsonStringPrefix('ab😀', 7)).toBe('ab');
    expect(jsonStringPrefix('ab😀', 8)).toBe('ab😀');
  });

  it('M47: depth is read off the text, and brackets inside strings do not count', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect([isDeeperThan(nested(5), 5), isDeeperThan(nested(6), 5)]).toEqual([false, true]);
    expect(isDeeperThan(JSON.stringify({ a: '[[[[[[[[[[[["\\"' }), 1)).toBe(false);
    expect(isDeeperThan('[[],[],[],[],[],[],[],[]]', 2)).toBe(false);
    expect(isDeeperThan('['.repeat(1_000_000), 2000)).toBe(true);
  });
});
