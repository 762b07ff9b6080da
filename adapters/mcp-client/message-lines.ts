import { TopLevelId } from './top-level-id.js';

const NEWLINE = 0x0a;

/** Told of what a stream of lines holds. */
export interface LineListener {
  line(text: string): void;
  /** A line was longer than allowed and is gone; `id` is that of the message, where it had one. */
  tooLong(id: string | number | undefined): void;
}

/**
 * Cuts a stream of bytes into lines of bounded length; a longer one is dropped as it passes and costs no memory.
 *
 * @param maxBytes - longest line, bytes
 * @example
 * const lines = new MessageLines(1024, { line: console.log, tooLong: () => {} });
 * stdout.on('data', (chunk) => lines.push(chunk));
 */
export class MessageLines {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipped: TopLevelId | undefined;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      this.#add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#end();
      from = end + 1;
    }
  }

  #add(part: Uint8Array): void {
    if (this.#skipped === undefined && this.#length + part.length > this.#maxBytes) {
      this.#skipped = new TopLevelId();
      for (const kept of this.#parts) this.#skipped.push(kept);
      this.#parts = [];
    }
    if (this.#skipped === undefined) {
      // The chunk's memory is the stream's own: it may be reused, and a small part must not hold a large chunk.
      this.#parts.push(Uint8Array.prototype.slice.call(part));
      this.#length += part.length;
    } else this.#skipped.push(part);
  }

  #end(): void {
    const skipped = this.#skipped;
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    this.#skipped = undefined;
    if (skipped === undefined) this.#listener.line(Buffer.concat(parts).toString('utf8'));
    else this.#listener.tooLong(skipped.id);
  }
}
