import { isUtf8 } from 'node:buffer';

/** Bytes in front of a payload: the length of what follows, the type, the run id. */
export const FRAME_HEADER_BYTES = 9;

const LENGTH_BYTES = 4;

/** Bytes that a length counts besides the payload. */
const COUNTED_HEADER_BYTES = FRAME_HEADER_BYTES - LENGTH_BYTES;

/** One frame as it came; `payload` shares memory with the chunk it came in and is good until the next chunk. */
export interface RawFrame {
  readonly type: number;
  readonly run: number;
  readonly payload: Buffer;
}

/**
 * Makes the bytes of one frame.
 *
 * @param run unsigned, 32 bits
 * @example
 * encodeFrame(HostFrame.go, 7, '')
 */
export function encodeFrame(type: number, run: number, payload: string): Buffer {
  const bytes = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + bytes);
  frame.writeUInt32BE(COUNTED_HEADER_BYTES + bytes, 0);
  frame.writeUInt8(type, LENGTH_BYTES);
  frame.writeUInt32BE(run, LENGTH_BYTES + 1);
  frame.write(payload, FRAME_HEADER_BYTES, 'utf8');
  return frame;
}

/**
 * The text of a payload, or `undefined` when it is no UTF-8. A byte order mark is a character like any other.
 *
 * @example
 * payloadText(Buffer.from([0xff])) // undefined
 */
export function payloadText(payload: Buffer | string): string | undefined {
  if (typeof payload === 'string') return payload;
  return isUtf8(payload) ? payload.toString('utf8') : undefined;
}

/**
 * Bytes of a payload, whichever way it came.
 *
 * @example
 * payloadBytes('€') // 3
 */
export function payloadBytes(payload: Buffer | string): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
}

/**
 * Cuts a stream of chunks into frames. Never holds more than one frame of the largest allowed size, and never throws.
 *
 * @example
 * const decoder = new FrameDecoder(1024);
 * const problem = decoder.push(chunk, (frame) => handle(frame));
 */
export class FrameDecoder {
  readonly #maxFrameBytes: number;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Bytes that must be there before anything can be cut. */
  #wanted = LENGTH_BYTES;
  #problem: string | undefined;

  /** @param maxFrameBytes bytes of the largest payload that is accepted */
  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * Takes the next bytes and hands out every frame that is complete.
   *
   * @returns what is wrong with the stream; nothing is handed out from then on
   */
  push(chunk: Buffer, onFrame: (frame: RawFrame) => void): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    let bytes = chunk;
    if (this.#held > 0) {
      this.#chunks.push(chunk);
      this.#held += chunk.length;
      if (this.#held < this.#wanted) return undefined;
      bytes = Buffer.concat(this.#chunks, this.#held);
    }
    const rest = this.#cut(bytes, onFrame);
    // Most chunks are one frame: nothing is left and nothing was held.
    if (rest !== undefined) this.#chunks = [rest];
    else if (this.#held > 0) this.#chunks = [];
    this.#held = rest?.length ?? 0;
    return this.#problem;
  }

  /** @returns what is left, if anything */
  #cut(bytes: Buffer, onFrame: (frame: RawFrame) => void): Buffer | undefined {
    let start = 0;
    for (;;) {
      const left = bytes.length - start;
      if (left < LENGTH_BYTES) {
        this.#wanted = LENGTH_BYTES;
        return left === 0 ? undefined : bytes.subarray(start);
      }
      const length = bytes.readUInt32BE(start);
      const payload = length - COUNTED_HEADER_BYTES;
      if (payload < 0 || payload > this.#maxFrameBytes) {
        this.#problem = `a frame of ${length} bytes, wanted ${COUNTED_HEADER_BYTES} to ${this.#maxFrameBytes + COUNTED_HEADER_BYTES}`;
        return undefined;
      }
      if (left < LENGTH_BYTES + length) {
        this.#wanted = LENGTH_BYTES + length;
        return bytes.subarray(start);
      }
      onFrame({
        type: bytes.readUInt8(start + LENGTH_BYTES),
        run: bytes.readUInt32BE(start + LENGTH_BYTES + 1),
        payload: bytes.subarray(start + FRAME_HEADER_BYTES, start + LENGTH_BYTES + length),
      });
      start += LENGTH_BYTES + length;
    }
  }

  /** Whether bytes of an unfinished frame are held. */
  get isMidFrame(): boolean {
    return this.#held > 0;
  }
}
