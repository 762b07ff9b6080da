import type { Kit } from '../kit.js';

/** What an object is by its own nature, read through intrinsics only. */
export interface ObjectNature {
  readonly kind:
    | 'object'
    | 'array'
    | 'typed'
    | 'map'
    | 'set'
    | 'base'
    | 'buffer'
    | 'weak'
    | 'error'
    | 'promise';
  /** Name of the constructor; `null` without one. */
  readonly name: string | null;
  /** `[tag] ` where the object's own tag says something else than its constructor. */
  readonly tag: string;
  /** Items of a list, a map or a set; bytes of a buffer. */
  readonly size: number;
  /** What stands for the whole, e.g. `[Function: f]`. */
  readonly base: string;
}

/** Tells the nature of an object for the log. */
export function naturePart(kit: Kit): (value: object) => ObjectNature {
  const {
    getOwnPropertyDescriptor: descriptor,
    hasOwnProperty: hasOwn,
    getPrototypeOf: prototypeOf,
    isPrototypeOf: isInChain,
    isArray,
    indexOf,
    String,
  } = kit;
  const brand = (name: string, key: PropertyKey) => {
    const method = kit.method<(value: object) => unknown>(name, key);
    return (value: object): unknown => {
      try {
        return method(value);
      } catch {
        return undefined;
      }
    };
  };
  const dateTime = brand('Date', 'getTime');
  const dateText = brand('Date', 'toISOString');
  const regExpSource = brand('RegExp', 'source');
  const regExpText = brand('RegExp', 'toString');
  const mapSize = brand('Map', 'size');
  const setSize = brand('Set', 'size');
  const bufferLength = brand('ArrayBuffer', 'byteLength');
  const typedTag = brand('TypedArray', Symbol.toStringTag);
  const typedLength = brand('TypedArray', 'length');
  const functionText = brand('Function', 'toString');
  const weakMapHas = kit.method<(map: object, key: unknown) => unknown>('WeakMap', 'has');
  const weakSetHas = kit.method<(set: object, key: unknown) => unknown>('WeakSet', 'has');
  const boxes = {
    __proto__: null,
    Number: brand('Number', 'valueOf'),
    String: brand('String', 'valueOf'),
    Boolean: brand('Boolean', 'valueOf'),
    Symbol: brand('Symbol', 'valueOf'),
    BigInt: brand('BigInt', 'valueOf'),
  } as unknown as Record<string, (value: object) => unknown>;

  const constructorName = (value: object): string | null => {
    for (let at: object | null = value, levels = 0; at !== null && levels < 100; levels++) {
      const made: unknown = own(at, 'constructor');
      const name = typeof made === 'function' ? own(made, 'name') : undefined;
      if (typeof name === 'string' && name !== '') return name;
      at = prototypeOf(at);
    }
    return null;
  };

  const own = (value: object, key: string): unknown => {
    const found = descriptor(value, key);
    return found !== undefined && hasOwn(found, 'value') ? found.value : undefined;
  };

  const functionBase = (value: object, name: string | null): string => {
    const label = own(value, 'name');
    const shown = typeof label === 'string' && label !== '' ? label : '(anonymous)';
    if (indexOf(String(functionText(value)), 'class') === 0) {
      const parent = prototypeOf(value);
      const parentName = parent === null ? undefined : own(parent, 'name');
      return (
        '[class ' +
        shown +
        (typeof parentName === 'string' && parentName !== '' ? ' extends ' + parentName : '') +
        ']'
      );
    }
    const kind = name ?? 'Function (null prototype)';
    return shown === '(anonymous)' ? '[' + kind + ' (anonymous)]' : '[' + kind + ': ' + shown + ']';
  };

  const isWeak = (value: object): boolean => {
    try {
      weakMapHas(value, 1);
      return true;
    } catch {
      // The other kind is asked.
    }
    try {
      weakSetHas(value, 1);
      return true;
    } catch {
      return false;
    }
  };

  const baseOf = (value: object, name: string | null): string => {
    if (typeof value === 'function') return functionBase(value, name);
    if (typeof regExpSource(value) === 'string') return String(regExpText(value));
    const time = dateTime(value);
    if (typeof time === 'number') return time - time === 0 ? String(dateText(value)) : 'Invalid Date';
    for (const kind in boxes) {
      const inner = (boxes[kind] as (value: object) => unknown)(value);
      if (inner === undefined) continue;
      const text = kit.part<(value: unknown) => string>('inspect')(inner);
      return (
        '[' +
        kind +
        ': ' +
        (typeof inner === 'string'
          ? kit.part<(text: string, max: number, indent: number) => string>('quote')(inner, 10000, 0)
          : text) +
        ']'
      );
    }
    return '';
  };

  return (value) => {
    const name = constructorName(value);
    let tag = '';
    try {
      const own: unknown = (value as Record<symbol, unknown>)[Symbol.toStringTag];
      if (typeof own === 'string' && own !== '' && own !== name) tag = '[' + own + '] ';
    } catch {
      // It has none that can be read.
    }
    const is = (kind: ObjectNature['kind'], size = 0, base = ''): ObjectNature => ({
      kind,
      name,
      tag,
      size,
      base,
    });
    if (isArray(value)) return is('array', (value as unknown[]).length);
    // What an engine throws when it is asked for a kind costs more than all the rest.
    if (typeof value === 'object' && prototypeOf(value) === kit.ObjectPrototype) return is('object');
    const typed = typedLength(value);
    if (typedTag(value) !== undefined && typeof typed === 'number') return is('typed', typed);
    const entries = mapSize(value);
    if (typeof entries === 'number') return is('map', entries);
    const members = setSize(value);
    if (typeof members === 'number') return is('set', members);
    if (isInChain(kit.ErrorPrototype, value)) return is('error');
    const base = baseOf(value, name);
    if (base !== '') return is('base', 0, base);
    const bytes = bufferLength(value);
    if (typeof bytes === 'number') return is('buffer', bytes);
    if (isInChain(kit.Promise.prototype, value)) return is('promise');
    return is(isWeak(value) ? 'weak' : 'object');
  };
}
