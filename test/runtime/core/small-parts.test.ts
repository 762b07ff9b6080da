import { describe, expect, it } from 'vitest';
import { once } from '#dist/runtime/core/disposer.js';
import { deepFreeze } from '#dist/runtime/core/freeze.js';
import { notifyObservers } from '#dist/runtime/core/observers.js';
import { received } from '#dist/runtime/core/option-error.js';
import {
  flag,
  functionOption,
  knownOptions,
  nonEmptyString,
  nonNegativeInteger,
  oneOf,
  positiveFinite,
  positiveInteger,
  timerMs,
} from '#dist/runtime/core/options.js';
import { flush } from '../../support/gate.ts';

describe('notifyObservers', () => {
  it('P60, E58, E59: throws and rejections are contained and reported, and everybody is told', async () => {
    const told: number[] = [];
    const reports: [string, unknown][] = [];
    const unprintable = {
      toString() {
        throw new Error('not even this');
      },
    };
    const rejection = new Error('later');
    notifyObservers(
      [
        () => {
          told.push(1);
          throw unprintable;
        },
        async () => {
          told.push(2);
          throw rejection;
        },
        () => {
          told.push(3);
          return Object.defineProperty({}, 'then', {
            get() {
              throw new Error('then');
            },
          });
        },
        () => told.push(4),
      ],
      [],
      (message, cause) => {
        reports.push([message, cause]);
        throw new Error('a reporter that fails');
      },
    );
    expect(told).toEqual([1, 2, 3, 4]);
    expect(reports).toEqual([['Observer failed: [unprintable error]', unprintable]]);
    await flush();
    expect(
      reports
        .map(([message]) => message)
        .slice(1)
        .toSorted(),
    ).toEqual(['Observer failed: later', 'Observer failed: then']);
  });

  it('P60: nothing is awaited', () => {
    const order: string[] = [];
    notifyObservers([async () => order.push('told')], [], () => order.push('reported'));
    order.push('returned');
    expect(order).toEqual(['told', 'returned']);
  });
});

describe('once', () => {
  it('R13: a second call does nothing, not even inside the first or after it threw', () => {
    let calls = 0;
    const dispose: () => void = once(() => {
      calls += 1;
      dispose();
      throw new Error('failed');
    });
    expect(dispose).toThrow('failed');
    dispose();
    expect(calls).toBe(1);
  });
});

describe('deepFreeze', () => {
  it('P2: everything below is frozen, in place, without a stack and through cycles', () => {
    const value: { list: unknown[]; self?: unknown } = { list: [{ deep: { er: [1] } }] };
    value.self = value;
    expect(deepFreeze(value)).toBe(value);
    const open: unknown[] = [value];
    const seen = new Set<unknown>();
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (typeof at !== 'object' || at === null || seen.has(at)) continue;
      seen.add(at);
      expect(Object.isFrozen(at)).toBe(true);
      open.push(...Object.values(at));
    }
    expect(seen.size).toBe(5);
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(Object.isFrozen(deepFreeze(deep))).toBe(true);
    expect(deepFreeze('text')).toBe('text');
    expect(deepFreeze(null)).toBeNull();
  });

  it('P2: getters are not run', () => {
    const value = {
      get bad(): never {
        throw new Error('ran');
      },
    };
    expect(Object.isFrozen(deepFreeze(value))).toBe(true);
  });
});

describe('option checks', () => {
  const bad: [string, (value: unknown) => unknown, unknown[]][] = [
    [
      'a positive integer',
      (value) => positiveInteger('n', value),
      [0, -1, 1.5, Number.NaN, Infinity, '1', undefined],
    ],
    ['an integer of at least 0', (value) => nonNegativeInteger('n', value), [-1, 0.5, Number.NaN, null]],
    [
      'a positive finite number',
      (value) => positiveFinite('n', value),
      [0, -1, Number.NaN, Infinity, '5', 5n],
    ],
    [
      'a positive number of milliseconds up to 2147483647',
      (value) => timerMs('n', value),
      [0, -1, Number.NaN, Infinity, 2_147_483_648, '5'],
    ],
    ['a non-empty string', (value) => nonEmptyString('n', value), ['', 5, undefined, ['a']]],
    ['true or false', (value) => flag('n', value), [0, 'true', undefined]],
    ['a function', (value) => functionOption('n', value), [undefined, {}, 'f']],
    ['"auto", "off"', (value) => oneOf('n', value, ['auto', 'off']), ['on', undefined, 'toString']],
  ];

  it.each(bad)(
    'E98: an option that must be %s refuses everything else, by name and value',
    (wanted, check, values) => {
      for (const value of values) {
        expect(() => check(value)).toThrow(
          new TypeError(`Cannot use option "n": wanted ${wanted}, received ${received(value)}`),
        );
      }
    },
  );

  it('E98: what is right comes back', () => {
    expect(positiveInteger('n', 1)).toBe(1);
    expect(nonNegativeInteger('n', 0)).toBe(0);
    expect(positiveFinite('n', 0.5)).toBe(0.5);
    expect(timerMs('n', 2_147_483_647)).toBe(2_147_483_647);
    expect(nonEmptyString('n', 'x')).toBe('x');
    expect(flag('n', false)).toBe(false);
    expect(functionOption('n', Math.abs)).toBe(Math.abs);
    expect(oneOf('n', 'off', ['auto', 'off'])).toBe('off');
  });

  it('a misspelt option is refused with the names that there are', () => {
    const options = { maxParalel: 2 } as { maxParallel?: number };
    expect(() => knownOptions('executor', options, ['maxParallel'])).toThrow(
      'Cannot use option "maxParalel" of "executor": wanted one of "maxParallel"',
    );
    expect(() => knownOptions('executor', null as never, [])).toThrow('wanted an object, received null');
    const right = { maxParallel: 2 };
    expect(knownOptions('executor', right, ['maxParallel'])).toBe(right);
  });

  it('a received value is named in few words, whatever it is', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(
      [
        'x',
        'y'.repeat(70),
        1,
        -0,
        5n,
        true,
        null,
        undefined,
        [1],
        {},
        () => 1,
        Symbol('s'),
        revoked.proxy,
      ].map(received),
    ).toEqual([
      '"x"',
      `"${'y'.repeat(60)}…"`,
      '1',
      '-0',
      '5n',
      'true',
      'null',
      'undefined',
      'an array',
      'an object',
      'a function',
      'a symbol',
      'an object',
    ]);
  });
});
