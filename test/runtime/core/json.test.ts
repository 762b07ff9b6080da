import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonValue, snapshotJsonValue } from '#dist/runtime/core/json.js';

/** What must be refused, by both functions. */
function expectRefused(value: unknown) {
  expect(snapshotJsonValue(value)).toBeUndefined();
  expect(isJsonValue(value)).toBe(false);
}

/** What must be accepted: equal, and not the same object. */
function expectCopied(value: unknown) {
  const copy = snapshotJsonValue(value);
  expect(copy).toStrictEqual(value);
  if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
  expect(isJsonValue(value)).toBe(true);
}

const nest = (levels: number, leaf: unknown, wrap: (inner: unknown) => unknown) => {
  let value = leaf;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

describe('what is accepted', () => {
  it('J1: scalars, dense arrays and plain objects are copied as they are', () => {
    for (const scalar of [null, true, false, '', 'é\u0000', '\ud800', 0, 1.5, -3, Number.MAX_VALUE, 5e-324]) {
      expectCopied(scalar);
    }
    expectCopied([]);
    expectCopied({});
    expectCopied([1, [2, [3, {}]], { a: [null, { b: '' }] }]);
  });

  it('J1, J2: what JSON text carries without loss is equal to its round trip through JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        const parsed: unknown = JSON.parse(text);
        const hasMinusZero = JSON.stringify(value, (_, item) => (Object.is(item, -0) ? '-0' : item)) !== text;
        if (hasMinusZero) expectRefused(value);
        else expect(snapshotJsonValue(value)).toStrictEqual(parsed);
      }),
    );
  });

  it('J2, J3, J4: for any value, a snapshot exists exactly if JSON text gives the value back', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: false,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
      withBoxedValues: true,
    });
    const lossless = (value: unknown): boolean => {
      if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
      if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
      if (Array.isArray(value)) {
        return (
          Object.getPrototypeOf(value) === Array.prototype &&
          Reflect.ownKeys(value).length === value.length + 1 &&
          Array.from(value.keys()).every((index) => index in value && lossless(value[index]))
        );
      }
      if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
      return Reflect.ownKeys(value).every(
        (key) =>
          typeof key === 'string' &&
          Object.getOwnPropertyDescriptor(value, key)?.enumerable === true &&
          lossless((value as Record<string, unknown>)[key]),
      );
    };
    fc.assert(
      fc.property(anything, (value) => {
        if (lossless(value)) expectCopied(value);
        else expectRefused(value);
      }),
      { numRuns: 500 },
    );
  });

  it('J5, E20: plain containers of another realm are accepted and become ours', () => {
    const foreign: unknown = runInNewContext(
      '({ list: [1, { deep: [] }], none: null, bare: Object.create(null) })',
    );
    const copy = snapshotJsonValue(foreign) as { list: unknown[]; bare: object };
    expect(copy).toStrictEqual({ list: [1, { deep: [] }], none: null, bare: {} });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(copy.list)).toBe(Array.prototype);
    expectRefused(runInNewContext('new Date()'));
    expectRefused(runInNewContext('new Map()'));
    expectRefused(runInNewContext('new (class Row {})()'));
    expectRefused(runInNewContext('new (class Rows extends Array {})()'));
    expectRefused(runInNewContext('[1, , 3]'));
  });

  it('J6, E23: a shared object is copied apart, a cycle is refused at any depth', () => {
    const shared = { n: 1 };
    const copy = snapshotJsonValue({ a: shared, b: [shared, shared] }) as { a: object; b: object[] };
    expect(copy).toStrictEqual({ a: { n: 1 }, b: [{ n: 1 }, { n: 1 }] });
    expect(new Set([copy.a, ...copy.b, shared]).size).toBe(4);

    const self: { self?: unknown } = {};
    self.self = self;
    expectRefused(self);
    const list: unknown[] = [];
    list.push([list]);
    expectRefused(list);
    for (const levels of [1, 15, 16, 17, 18, 40]) {
      const bottom: unknown[] = [];
      const top = nest(levels, bottom, (inner) => [{ side: [[]], inner }]);
      bottom.push(top);
      expectRefused(top);
      expectRefused({ deepFirst: nest(40, 1, (inner) => [inner]), then: top });
    }
  });

  it('J6: siblings that share an ancestor level deep down are no cycle', () => {
    const shared = nest(20, { leaf: true }, (inner) => ({ inner }));
    expectCopied(nest(20, [shared, shared, [shared]], (inner) => [inner]));
  });

  it('J7: 100 000 levels need no stack', () => {
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ inner })]) {
      let copy: unknown = snapshotJsonValue(nest(100_000, 'leaf', wrap));
      let levels = 0;
      while (typeof copy === 'object' && copy !== null) {
        copy = Object.values(copy)[0];
        levels += 1;
      }
      expect([levels, copy]).toEqual([100_000, 'leaf']);
    }
  });

  it('J8: toJSON is never called', () => {
    expectRefused({ toJSON: () => 'other' });
    expect(snapshotJsonValue({ toJSON: 'just a key' })).toStrictEqual({ toJSON: 'just a key' });
  });

  it('J10, E24: an own key called __proto__ survives as data', () => {
    const source: unknown = JSON.parse('{"__proto__": {"a": {"__proto__": [1]}}, "b": 1}');
    const copy = snapshotJsonValue(source) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":{"__proto__":[1]}},"b":1}');
  });

  it('J13: a null-prototype record becomes an ordinary object', () => {
    const copy = snapshotJsonValue(Object.assign(Object.create(null), { a: 1 })) as object;
    expect(copy).toStrictEqual({ a: 1 });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});

describe('what is refused', () => {
  it('J2, E17: undefined, functions, symbols, bigints and numbers that JSON cannot write, anywhere', () => {
    const lossy = [undefined, () => 1, Symbol('s'), 1n, Number.NaN, Infinity, -Infinity, -0];
    for (const value of lossy) {
      expectRefused(value);
      expectRefused([value]);
      expectRefused({ key: value });
      expectRefused({ ok: 1, deep: [{ key: value }] });
    }
  });

  it('J3, E18, E19: arrays with holes or anything besides their items', () => {
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expectRefused([1, , 3]);
    expectRefused(new Array(3));
    expectRefused(new Array(4_294_967_295));
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expectRefused(Object.assign([1, , 3], { extra: 1 }));
    expectRefused(Object.assign([1], { extra: 1 }));
    expectRefused(Object.assign([1], { '-1': 1 }));
    expectRefused(Object.assign([1], { '01': 1 }));
    expectRefused(Object.assign([], { '4294967295': 1 }));
    expectRefused(Object.assign([1], { [Symbol('tag')]: 1 }));
    expectRefused(Object.defineProperty([1], 'hidden', { value: 1 }));
    expectRefused(Object.defineProperty([1], Symbol('tag'), { value: 1 }));
    expectRefused(new (class Rows extends Array {})());
    expectRefused(Object.setPrototypeOf([1], null));
    expectRefused(Object.setPrototypeOf([1], Object.create(Array.prototype)));
    expectRefused(Object.setPrototypeOf([1], Object.prototype));
    expectRefused(Array.prototype);
    expectRefused(new Uint8Array(2));
  });

  it.each([3, 99, 100, 101, 5_000])(
    'J3, E18, E19: an array of %i items is not longer than it looks',
    (length) => {
      const list = () => Array.from({ length }, (_, index) => index);
      expectCopied(list());
      const holed = list();
      Reflect.deleteProperty(holed, length - 2);
      expectRefused(holed);
      expectRefused(Object.assign(holed, { extra: 1 }));
      expectRefused(new Array(length));
      expectRefused(Object.assign(list(), { extra: 1 }));
      expectRefused(Object.assign(list(), { [Symbol('tag')]: 1 }));
      expectRefused(Object.defineProperty(list(), 'hidden', { value: 1 }));
      expectRefused(Object.defineProperty(list(), Symbol('tag'), { value: 1 }));
      expectRefused(Object.defineProperty(list(), 'constructor', { value: Array }));
      expectRefused(Object.setPrototypeOf(list(), Object.create(Array.prototype)));
      expectRefused(Object.setPrototypeOf(list(), null));
      expect(snapshotJsonValue(new Proxy(list(), {}))).toStrictEqual(list());
      const foreign: unknown = runInNewContext(`Array.from({ length: ${length} }, (_, index) => index)`);
      expect(snapshotJsonValue(foreign)).toStrictEqual(list());
      expectRefused(
        runInNewContext(`Object.assign(Array.from({ length: ${length} }, () => 1), { extra: 1 })`),
      );
    },
  );

  it('J3: a hole is not filled from a polluted prototype', () => {
    for (const index of ['0', '200']) {
      Object.defineProperty(Array.prototype, index, { value: 1, configurable: true, writable: true });
    }
    try {
      expectRefused(new Array(1));
      expectRefused(Object.assign(new Array(200).fill(1), { length: 201 }));
    } finally {
      for (const index of ['0', '200']) Reflect.deleteProperty(Array.prototype, index);
    }
  });

  it('J4, E19: instances, hidden keys, symbol keys and custom prototypes', () => {
    class Row {
      a = 1;
    }
    for (const value of [
      new Row(),
      new Map(),
      new Set(),
      new Date(),
      /x/,
      new Error('x'),
      Promise.resolve(1),
      new ArrayBuffer(1),
      new WeakMap(),
      Object(1),
      Object('text'),
      Object(true),
      Math,
      JSON,
      globalThis,
      (function args() {
        // biome-ignore lint/complexity/noArguments: an arguments object is what is tested
        return arguments;
      })(),
    ]) {
      expectRefused(value);
    }
    expectRefused({ [Symbol('tag')]: 1 });
    expectRefused(Object.defineProperty({}, Symbol('tag'), { value: 1 }));
    expectRefused(Object.defineProperty({ a: 1 }, 'hidden', { value: 1 }));
    expectRefused(Object.create({}));
    expectRefused(Object.create(Object.create(null)));
    expectRefused(Object.create({ a: 1 }, { b: { value: 1, enumerable: true } }));
  });

  it('J4, E21: a prototype that only looks like Object.prototype', () => {
    function forge(name: string, maker: unknown) {
      const prototype = Object.create(null);
      Object.defineProperty(prototype, 'constructor', { value: maker });
      if (typeof maker === 'function') {
        try {
          Object.defineProperty(maker, 'name', { value: name });
          Object.defineProperty(maker, 'prototype', { value: prototype });
        } catch {
          // Not every forgery can be made complete.
        }
      }
      return Object.create(prototype, { a: { value: 1, enumerable: true } });
    }
    const revoked = Proxy.revocable(() => {}, {});
    revoked.revoke();
    expectRefused(forge('Object', () => {}));
    expectRefused(forge('Object', new Function('return function Object() {}')()));
    expectRefused(forge('Object', Object.bind(null)));
    expectRefused(forge('Object', Object));
    expectRefused(forge('Object', new Proxy(Object, {})));
    expectRefused(forge('Object', revoked.proxy));
    expectRefused(forge('Object', runInNewContext('Object')));
    expectRefused(forge('Object', { name: 'Object' }));
    const arrayLike = Object.create(Object.prototype, { constructor: { value: Array } });
    expectRefused(Object.setPrototypeOf([1], arrayLike));
  });

  it('J12: an array whose getter changes its length', () => {
    const withGetter = (rest: unknown[], change: (list: unknown[]) => unknown) => {
      const list: unknown[] = ['getter', ...rest];
      Object.defineProperty(list, 0, { enumerable: true, get: () => change(list) });
      return list;
    };
    const grow = (list: unknown[]) => list.push(2);
    const shrink = (list: unknown[]) => {
      list.length = 1;
      return 'shrunk';
    };
    expect(snapshotJsonValue(withGetter([1], grow))).toBeUndefined();
    expect(snapshotJsonValue(withGetter([1], shrink))).toBeUndefined();
    const outer: unknown[] = [[]];
    (outer[0] as unknown[]).push(withGetter([], () => outer.push(1)));
    expect(snapshotJsonValue(outer)).toBeUndefined();
  });
});

describe('getters and Proxies', () => {
  it('J9, E22: every slot is read once, so a getter cannot pass and then change', () => {
    let reads = 0;
    const stateful = {
      get value() {
        reads += 1;
        return reads === 1 ? 'first' : () => 'second';
      },
    };
    expect(snapshotJsonValue(stateful)).toStrictEqual({ value: 'first' });
    expect(reads).toBe(1);

    const log: unknown[] = [];
    const traced = (target: object): object =>
      new Proxy(target, {
        get(object, key, receiver) {
          log.push(key);
          const value: unknown = Reflect.get(object, key, receiver);
          return typeof value === 'object' && value !== null ? traced(value) : value;
        },
      });
    expect(snapshotJsonValue(traced({ a: 1, b: { c: [5, 6] } }))).toStrictEqual({ a: 1, b: { c: [5, 6] } });
    const slots = log.filter((key) => key !== 'length');
    expect(slots.toSorted()).toEqual(['0', '1', 'a', 'b', 'c']);
  });

  it('J9: a throwing getter throws', () => {
    const failure = new Error('no');
    const value = {
      deep: [
        {
          get bad() {
            throw failure;
          },
        },
      ],
    };
    expect(() => snapshotJsonValue(value)).toThrow(failure);
    expect(() => isJsonValue(value)).toThrow(failure);
  });

  it('J11: a trap that throws throws', () => {
    const failure = new Error('trap');
    const raise = () => {
      throw failure;
    };
    expect(() => snapshotJsonValue(new Proxy({}, { ownKeys: raise }))).toThrow(failure);
    expect(() => snapshotJsonValue([new Proxy({}, { getPrototypeOf: raise })])).toThrow(failure);
    expect(() => snapshotJsonValue(new Proxy([], { ownKeys: raise }))).toThrow(failure);
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(() => snapshotJsonValue({ a: revoked.proxy })).toThrow(TypeError);
  });
});
