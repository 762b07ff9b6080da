const MOST = 20;
const LONGEST = 500;

/**
 * Joins violations for a message: of a long list the first, and how many more there are.
 *
 * @example
 * violationList(['a: is required', 'b: is required']) // 'a: is required; b: is required'
 */
export function violationList(violations: readonly string[]): string {
  const shown = violations.length <= MOST ? violations : violations.slice(0, MOST - 1);
  const lines = shown.map((line) => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`));
  const rest = violations.length - shown.length;
  return (rest === 0 ? lines : [...lines, `… and ${rest} more`]).join('; ');
}
