import type { Range } from './json-parts.js';

/** How often a secret may have been written as a string within a string. */
const NESTING = 3;
/** Marks a text that was cut; a secret may be cut with it. */
const CUT = '…';
const MIN_PART_CHARS = 4;

/** Where known secrets stand: as they are, or as JSON writes them within strings, or cut. */
export function literalRanges(text: string, literals: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const cuts = text.includes(CUT) ? [...text.matchAll(/…/g)].map(({ index }) => index) : [];
  for (const literal of literals) {
    for (const form of formsOf(literal)) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        ranges.push([at, at + form.length]);
      for (const cut of cuts) ranges.push(...cutRanges(text, form, cut));
    }
  }
  return ranges;
}

/** Sorted and joined, so that no two touch. */
export function merged(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function cutRanges(text: string, form: string, cut: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let length = form.length - 1; length >= MIN_PART_CHARS; length -= 1) {
    if (text.endsWith(form.slice(0, length), cut)) {
      ranges.push([cut - length, cut]);
      break;
    }
  }
  for (let length = form.length - 1; length >= MIN_PART_CHARS; length -= 1) {
    if (text.startsWith(form.slice(-length), cut + 1)) {
      ranges.push([cut + 1, cut + 1 + length]);
      break;
    }
  }
  return ranges;
}

function formsOf(literal: string): ReadonlySet<string> {
  const forms = new Set([literal]);
  let form = literal;
  for (let level = 0; level < NESTING; level += 1) {
    form = JSON.stringify(form).slice(1, -1);
    forms.add(form);
  }
  return forms;
}
