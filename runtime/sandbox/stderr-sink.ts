/** Characters kept of the beginning and of the end. */
const KEPT = 4096;

/** Text of an engine's fatal report, or of the allocator's, when memory ran out. */
const OUT_OF_MEMORY =
  /out of memory|allocation failed|bad_alloc|invalid (?:size|array length|string length)|is_heap_oom = 1|CALL_AND_RETRY_LAST|cannot enlarge memory/i;

/**
 * What a sandbox process wrote to its error output: the first and the last of it, however much it was.
 *
 * @example
 * const sink = new StderrSink();
 * child.stderr.on('data', (chunk) => sink.add(chunk));
 */
export class StderrSink {
  #head = '';
  #tail = '';

  add(chunk: Buffer): void {
    let text = chunk.toString('latin1');
    if (this.#head.length < KEPT) {
      const taken = text.slice(0, KEPT - this.#head.length);
      this.#head += taken;
      text = text.slice(taken.length);
    }
    this.#tail = (this.#tail + text).slice(-KEPT);
  }

  /** What was kept. */
  get text(): string {
    return this.#tail === '' ? this.#head : `${this.#head}\n…\n${this.#tail}`;
  }

  /** Whether the process said that it died of memory. */
  get saysOutOfMemory(): boolean {
    return OUT_OF_MEMORY.test(this.text);
  }
}
