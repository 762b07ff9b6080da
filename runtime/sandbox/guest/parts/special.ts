import type { Kit } from '../kit.js';
import type { Special } from './convert.js';

/** What becomes of a value that is neither plain nor a list when it leaves the program. */
export function specialPart(kit: Kit): (value: object, converted: boolean) => Special {
  const { ErrorPrototype, isPrototypeOf: isInChain, create, apply } = kit;
  type Method = (value: object) => unknown;
  const dateTime = kit.method<Method>('Date', 'getTime');
  const dateText = kit.method<Method>('Date', 'toISOString');
  const numberOf = kit.method<Method>('Number', 'valueOf');
  const stringOf = kit.method<Method>('String', 'valueOf');
  const booleanOf = kit.method<Method>('Boolean', 'valueOf');
  const tagOf = kit.method<Method>('TypedArray', Symbol.toStringTag);
  const PromisePrototype = kit.Promise.prototype;
  const Iterator = kit.intrinsic<object>('Iterator');
  const AsyncIterator = kit.intrinsic<object>('AsyncIterator');

  const become = (value: unknown) => ({ refuse: '', value });
  const refuse = (why: string) => ({ refuse: why, value: undefined });

  // Each throws, or has no answer, for what is not of its kind, whatever its prototype says.
  const brand = (method: Method, value: object): unknown => {
    try {
      return method(value);
    } catch {
      return undefined;
    }
  };

  const has = kit.method<(set: object, value: unknown) => unknown>;
  const kinds = {
    __proto__: null,
    Map: [kit.method<Method>('Map', 'size'), 'a Map: use Object.fromEntries(map) or [...map]'],
    Set: [kit.method<Method>('Set', 'size'), 'a Set: use [...set]'],
    WeakMap: [(value: object) => has('WeakMap', 'has')(value, 1), 'a WeakMap: use a plain object'],
    WeakSet: [(value: object) => has('WeakSet', 'has')(value, 1), 'a WeakSet: use an array'],
    ArrayBuffer: [
      kit.method<Method>('ArrayBuffer', 'byteLength'),
      'an ArrayBuffer: use [...new Uint8Array(buffer)] or base64 text',
    ],
    DataView: [kit.method<Method>('DataView', 'byteLength'), 'a DataView: use an array or base64 text'],
    RegExp: [kit.method<Method>('RegExp', 'source'), 'a RegExp: use its source text'],
    Symbol: [kit.method<Method>('Symbol', 'valueOf'), 'a symbol: use a text'],
    BigInt: [kit.method<Method>('BigInt', 'valueOf'), 'a bigint: use a text, e.g. String(n)'],
  } as unknown as Record<string, readonly [Method, string]>;
  const names = kit.keys(kinds);

  const errorRecord = (error: Record<string, unknown>) => {
    const record = create(null);
    const name = error['name'];
    const message = error['message'];
    record['name'] = typeof name === 'string' ? name : 'Error';
    record['message'] = typeof message === 'string' ? message : '';
    for (let i = 0; kit.run.spaces[i] !== undefined; i++) {
      const shape = kit.run.shapes[i];
      if (shape === undefined || !isInChain(shape.prototype, error)) continue;
      record[shape.property] = error[shape.property];
      break;
    }
    return become(record);
  };

  return (value, converted) => {
    const time = brand(dateTime, value);
    if (typeof time === 'number') {
      if (time - time !== 0) return refuse('is an invalid Date: use null or a valid date');
      return become(dateText(value));
    }
    if (isInChain(ErrorPrototype, value)) return errorRecord(value as Record<string, unknown>);
    if (!converted) {
      const toJSON = (value as { toJSON?: unknown }).toJSON;
      if (typeof toJSON === 'function') return become(apply(toJSON, value, create(null)));
    }
    if (isInChain(PromisePrototype, value)) return refuse('is a promise: await it first');
    if (brand(tagOf, value) !== undefined) return refuse('is a typed array: use [...array] or base64 text');
    for (let i = 0; i < names.length; i++) {
      const kind = kinds[names[i] as string] as (typeof kinds)[string];
      if (brand(kind[0], value) !== undefined) return refuse('is ' + kind[1]);
    }
    const boxed = brand(numberOf, value) ?? brand(stringOf, value) ?? brand(booleanOf, value);
    if (boxed !== undefined) return become(boxed);
    if (isInChain(Iterator, value) || isInChain(AsyncIterator, value)) {
      return refuse('is an iterator: use [...iterator]');
    }
    return undefined;
  };
}

/** Why a number, a function, a symbol or a bigint cannot leave the program. */
export function scalarRefusalPart(): (value: unknown) => string {
  return (value) => {
    if (typeof value === 'number')
      return 'is ' + value + ': JSON has no such number, use null or a text instead';
    if (typeof value === 'bigint') return 'is a bigint: use a text, e.g. String(n), or a number';
    if (typeof value === 'symbol') return 'is a symbol: use a text';
    return 'is a function: call it and send its result, or leave it out';
  };
}
