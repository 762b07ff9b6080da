import type { JsonValue } from '../../runtime/core/json-value.js';

/** Above this indentation a subtree is written on one line. */
const MAX_INDENT = 10;

interface Open {
  readonly items: readonly JsonValue[];
  /** Present for an object: one key per item. */
  readonly keys: readonly string[] | undefined;
  readonly isCompact: boolean;
  next: number;
}

/**
 * Writes JSON as a reader likes it: indented by two like `JSON.stringify(value, null, 2)`, on one line from the sixth
 * level on. Without recursion, so no depth breaks it.
 *
 * @param limit - UTF-16 units; a longer text is given up.
 * @returns `undefined` when the text would be longer than `limit`.
 */
export const prettyJson = (value: JsonValue, limit = Number.POSITIVE_INFINITY): string | undefined =>
  write(value, limit, false);

/** Writes JSON on one line, without recursion; as {@link prettyJson}. */
export const compactJson = (value: JsonValue, limit = Number.POSITIVE_INFINITY): string | undefined =>
  write(value, limit, true);

const write = (value: JsonValue, limit: number, isCompact: boolean): string | undefined => {
  const open: Open[] = [];
  let out = '';
  const put = (one: JsonValue): void => {
    if (typeof one !== 'object' || one === null) {
      // A string is never shorter as JSON, so a long one need not be written to be too long.
      out += typeof one === 'string' && one.length > limit ? one : JSON.stringify(one);
      return;
    }
    const isArray = Array.isArray(one);
    const keys = isArray ? undefined : Object.keys(one);
    const items = isArray ? (one as readonly JsonValue[]) : Object.values(one as object);
    if (items.length === 0) {
      out += isArray ? '[]' : '{}';
      return;
    }
    out += isArray ? '[' : '{';
    const indent = (open.length + 1) * 2;
    open.push({ items, keys, next: 0, isCompact: isCompact || indent > MAX_INDENT });
  };
  put(value);
  while (open.length > 0) {
    if (out.length > limit) return undefined;
    const top = open.at(-1)!;
    if (top.next === top.items.length) {
      open.pop();
      out += `${top.isCompact ? '' : newLine(open.length)}${top.keys ? '}' : ']'}`;
      continue;
    }
    if (top.next > 0) out += ',';
    if (!top.isCompact) out += newLine(open.length);
    if (top.keys) out += `${JSON.stringify(top.keys[top.next])}${top.isCompact ? ':' : ': '}`;
    put(top.items[top.next++]!);
  }
  return out.length > limit ? undefined : out;
};

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;
