import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Where the whole lines of a file end, and what follows them. */
export interface WholeLines {
  /** Bytes up to and including the last newline. */
  readonly end: number;
  /** Bytes after it. */
  readonly droppedBytes: number;
}

/**
 * Reads a file line by line in bounded pieces; what follows the last newline is no line.
 *
 * @param onLine - gets the text without its newline, and its number from 1
 * @example
 * const { droppedBytes } = readLines('log.jsonl', (line) => console.log(line));
 */
export function readLines(path: string, onLine: (line: string, number: number) => void): WholeLines {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let end = 0;
    let number = 0;
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < size; at = chunk.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([...pending, chunk.subarray(start, at)]);
        number += 1;
        end += line.length + 1;
        pending = [];
        pendingBytes = 0;
        start = at + 1;
        onLine(line.toString('utf8'), number);
      }
      if (start < size) {
        pending.push(Buffer.from(chunk.subarray(start, size)));
        pendingBytes += size - start;
      }
    }
    return { end, droppedBytes: pendingBytes };
  } finally {
    closeSync(file);
  }
}
