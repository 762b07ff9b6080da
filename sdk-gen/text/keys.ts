const BARE = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A property key as it is written: bare where it can be, else quoted. */
export function propertyKey(key: string): string {
  return BARE.test(key) ? key : JSON.stringify(key);
}

/** A method's key: `new(…)` would declare a constructor, so that one word is quoted. */
export function methodKey(key: string): string {
  return key === 'new' ? '"new"' : propertyKey(key);
}

/** Plain string order, the same everywhere. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
