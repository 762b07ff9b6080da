/** What stands in front of the expression where an engine points at its statement. */
const STATEMENT_WORD = /^(?:return|throw)\s+/;

// The lines of the program that was asked about last: one run asks many times.
let latest: { readonly code: string; readonly lines: readonly string[] } | undefined;

/**
 * Where an engine points that counts code points and may name a statement instead of its expression.
 *
 * @param column from 1, in code points
 * @returns the column from 1, in UTF-16 units, inside the expression
 */
export function columnInUnits(code: string, line: number, column: number): number {
  if (latest?.code !== code) latest = { code, lines: code.split('\n') };
  const text = latest.lines[line - 1] ?? '';
  let unit = 0;
  for (let point = 1; point < column && unit < text.length; point++) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  const word = STATEMENT_WORD.exec(text.slice(unit, unit + 100));
  return unit + (word?.[0].length ?? 0) + 1;
}

/** Whether a text has characters of two UTF-16 units, which such an engine counts as one. */
export function hasWideCharacters(code: string): boolean {
  return /[\ud800-\udfff]/.test(code);
}
