/** One leaf or key of a JSON text. */
export interface JsonToken {
  /** Where its text stands, quotes included. */
  readonly start: number;
  readonly end: number;
  readonly value: string | number | boolean | null;
  /** It stands below a field that is secret. */
  readonly isSecret: boolean;
}

interface Level {
  readonly isObject: boolean;
  /** Of everything in it. */
  readonly isSecret: boolean;
}

/**
 * The leaves and keys of a JSON text, in order; what stands between them is syntax. Depth is no limit.
 *
 * @param text that `JSON.parse` takes
 * @param from where the value starts in it
 * @param to where it ends
 */
export function* jsonTokens(
  text: string,
  isSecretField: (name: string) => boolean,
  from = 0,
  to = text.length,
): Generator<JsonToken> {
  const levels: Level[] = [];
  let level: Level = { isObject: false, isSecret: false };
  let isKeyNext = false;
  /** Of the value that comes next. */
  let isSecret = false;
  for (let at = from; at < to; at += 1) {
    const sign = text[at] as string;
    if (sign === '{' || sign === '[') {
      levels.push(level);
      level = { isObject: sign === '{', isSecret };
      isKeyNext = level.isObject;
    } else if (sign === '}' || sign === ']') level = levels.pop() as Level;
    else if (sign === ',') {
      isKeyNext = level.isObject;
      isSecret = level.isSecret;
    } else if (!/[\s:]/.test(sign)) {
      const end = sign === '"' ? endOfString(text, at) : endOfScalar(text, at, to);
      const value = JSON.parse(text.slice(at, end)) as JsonToken['value'];
      yield { start: at, end, value, isSecret: isSecret && !isKeyNext };
      if (isKeyNext) isSecret = level.isSecret || isSecretField(value as string);
      isKeyNext = false;
      at = end - 1;
    }
  }
}

/** Behind the closing quote. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
  return at + 1;
}

function endOfScalar(text: string, start: number, to: number): number {
  let at = start + 1;
  while (at < to && /[\w.+-]/.test(text[at] as string)) at += 1;
  return at;
}
