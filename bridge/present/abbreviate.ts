import type { JsonValue } from '../../runtime/core/json-value.js';
import { jsonStringBytes, jsonStringPrefix } from '../../runtime/sandbox/json-bytes.js';
import { jsonSize } from './json-size.js';

const MAX_LEVELS = 8;
/** Bytes kept for a line about what was left out. */
const NOTE_BYTES = 48;
/** With less room than this a value is only described. */
const MIN_BYTES = 64;

/**
 * A smaller value of the same shape: arrays and texts keep their beginning and end, objects their first keys, and a text
 * between `…` marks stands for what was left out.
 *
 * @param budget - UTF-8 bytes of the outcome as JSON on one line.
 * @returns The value itself when it fits.
 */
export const abbreviate = (value: JsonValue, budget: number): JsonValue => cut(value, budget, MAX_LEVELS);

const cut = (value: JsonValue, budget: number, levels: number): JsonValue => {
  if (jsonSize(value, budget) <= budget) return value;
  if (typeof value === 'string') return cutText(value, budget);
  if (typeof value !== 'object' || value === null || budget < MIN_BYTES || levels === 0)
    return described(value, budget);
  return Array.isArray(value)
    ? cutItems(value, budget, levels)
    : cutKeys(value as Readonly<Record<string, JsonValue>>, budget, levels);
};

const cutItems = (items: readonly JsonValue[], budget: number, levels: number): JsonValue => {
  let room = budget - 2 - NOTE_BYTES;
  const share = Math.max(MIN_BYTES, Math.floor(room / 3));
  const head: JsonValue[] = [];
  const tail: JsonValue[] = [];
  for (let taken = 0; taken < items.length; taken++) {
    // Two from the front, one from the back.
    const isTail = taken % 3 === 2;
    const item = items[isTail ? items.length - 1 - tail.length : head.length]!;
    const kept = cut(item, Math.min(share, room - 1), levels - 1);
    room -= jsonSize(kept, room) + 1;
    if (room < 0) break;
    (isTail ? tail : head).push(kept);
  }
  const left = items.length - head.length - tail.length;
  return left === 0
    ? [...head, ...tail.reverse()]
    : [...head, `… ${left} of ${items.length} items left out …`, ...tail.reverse()];
};

const cutKeys = (record: Readonly<Record<string, JsonValue>>, budget: number, levels: number): JsonValue => {
  const keys = Object.keys(record);
  let room = budget - 2 - NOTE_BYTES;
  // No prototype: `__proto__` is a key like any other.
  const kept: Record<string, JsonValue> = Object.create(null);
  let taken = 0;
  for (const key of keys) {
    const own = jsonStringBytes(key, room) + 2;
    const share = Math.max(MIN_BYTES, Math.floor((room - own) / Math.min(keys.length - taken, 3)));
    const value = cut(record[key]!, Math.min(share, room - own), levels - 1);
    room -= own + jsonSize(value, Math.max(0, room - own));
    if (room < 0) break;
    kept[key] = value;
    taken++;
  }
  if (taken < keys.length) kept['…'] = `${keys.length - taken} of ${keys.length} keys left out`;
  return kept;
};

const cutText = (text: string, budget: number): string => {
  const room = budget - NOTE_BYTES;
  if (room < MIN_BYTES / 2) return described(text, budget);
  const head = atBreak(jsonStringPrefix(text, Math.floor((room * 2) / 3)));
  const tail = suffix(text, Math.floor(room / 3) - 2);
  return `${head} … ${text.length - head.length - tail.length} characters left out … ${tail}`;
};

/** A cut just behind a break reads better than one within a word. */
const atBreak = (text: string): string => {
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf(' '));
  return at > text.length - 40 && at > 0 ? text.slice(0, at + 1) : text;
};

const suffix = (text: string, bytes: number): string => {
  let length = Math.min(text.length, bytes);
  for (;;) {
    const first = text.charCodeAt(text.length - length);
    if (first >= 0xdc00 && first <= 0xdfff) length--;
    const end = text.slice(text.length - length);
    if (length <= 0 || jsonStringBytes(end, bytes + 2) <= bytes + 2) return length <= 0 ? '' : end;
    length = Math.floor(length * 0.8);
  }
};

const described = (value: JsonValue, budget: number): string => {
  const text =
    typeof value === 'string'
      ? `… ${value.length} characters left out …`
      : Array.isArray(value)
        ? `… array of ${value.length} items left out …`
        : typeof value === 'object' && value !== null
          ? `… object of ${Object.keys(value).length} keys left out …`
          : '…';
  return jsonStringBytes(text) <= budget ? text : '…';
};
