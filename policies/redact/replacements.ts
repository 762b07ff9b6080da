import type { JsonValue } from '../../runtime/core/json-value.js';
import { jsonParts, type Range } from './json-parts.js';
import { type JsonToken, jsonTokens } from './json-tokens.js';

/** A stretch of a text, and what stands there instead. */
export type Edit = readonly [start: number, end: number, text: string];

/**
 * What takes the place of stretches of a text. Where such a stretch touches JSON, each leaf and key that it touches goes as a
 * whole; one of syntax alone, which tells nothing, is parted by a space: JSON stays JSON either way.
 *
 * @param ranges sorted, none touching another
 * @param substitute stands for one secret
 */
export function replacements(
  text: string,
  ranges: readonly Range[],
  substitute: (secret: string) => string,
): readonly Edit[] {
  // JSON among prose that goes as a whole need not be kept.
  const parts = jsonParts(text).filter(
    ([from, to]) => to - from === text.length || !ranges.some(([start, end]) => start <= from && end >= to),
  );
  const edits = parts.flatMap(([from, to]) => {
    const inside = clipped(ranges, from, to);
    return inside.length === 0 ? [] : jsonEdits(text, [from, to], inside, substitute);
  });
  let end = 0;
  for (const [from, to] of [...parts, [text.length, text.length] as const]) {
    for (const [start, stop] of clipped(ranges, end, from))
      edits.push([start, stop, substitute(text.slice(start, stop))]);
    end = to;
  }
  return edits;
}

/**
 * Changes the leaves and keys of the JSON in a text; what stands around them stays as it was written.
 *
 * @param change told whether the leaf stands below a secret field
 */
export function withLeaves(
  text: string,
  isSecretField: (name: string) => boolean,
  change: (value: JsonToken['value'], isSecret: boolean) => JsonValue,
): string {
  const edits: Edit[] = [];
  for (const [from, to] of jsonParts(text)) {
    for (const { start, end, value, isSecret } of jsonTokens(text, isSecretField, from, to)) {
      const changed = change(value, isSecret);
      if (changed !== value) edits.push([start, end, JSON.stringify(changed)]);
    }
  }
  return edited(text, edits);
}

/** Makes edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  let written = '';
  let end = 0;
  for (const [from, to, instead] of [...edits].sort((a, b) => a[0] - b[0])) {
    written += text.slice(end, from) + instead;
    end = to;
  }
  return written + text.slice(end);
}

function clipped(ranges: readonly Range[], from: number, to: number): Range[] {
  return ranges.flatMap(([start, end]): Range[] => {
    const inside: Range = [Math.max(start, from), Math.min(end, to)];
    return inside[0] < inside[1] ? [inside] : [];
  });
}

function jsonEdits(
  text: string,
  [from, to]: Range,
  ranges: readonly Range[],
  substitute: (secret: string) => string,
): Edit[] {
  const edits: Edit[] = [];
  const idle = new Set(ranges);
  const tokens = [...jsonTokens(text, () => false, from, to)];
  let first = 0;
  for (const token of tokens) {
    while (first < ranges.length && ranges[first]![1] <= token.start) first += 1;
    let isTouched = false;
    for (let at = first; at < ranges.length && ranges[at]![0] < token.end; at += 1) {
      if (!touches(token, ranges[at]!)) continue;
      isTouched = true;
      idle.delete(ranges[at]!);
    }
    if (isTouched) edits.push([token.start, token.end, JSON.stringify(substitute(String(token.value)))]);
  }
  for (const range of idle) edits.push(...parted(tokens, range));
  return edits;
}

/** Quotes tell nothing. */
function touches({ start, end, value }: JsonToken, [from, to]: Range): boolean {
  const quote = typeof value === 'string' ? 1 : 0;
  return from < end - quote && to > start + quote;
}

function parted(tokens: readonly JsonToken[], [from, to]: Range): Edit[] {
  const near = tokens.filter(({ start, end }) => start < to && end > from);
  for (let at = from + 1; at < to; at += 1) {
    if (near.every(({ start, end }) => at <= start || at >= end)) return [[at, at, ' ']];
  }
  return [];
}
