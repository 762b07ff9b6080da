/** Longer programs are not checked: the checker's time grows with the square of the length. */
export const LARGEST_PROGRAM = 64 * 1024;
/** Deeper brackets are not checked: time grows with the third power, and the process ends at a million. */
export const DEEPEST_BRACKETS = 256;

/** Why a program is not put before the checker, or nothing. One scan; strings and comments count as code. */
export function tooLarge(text: string): string | undefined {
  if (text.length > LARGEST_PROGRAM) return `the program is longer than ${LARGEST_PROGRAM / 1024} KB`;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    // ( [ { open, ) ] } close.
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth -= 1;
    if (depth > DEEPEST_BRACKETS) return `the program is nested deeper than ${DEEPEST_BRACKETS} levels`;
  }
  return undefined;
}
