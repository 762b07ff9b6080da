import type { JsonValue } from '../../core/json-value.js';
import { memberPath } from '../path.js';

/**
 * The path of the part of a value that a JSON pointer names.
 *
 * @param label what the whole value is called
 * @example
 * pointerPath({ servers: [{ host: 1 }] }, '/servers/0/host', '') // 'servers[0].host'
 */
export function pointerPath(root: JsonValue, pointer: string, label: string): string {
  let path = label;
  let value: JsonValue | undefined = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    // Only the value tells an index from a key made of digits.
    path = memberPath(path, Array.isArray(value) ? Number(key) : key);
    const isContainer: boolean = typeof value === 'object' && value !== null;
    value = isContainer ? (value as { readonly [key: string]: JsonValue })[key] : undefined;
  }
  return path;
}
