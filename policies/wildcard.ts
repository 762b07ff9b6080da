/**
 * Matches a sequence against a pattern of parts and gaps, where a gap stands for any number of items, none included.
 *
 * Takes at most the product of both lengths: no pattern makes it explode.
 */
export function matchesWithGaps<P, T>(
  pattern: readonly P[],
  items: ArrayLike<T>,
  isGap: (part: P) => boolean,
  isMatch: (part: P, item: T) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  /** Where to go on when what came after the last gap fits no longer. */
  let gap = -1;
  let afterGap = 0;
  while (item < items.length) {
    const wanted = pattern[part];
    if (part < pattern.length && isGap(wanted as P)) {
      gap = part;
      afterGap = item;
      part += 1;
    } else if (part < pattern.length && isMatch(wanted as P, items[item] as T)) {
      part += 1;
      item += 1;
    } else if (gap >= 0) {
      afterGap += 1;
      part = gap + 1;
      item = afterGap;
    } else return false;
  }
  while (part < pattern.length && isGap(pattern[part] as P)) part += 1;
  return part === pattern.length;
}

/**
 * Makes the test of a pattern in which `*` stands for any text and every other character for itself; the whole text counts.
 *
 * @example
 * wildcard('files__*')('files__read') // true
 */
export function wildcard(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern;
  const parts = pattern.split('');
  return (text) =>
    matchesWithGaps(
      parts,
      text,
      (part) => part === '*',
      (part, character) => part === character,
    );
}
