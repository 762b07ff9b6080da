/** What a budget left of a list. `truncated` means that the budget left something out, nothing else. */
export interface RetainedItems<T> {
  readonly items: readonly T[];
  readonly omitted: number;
  readonly truncated: boolean;
}

/**
 * Keeps the head of a list: items as long as their costs fit.
 *
 * @param budget in the unit of `costOf`
 * @param costOf what one item costs. @default 1
 * @example
 * retainItems([1, 2, 3], 2) // { items: [1, 2], omitted: 1, truncated: true }
 */
export function retainItems<T>(
  items: readonly T[],
  budget: number,
  costOf: (item: T) => number = () => 1,
): RetainedItems<T> {
  let left = budget;
  let count = 0;
  for (const item of items) {
    left -= costOf(item);
    if (left < 0) break;
    count += 1;
  }
  const omitted = items.length - count;
  return { items: items.slice(0, count), omitted, truncated: omitted > 0 };
}

/** What a budget left of a text. */
export interface RetainedText {
  readonly head: string;
  readonly tail: string;
  /** UTF-8 bytes of the text that are in neither. */
  readonly omittedBytes: number;
  readonly truncated: boolean;
}

/** Which parts of a text are kept. */
export type TextPart = 'head' | 'tail' | 'headTail';

/**
 * Keeps parts of a text within a budget of UTF-8 bytes. No character is cut; both sides are decoded on their own.
 *
 * @param maxBytes of both parts together; of `headTail` the head gets the odd one
 * @example
 * retainText('abcdef', 3, 'headTail') // { head: 'ab', tail: 'f', omittedBytes: 3, truncated: true }
 */
export function retainText(text: string, maxBytes: number, part: TextPart): RetainedText {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return { head: text, tail: '', omittedBytes: 0, truncated: false };
  const headBytes = part === 'tail' ? 0 : part === 'head' ? maxBytes : Math.ceil(maxBytes / 2);
  let headEnd = headBytes;
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd -= 1;
  let tailStart = bytes.length - (maxBytes - headBytes);
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart += 1;
  return {
    head: bytes.toString('utf8', 0, headEnd),
    tail: bytes.toString('utf8', tailStart),
    omittedBytes: tailStart - headEnd,
    truncated: true,
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
