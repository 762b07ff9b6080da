/** Letters of a word in a sentence that are one token as a rule, the blank before it included. */
const WORD = 11;
/** Letters of a word inside a name that are one token as a rule. */
const NAME_PART = 7;
/** Signs that stand together in code and are one token as a rule. */
const SIGNS = 4;
/** What the guess inside the pieces may be too low. */
const SAFETY = 1.05;
/** Characters of other scripts that are one token as a rule, on the safe side. */
const OTHER = 1.5;
/** Digits that are one token. */
const DIGITS = 3;

const SIGN = 0;
const BLANK = 1;
const LINE_END = 2;
const DIGIT = 3;
const UPPER = 4;
const LOWER = 5;

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10 || code === 13) return LINE_END;
  if (code === 32 || (code >= 9 && code <= 12)) return BLANK;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 97 && code <= 122 ? LOWER : SIGN;
});

/** Every character beyond ASCII is read as part of a word. */
const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? CLASSES[code]! : LOWER;
};

/**
 * Estimates how many tokens a text takes, rather above than below what current tokenisers count.
 *
 * The text is cut as byte-pair tokenisers cut it before they merge: a word with one sign before it, up to three digits,
 * signs with the line end behind them, white space. The merges inside a piece are what is guessed. The estimates of a
 * text's lines add up to that of the text, within one for each line.
 *
 * @example
 * estimateTokens('read_file(args: { path: string })') // 9
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    tokens += sizeOf(text, at, end);
    at = end;
  }
  return Math.ceil(tokens * SAFETY);
}

function endOfPiece(text: string, start: number): number {
  const first = classAt(text, start);
  if (first === DIGIT) return skip(text, start, DIGIT, start + DIGITS);
  if (first === UPPER || first === LOWER) return endOfWord(text, start);
  const next = start + 1 < text.length ? classAt(text, start + 1) : LINE_END;
  // One sign or blank belongs to the word behind it.
  if (first !== LINE_END && (next === UPPER || next === LOWER)) return endOfWord(text, start + 1);
  if (first === SIGN || (next === SIGN && text.charCodeAt(start) === 32)) {
    return skip(text, skip(text, start + 1, SIGN), LINE_END);
  }
  // The last blank goes to what comes behind it, unless a line ends there.
  let end = start + 1;
  while (end < text.length && classAt(text, end) <= LINE_END && classAt(text, end) !== SIGN) end += 1;
  const isLineEnd = classAt(text, end - 1) === LINE_END;
  return end < text.length && !isLineEnd && end - start > 1 ? end - 1 : end;
}

/** Capitals with the small letters behind them; only capitals are a word too. */
function endOfWord(text: string, start: number): number {
  return skip(text, skip(text, start, UPPER), LOWER);
}

function skip(text: string, start: number, what: number, most = text.length): number {
  let end = start;
  while (end < most && end < text.length && classAt(text, end) === what) end += 1;
  return end;
}

function sizeOf(text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    if (text.charCodeAt(at) >= 128) return Math.ceil((end - start) / OTHER);
  }
  const isWord = classAt(text, end - 1) >= UPPER;
  const most = !isWord ? SIGNS : text.charCodeAt(start) === 32 ? WORD : NAME_PART;
  return Math.ceil((end - start) / most);
}
