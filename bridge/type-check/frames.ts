import { Buffer } from 'node:buffer';

const SEPARATOR = '\r\n\r\n';
/** A header is a length and its name: anything longer is no frame. */
const LONGEST_HEADER = 256;

/** Puts a message into a frame: its length in a header, then the text. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${SEPARATOR}`, 'latin1'), body]);
}

/** Takes frames out of a byte stream. */
export class FrameReader {
  readonly #largest: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that the next frame needs, header included; unknown while the header is incomplete. */
  #needed: { header: number; body: number } | undefined;

  /** @param largest the most bytes that one message may have */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /**
   * Adds bytes and gives the messages that are complete with them.
   *
   * @throws {Error} when the stream holds no frames, or one that is too large.
   */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: unknown[] = [];
    for (;;) {
      this.#needed ??= this.#header();
      if (this.#needed === undefined) return messages;
      const { header, body } = this.#needed;
      if (this.#size < header + body) return messages;
      const bytes = this.#joined();
      messages.push(JSON.parse(bytes.subarray(header, header + body).toString('utf8')));
      this.#keep(bytes.subarray(header + body));
      this.#needed = undefined;
    }
  }

  #header(): { header: number; body: number } | undefined {
    const bytes = this.#joined();
    const end = bytes.subarray(0, LONGEST_HEADER).indexOf(SEPARATOR);
    if (end === -1) {
      if (bytes.length < LONGEST_HEADER) return undefined;
      throw new Error('Cannot read a frame: wanted a length, received something else');
    }
    const length = /^Content-Length: (\d{1,10})$/im.exec(bytes.subarray(0, end).toString('latin1'))?.[1];
    if (length === undefined)
      throw new Error('Cannot read a frame: wanted a length, received something else');
    const body = Number(length);
    if (body > this.#largest) {
      throw new Error(`Cannot read a frame: wanted at most ${this.#largest} bytes, received ${body}`);
    }
    return { header: end + SEPARATOR.length, body };
  }

  #joined(): Buffer {
    if (this.#chunks.length !== 1) this.#keep(Buffer.concat(this.#chunks));
    return this.#chunks[0]!;
  }

  #keep(bytes: Buffer): void {
    this.#chunks = [bytes];
    this.#size = bytes.length;
  }
}
