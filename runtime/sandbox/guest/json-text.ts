import type { Kit } from './kit.js';

/** JSON text of what leaves the program: at the engine's own speed where nothing has to be converted. */
export function installJsonText(kit: Kit): void {
  const { getPrototypeOf, isArray, stringify, ObjectPrototype } = kit;
  const ArrayPrototype = getPrototypeOf([]) as object;
  const MAX_DEPTH = 20;
  let left = 0;

  // Whether nothing in it has to be converted or refused. It gives up early, on a cycle too: then the slow walk decides.
  const isPlain = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') {
      left -= value.length;
      return left > 0;
    }
    if (typeof value === 'number') return value - value === 0;
    if (typeof value !== 'object') return value === undefined || typeof value === 'boolean';
    if (value === null) return true;
    if (depth > MAX_DEPTH || --left < 0) return false;
    if (isArray(value)) {
      if (getPrototypeOf(value) !== ArrayPrototype) return false;
      for (let i = 0; i < value.length; i++) if (!isPlain(value[i], depth + 1)) return false;
      return true;
    }
    const prototype = getPrototypeOf(value);
    if (prototype !== ObjectPrototype && prototype !== null) return false;
    // What is inherited here can only make it give up.
    for (const key in value) {
      if (key === 'toJSON' || !isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  };

  kit.toJson = (root, label, maxLength) => {
    if (root === undefined) return '';
    left = maxLength;
    try {
      if (!('toJSON' in ArrayPrototype) && isPlain(root, 0)) {
        const text = stringify(root);
        if (text.length <= maxLength) return text;
      }
    } catch {
      // The slow walk says what is wrong.
    }
    return kit.part<Kit['toJson']>('convert')(root, label, maxLength);
  };
}
