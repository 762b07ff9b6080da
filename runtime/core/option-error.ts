/**
 * The error of a bad option, in the words that all of them use.
 *
 * @param wanted what would have been right, with its article
 * @example
 * throw optionError('ratio', 'a number between 0 and 1', 2);
 */
export function optionError(name: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`Cannot use option "${name}": wanted ${wanted}, received ${received(value)}`);
}

/**
 * Says what a value is in a few words, for the end of a message. Total.
 *
 * @example
 * received('x'.repeat(1000)) // a quoted beginning
 * received([1]) // 'an array'
 */
export function received(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'function':
      return 'a function';
    case 'symbol':
      return 'a symbol';
    case 'object':
      if (value === null) return 'null';
      return isArray(value) ? 'an array' : 'an object';
    default:
      return String(value);
  }
}

function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked Proxy.
    return false;
  }
}
