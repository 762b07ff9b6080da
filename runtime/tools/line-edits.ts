/** A run of lines `[from, to)` of the old text that became the lines `[newFrom, newTo)` of the new one. */
export interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Beyond so many differing lines the search is given up, and what differs counts as one edit. */
const MAX_DISTANCE = 1_000;

/**
 * The edits between two lists of lines, in order; lines between them are equal.
 *
 * The shortest list of edits up to 1 000 removed and added lines, one edit for all that differs beyond that, so that the
 * time stays bounded whatever the texts are.
 *
 * @example
 * lineEdits(['a', 'b'], ['a', 'c']) // [{ from: 1, to: 2, newFrom: 1, newTo: 2 }]
 */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const to = before.length - tail;
  const newTo = after.length - tail;
  if (head === to && head === newTo) return [];
  const kept = keptLines(before.slice(head, to), after.slice(head, newTo));
  const edits: LineEdit[] = [];
  let from = head;
  let newFrom = head;
  for (const [line, newLine] of [...kept, [to - head, newTo - head] as const]) {
    if (head + line > from || head + newLine > newFrom) {
      edits.push({ from, to: head + line, newFrom, newTo: head + newLine });
    }
    from = head + line + 1;
    newFrom = head + newLine + 1;
  }
  return edits;
}

/** Pairs of equal lines, both rising: a longest common subsequence after Myers, O((N+M)·D). */
function keptLines(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const furthest = new Map([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let distance = 0; distance <= Math.min(before.length + after.length, MAX_DISTANCE); distance += 1) {
    const reached = new Map<number, number>();
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const last = trace.at(-1) ?? furthest;
      const down = last.get(diagonal + 1) ?? -1;
      const right = (last.get(diagonal - 1) ?? -2) + 1;
      let x = Math.max(down, right);
      let y = x - diagonal;
      if (x > before.length || y > after.length || y < 0) continue;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1;
        y += 1;
      }
      reached.set(diagonal, x);
      if (x === before.length && y === after.length) return walkBack([...trace, reached], x, y);
    }
    trace.push(reached);
  }
  return [];
}

function walkBack(trace: readonly ReadonlyMap<number, number>[], endX: number, endY: number) {
  const pairs: [number, number][] = [];
  let x = endX;
  let y = endY;
  for (let distance = trace.length - 1; distance >= 0; distance -= 1) {
    const last = trace[distance - 1];
    const diagonal = x - y;
    const down = last?.get(diagonal + 1) ?? -1;
    const right = (last?.get(diagonal - 1) ?? -2) + 1;
    const startX = distance === 0 ? 0 : Math.max(down, right);
    while (x > startX) pairs.push([--x, --y]);
    if (distance > 0) {
      if (down >= right) y -= 1;
      else x -= 1;
    }
  }
  return pairs.reverse();
}
