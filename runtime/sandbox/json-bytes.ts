// Sizes of JSON text, measured without making the text: a limit must not cost what it forbids.

/** Bytes of `\n` and its like. */
const SHORT_ESCAPE = 2;
/** Bytes of `\u0001` and of a lone surrogate. */
const LONG_ESCAPE = 6;

/** Text of which each character is one byte. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** UTF-8 bytes of the character at `index` inside JSON quotes. */
function characterBytes(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x20) {
    // \b \t \n \f \r have a short form; \v has none.
    return code >= 0x08 && code <= 0x0d && code !== 0x0b ? SHORT_ESCAPE : LONG_ESCAPE;
  }
  if (code < 0x80) return code === 0x22 || code === 0x5c ? SHORT_ESCAPE : 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdfff) return 3;
  return isPair(text, index) ? 4 : LONG_ESCAPE;
}

function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** How far a text goes within a limit. */
export interface JsonExtent {
  /** Units of it that fit; never half a pair. */
  readonly units: number;
  /** Bytes that these take, the quotes included. */
  readonly bytes: number;
}

/** Units that are looked at as a whole first, since most text is plain. */
const STRETCH = 4096;

/**
 * How much of a text fits as a JSON string into `limit` bytes, the quotes included.
 *
 * @example
 * jsonStringExtent('a€', 5) // { units: 1, bytes: 3 }
 */
export function jsonStringExtent(text: string, limit: number): JsonExtent {
  let bytes = 2;
  let at = 0;
  while (at < text.length) {
    const end = Math.min(at + STRETCH, text.length);
    if (PLAIN.test(text.slice(at, end))) {
      const units = Math.max(0, Math.min(end - at, limit - bytes));
      bytes += units;
      at += units;
      if (at < end) break;
      continue;
    }
    while (at < end) {
      const width = characterBytes(text, at);
      if (bytes + width > limit) return { units: at, bytes };
      bytes += width;
      at += width === 4 ? 2 : 1;
    }
  }
  return { units: at, bytes };
}

/**
 * UTF-8 bytes of `JSON.stringify(text)`.
 *
 * @param limit bytes; above it counting stops, and any number above it comes back
 * @example
 * jsonStringBytes('€"') // 7
 */
export function jsonStringBytes(text: string, limit: number = Number.POSITIVE_INFINITY): number {
  // No unit takes less than a byte.
  if (text.length + 2 > limit) return limit + 1;
  const { units, bytes } = jsonStringExtent(text, limit);
  return units < text.length ? limit + 1 : bytes;
}

/**
 * The longest beginning of a text whose JSON string takes at most `limit` bytes. Never ends inside a code point.
 *
 * @param limit bytes, quotes included
 * @example
 * jsonStringPrefix('a😀', 6) // 'a'
 */
export function jsonStringPrefix(text: string, limit: number): string {
  return text.slice(0, jsonStringExtent(text, limit).units);
}

/**
 * Whether a JSON text nests deeper than `maxDepth` levels of arrays and objects. Looks at the text only, so that nothing
 * deep is ever built.
 *
 * @example
 * isDeeperThan('[[1]]', 1) // true
 */
export function isDeeperThan(json: string, maxDepth: number): boolean {
  // A level takes two characters.
  if (json.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 0x22) {
      index = json.indexOf('"', index + 1);
      while (index >= 0 && isEscaped(json, index)) index = json.indexOf('"', index + 1);
      if (index < 0) return false;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Whether the quote at `index` stands behind an odd number of backslashes. */
function isEscaped(json: string, index: number): boolean {
  let at = index - 1;
  while (json.charCodeAt(at) === 0x5c) at -= 1;
  return (index - at) % 2 === 0;
}
