import type { Kit } from '../kit.js';

/** `structuredClone`, by the web's algorithm for the kinds of values that exist here. */
export function clonePart(kit: Kit): Record<string, unknown> {
  const {
    defineProperty: define,
    keys,
    isArray,
    isPrototypeOf: isInChain,
    setPrototypeOf: setPrototype,
    hasOwnProperty: hasOwn,
    getOwnPropertyDescriptor: descriptor,
    Error,
    TypeError,
    String,
  } = kit;
  type Any = (...args: unknown[]) => unknown;
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
  const Class = (name: string) => kit.intrinsic<new (...args: unknown[]) => object>(name);
  const Date = Class('Date');
  const RegExp = Class('RegExp');
  const Map = Class('Map');
  const Set = Class('Set');
  const Uint8Array = Class('Uint8Array') as unknown as Uint8ArrayConstructor;
  const ObjectOf = kit.intrinsic<(value: unknown) => object>('Object');
  const mapGet = kit.method<(map: object, key: unknown) => unknown>('Map', 'get');
  const mapHas = kit.method<(map: object, key: unknown) => boolean>('Map', 'has');
  const mapSet = kit.method<(map: object, key: unknown, value: unknown) => void>('Map', 'set');
  const mapEach = kit.method<(map: object, act: (value: unknown, key: unknown) => void) => void>(
    'Map',
    'forEach',
  );
  const setAdd = kit.method<(set: object, value: unknown) => void>('Set', 'add');
  const setEach = kit.method<(set: object, act: (value: unknown) => void) => void>('Set', 'forEach');
  const fill = kit.method<(target: object, source: object) => void>('TypedArray', 'set');
  const dateTime = brand('Date', 'getTime');
  const regExpSource = brand('RegExp', 'source');
  const regExpFlags = brand('RegExp', 'flags');
  const mapSize = brand('Map', 'size');
  const setSize = brand('Set', 'size');
  const bufferLength = brand('ArrayBuffer', 'byteLength');
  const typedTag = brand('TypedArray', Symbol.toStringTag);
  const viewLength = brand('DataView', 'byteLength');
  const boxes = {
    __proto__: null,
    Number: brand('Number', 'valueOf'),
    String: brand('String', 'valueOf'),
    Boolean: brand('Boolean', 'valueOf'),
    BigInt: brand('BigInt', 'valueOf'),
  } as unknown as Record<string, (value: object) => unknown>;
  const ERRORS = 'Error EvalError RangeError ReferenceError SyntaxError TypeError URIError';
  const MAX_DEPTH = 1000;

  const refused = (value: unknown) => {
    const what = typeof value === 'symbol' || typeof value === 'function' ? String(value) : 'This value';
    return define(new Error(kit.slice(what, 0, 200) + ' could not be cloned.'), 'name', {
      __proto__: null,
      value: 'DataCloneError',
      writable: true,
      configurable: true,
    });
  };

  const put = (target: object, key: PropertyKey, value: unknown, enumerable = true) =>
    define(target, key, { __proto__: null, value, writable: true, enumerable, configurable: true });

  const cloneBuffer = (value: object): ArrayBuffer => {
    const bytes = new Uint8Array(bufferLength(value) as number);
    fill(bytes, new Uint8Array(value as ArrayBuffer));
    return kit.method<(value: object) => ArrayBuffer>('TypedArray', 'buffer')(bytes);
  };

  const cloneError = (value: object, seen: object, depth: number): object => {
    const given: unknown = (value as Error).name;
    const known = typeof given === 'string' && kit.indexOf(' ' + ERRORS + ' ', ' ' + given + ' ') >= 0;
    const error = new Error();
    setPrototype(error, kit.intrinsic<{ prototype: object }>(known ? (given as string) : 'Error').prototype);
    mapSet(seen, value, error);
    const message = descriptor(value, 'message');
    if (message !== undefined && hasOwn(message, 'value'))
      put(error, 'message', String(message.value), false);
    const { stack } = value as Error;
    put(error, 'stack', typeof stack === 'string' ? stack : '', false);
    const cause = descriptor(value, 'cause');
    if (cause !== undefined && hasOwn(cause, 'value'))
      put(error, 'cause', clone(cause.value, seen, depth + 1), false);
    return error;
  };

  const cloneSpecial = (value: object, seen: object): object | undefined => {
    const time = dateTime(value);
    if (typeof time === 'number') return new Date(time);
    const source = regExpSource(value);
    if (typeof source === 'string') return new RegExp(source, regExpFlags(value));
    for (const kind in boxes) {
      const inner = (boxes[kind] as (value: object) => unknown)(value);
      if (inner !== undefined) return ObjectOf(inner);
    }
    if (typeof bufferLength(value) === 'number') return cloneBuffer(value);
    const tag = typedTag(value);
    const isView = typeof viewLength(value) === 'number';
    if (tag === undefined && !isView) return undefined;
    const owner = isView ? 'DataView' : 'TypedArray';
    const read = (key: string) => kit.method<(value: object) => unknown>(owner, key)(value);
    const buffer = clone(read('buffer'), seen, 0);
    return new (Class(isView ? 'DataView' : (tag as string)))(
      buffer,
      read('byteOffset'),
      read(isView ? 'byteLength' : 'length'),
    );
  };

  const clone = (value: unknown, seen: object, depth: number): unknown => {
    if (typeof value === 'symbol' || typeof value === 'function') throw refused(value);
    if (typeof value !== 'object' || value === null) return value;
    if (mapHas(seen, value)) return mapGet(seen, value);
    if (depth > MAX_DEPTH) throw refused(value);
    const isList = isArray(value);
    const prototype = isList ? null : kit.getPrototypeOf(value);
    // What an engine throws when it is asked for a kind costs more than all the rest.
    const isPlain = prototype === null || prototype === kit.ObjectPrototype;
    const special = isPlain ? undefined : cloneSpecial(value, seen);
    if (special !== undefined) {
      mapSet(seen, value, special);
      return special;
    }
    if (!isPlain && isInChain(kit.ErrorPrototype, value)) return cloneError(value, seen, depth);
    const isMap = !isPlain && typeof mapSize(value) === 'number';
    const isSet = !isPlain && typeof setSize(value) === 'number';
    const unclonable =
      !isPlain &&
      (isInChain(kit.Promise.prototype, value) ||
        brandOfWeak(value) ||
        isInChain(kit.intrinsic<object>('Iterator'), value) ||
        isInChain(kit.intrinsic<object>('AsyncIterator'), value));
    if (unclonable) throw refused(value);
    const copy: object = isMap ? new Map() : isSet ? new Set() : isList ? [] : {};
    mapSet(seen, value, copy);
    if (isMap) {
      // Entries first, then their copies: cloning may run the program, which may change the map.
      const items = setPrototype([], null) as unknown as unknown[];
      mapEach(value, (item, key) => {
        items[items.length] = key;
        items[items.length] = item;
      });
      for (let i = 0; i < items.length; i += 2) {
        mapSet(copy, clone(items[i], seen, depth + 1), clone(items[i + 1], seen, depth + 1));
      }
      return copy;
    }
    if (isSet) {
      const items = setPrototype([], null) as unknown as unknown[];
      setEach(value, (item) => {
        items[items.length] = item;
      });
      for (let i = 0; i < items.length; i++) setAdd(copy, clone(items[i], seen, depth + 1));
      return copy;
    }
    const names = keys(value);
    if (isList) put2(copy, 'length', value.length);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      if (hasOwn(value, name))
        put(copy, name, clone((value as Record<string, unknown>)[name], seen, depth + 1));
    }
    return copy;
  };

  const put2 = (target: object, key: string, value: unknown) =>
    define(target, key, { __proto__: null, value });

  const brandOfWeak = (value: object): boolean => {
    const tries = (name: string) => {
      try {
        (kit.method<Any>(name, name === 'WeakRef' ? 'deref' : 'has') as Any)(value, 1);
        return true;
      } catch {
        return false;
      }
    };
    return (
      tries('WeakMap') || tries('WeakSet') || (kit.intrinsic('WeakRef') !== undefined && tries('WeakRef'))
    );
  };

  const functions = {
    __proto__: null,
    structuredClone(value: unknown) {
      if (arguments.length === 0) throw new TypeError('Cannot call structuredClone: wanted a value');
      return clone(value, new Map(), 0);
    },
  };
  return functions as unknown as Record<string, unknown>;
}
