import { byText } from '../text/keys.js';

const MOST_CANDIDATES = 3;
const LONGEST = 80;

/** Up to three names that are spelt much like a given one, the closest first. */
export function closestNames(names: readonly string[], wanted: string): string[] {
  const target = plain(wanted);
  const limit = Math.max(2, Math.ceil(target.length / 3));
  return names
    .map((name) => ({ name, distance: distance(plain(name), target, limit) }))
    .filter((candidate) => candidate.distance <= limit)
    .sort((a, b) => a.distance - b.distance || byText(a.name, b.name))
    .slice(0, MOST_CANDIDATES)
    .map(({ name }) => name);
}

const plain = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Edits between two texts, or more than `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
