// Some TypeScript texts of a hundred characters take a parser with backtracking minutes: `<T>(<T>(<T>(…`, `({[f<({[f<(…`.
// All of them nest brackets or hold many `<`. Such a text is parsed through a counter, which costs twice the time and ends
// it.

const DEEP = 10;
const MANY_ANGLES = 100;

/** How often a text may be read, per unit and once. */
interface Reads {
  readonly perUnit: number;
  readonly free: number;
}

/** Twenty times what any usual program needs. */
const PATIENT: Reads = { perUnit: 30, free: 50_000 };
/** A compiler that cannot be stopped goes back over a text worse than the parser does. */
const STRICT: Reads = { perUnit: 15, free: 2_000 };

/** Thrown out of a parser that has read far more than the text is long. */
export class ParseBudgetError extends Error {
  override readonly name = 'ParseBudgetError';
}

class MeteredText extends String {
  #left: number;

  constructor(text: string, { perUnit, free }: Reads) {
    super(text);
    this.#left = free + text.length * perUnit;
  }

  override charCodeAt(index: number): number {
    if (--this.#left < 0) throw new ParseBudgetError('the program takes too long to parse');
    return super.charCodeAt(index);
  }
}

/** The text as a parser may read it: itself, or counted where it could be read again and again. */
export const metered = (text: string): string => (isSuspicious(text) ? counted(text, PATIENT) : text);

/** The text as a parser may read it when a compiler is to read it next. */
export const strictlyMetered = (text: string): string => counted(text, STRICT);

// The parser reads its input through String methods only.
const counted = (text: string, reads: Reads): string => new MeteredText(text, reads) as unknown as string;

// Counts brackets in strings and comments too: being wrong only costs the slower parse.
const isSuspicious = (text: string): boolean => {
  let depth = 0;
  let angles = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > DEEP) return true;
    } else if (code === 60) {
      if (++angles > MANY_ANGLES) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return false;
};
