import { endOfString } from './json-tokens.js';

/** A stretch of a text, in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/** Beginnings of JSON that turned out to be none, after which the rest of a text counts as prose. */
const MAX_MISSES = 100;
/** An object in a text, or a list at the start of a line. */
const BEGINNING = /\{\s*["}]|^[ \t]*\[/gm;

/** Whether a whole text is JSON of a container or of a string. */
export function isJson(text: string): boolean {
  const trimmed = text.trim();
  return /^(?:\{[\s\S]*\}|\[[\s\S]*\]|"[\s\S]+")$/.test(trimmed) && parses(trimmed);
}

/**
 * Where JSON stands in a text: the whole of it, or the objects and lists among its prose.
 *
 * @returns in order, without overlap
 */
export function jsonParts(text: string): readonly Range[] {
  if (isJson(text)) return [[0, text.length]];
  const parts: Range[] = [];
  let misses = 0;
  BEGINNING.lastIndex = 0;
  for (let found = BEGINNING.exec(text); found !== null; found = BEGINNING.exec(text)) {
    const start = found.index + (found[0].startsWith('{') ? 0 : found[0].length - 1);
    const end = endOfContainer(text, start);
    if (end !== undefined && parses(text.slice(start, end))) {
      parts.push([start, end]);
      BEGINNING.lastIndex = end;
    } else if (++misses > MAX_MISSES) break;
    else BEGINNING.lastIndex = start + 1;
  }
  return parts;
}

function endOfContainer(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
