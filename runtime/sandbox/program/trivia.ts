/** Where the next token starts: the first offset at or after `offset` that is neither blank nor comment. */
export const skipTrivia = (text: string, offset: number): number => {
  let at = offset;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) at++;
    else if (code === 47 && text.charCodeAt(at + 1) === 47) {
      while (at < text.length && !isLineBreak(text.charCodeAt(at))) at++;
    } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else break;
  }
  return at;
};

/** Whether a code unit ends a line in the grammar. */
export const isLineBreak = (code: number): boolean =>
  code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

/** Whether a code unit is white space in the grammar, line breaks included. */
export const isBlank = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0xfeff ||
  isLineBreak(code) ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

/** Whether a code unit can stand in a plain identifier. */
export const isWordUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36;

/** Whether a stretch of text holds a line break of the grammar. */
export const hasLineBreak = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (isLineBreak(text.charCodeAt(at))) return true;
  return false;
};
