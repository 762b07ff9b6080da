import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder, payloadBytes, payloadText } from '#dist/runtime/sandbox/codec.js';

interface Decoded {
  readonly type: number;
  readonly run: number;
  readonly text: string | undefined;
}

function decodeAll(chunks: readonly Buffer[], maxFrameBytes = 1 << 20) {
  const decoder = new FrameDecoder(maxFrameBytes);
  const frames: Decoded[] = [];
  let problem: string | undefined;
  for (const chunk of chunks) {
    problem = decoder.push(chunk, ({ type, run, payload }) => {
      frames.push({ type, run, text: payloadText(payload) });
    });
  }
  return { frames, problem };
}

/** Cuts bytes at the given places, however many there are. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}

const frame = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  run: fc.integer({ min: 0, max: 0xffffffff }),
  text: fc.string({ unit: 'binary', maxLength: 200 }),
});

describe('frames', () => {
  it('E115: frames come out as they went in, however the stream is cut, inside a character too', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (frames, places) => {
          const bytes = Buffer.concat(frames.map(({ type, run, text }) => encodeFrame(type, run, text)));
          expect(decodeAll(cut(bytes, places))).toEqual({ frames, problem: undefined });
        },
      ),
    );
  });

  it('E115: one byte at a time is a stream like any other', () => {
    const bytes = encodeFrame(18, 7, 'à€😀');
    const single = Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));
    expect(decodeAll(single).frames).toEqual([{ type: 18, run: 7, text: 'à€😀' }]);
  });

  it('M50: an oversized length is refused before its payload arrives', () => {
    const header = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
    expect(decodeAll([header], 1000)).toEqual({
      frames: [],
      problem: 'a frame of 2147483647 bytes, wanted 5 to 1005',
    });
  });

  it('M50: the largest payload passes, one byte more does not', () => {
    expect(decodeAll([encodeFrame(1, 1, 'x'.repeat(10))], 10).problem).toBeUndefined();
    expect(decodeAll([encodeFrame(1, 1, 'x'.repeat(11))], 10).problem).toBe(
      'a frame of 16 bytes, wanted 5 to 15',
    );
  });

  it('M50: an empty frame, too short for a type and a run, is refused', () => {
    for (const length of [0, 1, 4]) {
      const bytes = Buffer.from([0, 0, 0, length, 1, 2, 3, 4]);
      expect(decodeAll([bytes]).problem).toBe(`a frame of ${length} bytes, wanted 5 to 1048581`);
    }
  });

  it('M50: after a bad frame nothing is handed out any more', () => {
    const good = encodeFrame(18, 1, 'good');
    const { frames, problem } = decodeAll([good, Buffer.alloc(4), good]);
    expect(frames).toEqual([{ type: 18, run: 1, text: 'good' }]);
    expect(problem).toBe('a frame of 0 bytes, wanted 5 to 1048581');
  });

  it('M53: random bytes are never an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        decodeAll(
          chunks.map((chunk) => Buffer.from(chunk)),
          64,
        );
      }),
    );
  });

  it('M50: bytes that are no UTF-8 are no text, and a byte order mark is text', () => {
    expect(payloadText(Buffer.from([0xc3, 0x28]))).toBeUndefined();
    expect(payloadText(Buffer.from([0xed, 0xa0, 0x80]))).toBeUndefined();
    expect(payloadText(Buffer.from('\ufeffa'))).toBe('\ufeffa');
    expect(payloadText('in-process')).toBe('in-process');
    expect([payloadBytes('€'), payloadBytes(Buffer.from('€'))]).toEqual([3, 3]);
  });
});
