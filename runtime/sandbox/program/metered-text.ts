// Some TypeScript texts of a hundred characters take a parser with backtracking minutes: `<T>(<T>(<T>(…`, `({[f<({[f<(…`.
// All of them nest brackets. A text that nests deep is parsed through a counter, which costs twice the time and ends it.

const DEEP = 10;
const READS_PER_UNIT = 30;
const FREE_READS = 300_000;

/** Thrown out of a parser that has read far more than the text is long. */
export class ParseBudgetError extends Error {
  override readonly name = 'ParseBudgetError';
}

class MeteredText extends String {
  #left: number;

  constructor(text: string) {
    super(text);
    this.#left = FREE_READS + text.length * READS_PER_UNIT;
  }

  override charCodeAt(index: number): number {
    if (--this.#left < 0) throw new ParseBudgetError('the program takes too long to parse');
    return super.charCodeAt(index);
  }
}

/** The text as a parser may read it: itself, or counted where its brackets nest deep. */
export const metered = (text: string): string =>
  // The parser reads its input through String methods only.
  nestsDeep(text) ? (new MeteredText(text) as unknown as string) : text;

// Counts brackets in strings and comments too: being wrong only costs the slower parse.
const nestsDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > DEEP) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return false;
};
