import type { JsonValue } from '../runtime/core/json-value.js';

/** Shorter texts meet by chance. */
const MIN_CHARS = 8;
/** Characters of one answer that are kept for the comparison. */
const MAX_CHARS = 256 * 1024;

/** The strings of a value that are long enough to be recognised, up to a bound. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  const texts: string[] = [];
  let left = MAX_CHARS;
  for (const { text } of strings(value)) {
    if (text.length < MIN_CHARS) continue;
    if (left <= 0) break;
    texts.push(text.slice(0, left));
    left -= text.length;
  }
  return texts;
}

/**
 * Finds an argument that holds one of the texts, or is a part of one.
 *
 * @returns its path, e.g. `to[0].address`
 */
export function sharedText(args: JsonValue | undefined, texts: readonly string[]): string | undefined {
  for (const { text, path } of strings(args)) {
    if (text.length < MIN_CHARS) continue;
    if (texts.some((other) => text.includes(other) || other.includes(text))) return path;
  }
  return undefined;
}

function* strings(root: JsonValue | undefined): Generator<{ readonly text: string; readonly path: string }> {
  const rest: { readonly value: JsonValue | undefined; readonly path: string }[] = [
    { value: root, path: '' },
  ];
  for (let open = rest.pop(); open !== undefined; open = rest.pop()) {
    const { value, path } = open;
    if (typeof value === 'string') yield { text: value, path };
    else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, part] of Object.entries(value).reverse() as [string, JsonValue][]) {
        rest.push({ value: part, path: isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}` });
      }
    }
  }
}
