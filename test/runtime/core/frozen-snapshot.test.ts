import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '#dist/runtime/core/freeze.js';
import { frozenSnapshot, isFrozenSnapshot, snapshotJsonValue } from '#dist/runtime/core/json.js';
import { snapshotDepth } from '#dist/runtime/core/snapshot-mark.js';

/** Every container of a value, itself included. */
function containers(value: unknown): object[] {
  const found: object[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    found.push(next);
    open.push(...Object.values(next));
  }
  return found;
}

describe('frozenSnapshot', () => {
  it('J1, J6: it is the same copy as a plain snapshot, frozen at every level, and leaves the original open', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const frozen = frozenSnapshot(value);
        expect(frozen).toStrictEqual(snapshotJsonValue(value));
        expect(containers(frozen).filter((container) => !Object.isFrozen(container))).toEqual([]);
        const originals = containers(value).filter((container) => Object.keys(container).length > 0);
        expect(originals.filter((container) => Object.isFrozen(container))).toEqual([]);
      }),
    );
  });

  it('J2: what a plain snapshot refuses is refused', () => {
    for (const lossy of [undefined, { a: undefined }, [1n], new Map(), { a: [() => {}] }]) {
      expect(frozenSnapshot(lossy)).toBeUndefined();
    }
  });

  it('J7: 5 000 levels are frozen to the bottom', () => {
    let value: unknown = { leaf: true };
    for (let level = 0; level < 5_000; level += 1) value = level % 2 === 0 ? [value] : { value };
    const all = containers(frozenSnapshot(value));
    expect(all).toHaveLength(5_001);
    expect(all.filter((container) => !Object.isFrozen(container))).toEqual([]);
  });

  it('J10: names that Object.prototype also has stay own properties', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": [3]}');
    const frozen = frozenSnapshot(value) as object;
    expect(Object.entries(frozen)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
      ['toString', [3]],
    ]);
    expect(Object.getPrototypeOf(frozen)).toBe(Object.prototype);
  });

  it('J10, J11: a Proxy that names __proto__ only on a later look gives no copy another prototype', () => {
    const source = { a: 1, ['__proto__']: { inherited: true } };
    const lyingUntil = (honest: number) => {
      let looks = 0;
      return new Proxy(source, {
        ownKeys: (target) => {
          looks += 1;
          return looks < honest ? ['a'] : Reflect.ownKeys(target);
        },
      });
    };
    const copies = [1, 2, 3, 4].map((honest) => frozenSnapshot(lyingUntil(honest)));
    const prototypes = copies.filter((copy) => copy !== undefined).map((copy) => Object.getPrototypeOf(copy));
    expect(new Set(prototypes)).toEqual(new Set([Object.prototype]));
    expect(copies).toContain(undefined);
  });

  it('J6, P59: a frozen snapshot is known and not copied again, everything else is', () => {
    for (const value of [{}, [1], { a: { b: [] } }, Array.from({ length: 200 }, (_, row) => ({ row }))]) {
      const first = frozenSnapshot(value);
      expect([frozenSnapshot(first) === first, isFrozenSnapshot(first), isFrozenSnapshot(value)]).toEqual([
        true,
        true,
        false,
      ]);
      const again = snapshotJsonValue(first);
      expect([again === first, Object.isFrozen(again)]).toEqual([false, false]);
      expect(again).toEqual(value);
      expect(isFrozenSnapshot(deepFreeze(value))).toBe(false);
    }
    expect([isFrozenSnapshot('text'), isFrozenSnapshot(null)]).toEqual([false, false]);
  });

  it('P59: nothing about a snapshot tells that it is known, and what is made from it or looks like it is not', () => {
    const snapshot = frozenSnapshot({ a: [1] }) as object;
    const imitations = [
      { ...snapshot },
      structuredClone(snapshot),
      Object.create(snapshot),
      new Proxy(snapshot, {}),
      (snapshot as { a: unknown }).a,
    ];
    expect(imitations.map((imitation) => isFrozenSnapshot(imitation))).toEqual(imitations.map(() => false));
    expect(Reflect.ownKeys(snapshot)).toEqual(['a']);
    expect(JSON.stringify(snapshot)).toBe('{"a":[1]}');
    expect(inspect(snapshot, { showHidden: true })).toBe(
      inspect(deepFreeze({ a: [1] }), { showHidden: true }),
    );
  });

  it('M47: how deep a frozen snapshot is is known', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((item) => depthOf(item)))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const frozen = frozenSnapshot([value]);
        expect(snapshotDepth(frozen)).toBe(frozen === undefined ? undefined : depthOf(frozen));
      }),
    );
    expect([snapshotDepth([[]]), snapshotDepth(frozenSnapshot('text'))]).toEqual([undefined, undefined]);
  });

  it.each([0, 1, 2, 3, 4, 5, 9, 101])(
    'J3, J5: a list of %i items of any kind is copied into a plain array of ours, however arrays are made elsewhere',
    (length) => {
      const kinds = [(index: number) => index, (index: number) => index + 0.5, String, () => null, () => [1]];
      class Foreign extends Array {}
      const original = Object.getOwnPropertyDescriptor(Array.prototype, 'constructor')!;
      for (const kind of kinds) {
        const list = Array.from({ length }, (_, index) => kind(index));
        Object.defineProperty(Array.prototype, 'constructor', { ...original, value: Foreign });
        let elsewhere: unknown;
        try {
          elsewhere = frozenSnapshot(list);
        } finally {
          Object.defineProperty(Array.prototype, 'constructor', original);
        }
        for (const copy of [frozenSnapshot(list), elsewhere]) {
          expect(copy).toStrictEqual(list);
          expect([Object.getPrototypeOf(copy) === Array.prototype, Object.isFrozen(copy)]).toEqual([
            true,
            true,
          ]);
        }
      }
    },
  );

  it('J9, J10: a setter that appears on Object.prototype while a value is copied takes no slot out of the copy', () => {
    const polluting = Object.defineProperty(['x'], 0, {
      enumerable: true,
      get() {
        Object.defineProperty(Object.prototype, 'second', { set: () => {}, configurable: true });
        return 'x';
      },
    });
    const row = { first: 1, second: 2 };
    try {
      expect(frozenSnapshot([row, polluting, row])).toBeUndefined();
      expect(frozenSnapshot([row, ['x'], row])).toEqual([row, ['x'], row]);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'second');
    }
  });

  it('J11: a Proxy that names one key more when it is copied gives no unchecked slot', () => {
    let looks = 0;
    const lying = new Proxy(
      { a: 1, b: () => {} },
      {
        ownKeys: () => {
          looks += 1;
          return looks < 3 ? ['a'] : ['a', 'b'];
        },
      },
    );
    expect(frozenSnapshot(lying)).toBeUndefined();
  });
});
