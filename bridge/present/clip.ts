/** UTF-8 bytes of a text. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/**
 * The longest beginning of a text that takes at most `bytes` in UTF-8; never half a character.
 */
export const clipBytes = (text: string, bytes: number): string => {
  if (text.length <= bytes && byteLength(text) <= bytes) return text;
  let used = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    used += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (used > bytes) break;
    at += point > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
};

/**
 * A text whose front stays and whose rest is counted, within `bytes`.
 *
 * @example
 * clipWithMarker('a long message …', 60) // 'a long mes… [1 234 more characters left out]'
 */
export const clipWithMarker = (text: string, bytes: number): string => {
  if (text.length <= bytes && byteLength(text) <= bytes) return text;
  const marker = (left: number) => `… [${left} more characters left out]`;
  const longest = byteLength(marker(text.length));
  if (longest > bytes / 2) return clipBytes(text, bytes);
  const front = clipBytes(text, bytes - longest);
  return `${front}${marker(text.length - front.length)}`;
};
