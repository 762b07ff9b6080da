import type { ContentBlock } from '../../runtime/contract/content.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { parsedJson } from './parsed-json.js';
import type { SecretKinds } from './secret-kinds.js';

/** What to hide, and what to put in its place. */
export interface Hiding {
  readonly kinds: SecretKinds;
  /** Known secrets, longest first. */
  readonly literals: readonly string[];
  /** Stands for one secret. */
  readonly substitute: (secret: string) => string;
}

type Range = readonly [start: number, end: number];

/** How often a secret may have been written as a string within a string. */
const NESTING = 3;
/** Marks a text that was cut; a secret may be cut with it. */
const CUT = '…';
const MIN_PART_CHARS = 4;

/** Hides secrets in a text. JSON text is changed leaf by leaf, so that it stays JSON. */
export function hideInText(text: string, hiding: Hiding): string {
  const value = parsedJson(text);
  if (value !== undefined) {
    const hidden = hideInValue(value, hiding);
    const indent = /^[[{]\n( +)/.exec(text.trimStart())?.[1]?.length;
    const written = hidden === value ? text : JSON.stringify(hidden, null, indent);
    return replaced(written, literalRanges(written, hiding.literals), hiding);
  }
  // Known secrets first: a greedy pattern must not swallow what stands around them.
  const known = replaced(text, literalRanges(text, hiding.literals), hiding);
  return replaced(known, patternRanges(known, hiding.kinds), hiding);
}

/** Hides secrets in the strings, the keys and the secret fields of a value. @returns the value itself when there are none */
export function hideInValue(value: JsonValue, hiding: Hiding, isSecret = false): JsonValue {
  if (typeof value === 'string') {
    return isSecret && value !== '' ? hiding.substitute(value) : hideInText(value, hiding);
  }
  if (typeof value === 'number') {
    const isHidden = isSecret || hiding.literals.includes(String(value));
    return isHidden ? hiding.substitute(String(value)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const hidden = items.map((item) => hideInValue(item, hiding, isSecret));
    return hidden.some((item, index) => item !== items[index]) ? hidden : value;
  }
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  const hidden = entries.map(([key, part]): readonly [string, JsonValue] => [
    hideInText(key, hiding),
    hideInValue(part, hiding, isSecret || hiding.kinds.isSecretField(key)),
  ]);
  const isSame = hidden.every(
    ([key, part], index) => key === entries[index]?.[0] && part === entries[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(hidden);
}

/** Hides secrets in content, also one that begins in one text and ends in the next. The data of images is left alone. */
export function hideInContent(content: readonly ContentBlock[], hiding: Hiding): readonly ContentBlock[] {
  const hidden = content.map((block): ContentBlock => {
    if (block.type === 'image') return block;
    if (block.type !== 'text') return hideInValue(block as JsonValue, hiding) as unknown as ContentBlock;
    const { text } = block as { readonly text: string };
    const shown = hideInText(text, hiding);
    return shown === text ? block : { ...block, type: 'text', text: shown };
  });
  const apart = hideAcross(hidden, hiding);
  return apart.some((block, index) => block !== content[index]) ? apart : content;
}

function hideAcross(content: readonly ContentBlock[], hiding: Hiding): readonly ContentBlock[] {
  const texts = content.filter(({ type }) => type === 'text') as { readonly text: string }[];
  if (texts.length < 2) return content;
  const whole = texts.map(({ text }) => text).join('');
  const ranges = merged(literalRanges(whole, hiding.literals));
  if (ranges.length === 0) return content;
  let start = 0;
  return content.map((block) => {
    if (block.type !== 'text') return block;
    const { text } = block as { readonly text: string };
    const [from, to] = [start, start + text.length];
    start = to;
    const inside = ranges
      .filter(([begin, end]) => begin < to && end > from)
      .map(([begin, end]): Range => [Math.max(begin, from) - from, Math.min(end, to) - from]);
    return inside.length === 0 ? block : { ...block, type: 'text', text: replaced(text, inside, hiding) };
  });
}

/** Where the secrets stand, as they are, or as JSON writes them within strings, or cut. */
function literalRanges(text: string, literals: readonly string[]): Range[] {
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

function patternRanges(text: string, { patterns }: SecretKinds): Range[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]),
  );
}

function replaced(text: string, ranges: readonly Range[], { substitute }: Hiding): string {
  let written = '';
  let end = 0;
  for (const [from, to] of merged(ranges)) {
    written += text.slice(end, from) + substitute(text.slice(from, to));
    end = to;
  }
  return end === 0 ? text : written + text.slice(end);
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
