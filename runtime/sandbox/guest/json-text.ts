import type { Kit } from './kit.js';

/** JSON text of what leaves the program: at the engine's own speed where nothing has to be converted. */
export function installJsonText(kit: Kit): void {
  const { getPrototypeOf, isArray, stringify, ObjectPrototype } = kit;
  const ArrayPrototype = getPrototypeOf([]) as object;
  const MAX_DEPTH = 20;
  let left = 0;

  // Whether nothing in it has to be converted or refused. It gives up early, on a cycle too: then the slow walk decides.
  // `left` falls by what the text takes at least.
  const isPlain = (value: unknown, depth: number): boolean => {
    switch (typeof value) {
      case 'string':
        left -= value.length;
        return left > 0;
      case 'number':
        return value - value === 0;
      case 'object':
        return value === null || isPlainObject(value, depth);
      default:
        return value === undefined || typeof value === 'boolean';
    }
  };

  const isPlainObject = (value: object, depth: number): boolean => {
    // Before anything of it is counted: its text may be another one.
    if ((value as { toJSON?: unknown }).toJSON !== undefined) return false;
    left -= 2;
    if (depth > MAX_DEPTH || left < 0) return false;
    const prototype = getPrototypeOf(value);
    if (isArray(value)) {
      if (prototype !== ArrayPrototype) return false;
      const { length } = value;
      left -= length;
      if (left < 0) return false;
      for (let i = 0; i < length; i++) if (!isPlain(value[i], depth + 1)) return false;
      return true;
    }
    if (prototype !== ObjectPrototype && prototype !== null) return false;
    // What is inherited here can only make it give up.
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      if (item !== undefined) left -= key.length + 4;
      // Without a call for what is most of it.
      if (typeof item === 'string') left -= item.length;
      else if (typeof item !== 'number' ? !isPlain(item, depth + 1) : item - item !== 0) return false;
    }
    return left > 0;
  };

  kit.toJson = (root, label, maxLength) => {
    if (root === undefined) return '';
    left = maxLength;
    try {
      if (isPlain(root, 0)) {
        const text = stringify(root);
        if (text.length <= maxLength) return text;
        left = -1;
      }
      // The slow walk would only come to the same end later.
      if (left < 0) {
        kit.refusal = label + ' is larger than ' + maxLength + ' bytes of JSON';
        kit.refusedSize = true;
        return undefined;
      }
    } catch {
      // The slow walk says what is wrong.
    }
    return kit.part<Kit['toJson']>('convert')(root, label, maxLength);
  };
}
