interface Blank {
  readonly start: number;
  readonly end: number;
  first: string;
  readonly last: string;
}

/** Stretches of a text that are to be overwritten with blanks. Line breaks stay, and so does every offset. */
export class Blanks {
  readonly #blanks: Blank[] = [];
  readonly #byEnd = new Map<number, Blank>();
  readonly #byStart = new Map<number, Blank>();

  constructor(readonly text: string) {}

  get isEmpty(): boolean {
    return this.#blanks.length === 0;
  }

  /**
   * Blanks `[start, end)`; the same stretch twice is one, and the first to come wins.
   *
   * @param first - One character to stand at the start instead of a blank.
   * @param last - One character to stand at the end instead of a blank.
   */
  add(start: number, end: number, first = '', last = ''): void {
    if (end <= start || this.#byStart.has(start)) return;
    const blank = { start, end, first, last };
    this.#blanks.push(blank);
    this.#byStart.set(start, blank);
    if (!this.#byEnd.has(end)) this.#byEnd.set(end, blank);
  }

  /** Puts `;` into the stretch that ends at `end`, if there is one. */
  close(end: number): void {
    const blank = this.#byEnd.get(end);
    if (blank && blank.first === '' && blank.last === '') blank.first = ';';
  }

  /** The text with its blanks. */
  apply(): string {
    const { text } = this;
    this.#blanks.sort((a, b) => a.start - b.start);
    let out = '';
    let at = 0;
    for (const { start, end, first, last } of this.#blanks) {
      if (start < at) continue;
      out += text.slice(at, start) + first;
      out += text.slice(start + first.length, end - last.length).replace(/[^\n\r\u2028\u2029]/g, ' ') + last;
      at = end;
    }
    return out + text.slice(at);
  }
}
