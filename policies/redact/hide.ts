import type { ContentBlock } from '../../runtime/contract/content.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { isJson, type Range } from './json-parts.js';
import { literalRanges, merged } from './literal-ranges.js';
import { edited, replacements, withLeaves } from './replacements.js';
import type { SecretKinds } from './secret-kinds.js';

/** What to hide, and what to put in its place. */
export interface Hiding {
  readonly kinds: SecretKinds;
  /** Known secrets, longest first. */
  readonly literals: readonly string[];
  /** Stands for one secret. */
  readonly substitute: (secret: string) => string;
}

/** Hides secrets in a text. JSON in it is changed leaf by leaf, so that it stays JSON. */
export function hideInText(text: string, hiding: Hiding): string {
  const leaves = withLeaves(text, hiding.kinds.isSecretField, (value, isSecret) =>
    hideInValue(value, hiding, isSecret),
  );
  // Known secrets first: a greedy pattern must not swallow what stands around them.
  const known = replaced(leaves, literalRanges(leaves, hiding.literals), hiding);
  return isJson(known) ? known : replaced(known, patternRanges(known, hiding.kinds), hiding);
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

function patternRanges(text: string, { patterns }: SecretKinds): Range[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]),
  );
}

function replaced(text: string, ranges: readonly Range[], { substitute }: Hiding): string {
  return ranges.length === 0 ? text : edited(text, replacements(text, merged(ranges), substitute));
}
