import type { JsonValue } from '../../runtime/core/json-value.js';
import { jsonStringBytes } from '../../runtime/sandbox/json-bytes.js';

/**
 * UTF-8 bytes of a value as JSON on one line, measured without writing it and without recursion.
 *
 * @param limit - Bytes; above it counting stops, and any number above it comes back.
 */
export const jsonSize = (value: JsonValue, limit = Number.POSITIVE_INFINITY): number => {
  const open: JsonValue[] = [value];
  let bytes = 0;
  while (open.length > 0 && bytes <= limit) {
    const one = open.pop() as JsonValue;
    if (typeof one === 'string') bytes += jsonStringBytes(one, limit - bytes);
    else if (typeof one !== 'object' || one === null) bytes += String(one).length;
    else if (Array.isArray(one)) {
      bytes += 2 + Math.max(0, one.length - 1);
      // Each item takes a byte at least: one that cannot fit any more need not be looked at.
      if (bytes <= limit) for (const item of one) open.push(item);
    } else {
      bytes += 1;
      for (const key in one) {
        bytes += jsonStringBytes(key, limit - bytes) + 2;
        if (bytes > limit) break;
        open.push((one as Record<string, JsonValue>)[key]!);
      }
      bytes += bytes > limit || Object.keys(one).length === 0 ? 1 : 0;
    }
  }
  return bytes;
};
