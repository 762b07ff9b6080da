import type { Kit } from '../kit.js';

/** `performance`: its clock counts whole milliseconds from the start of the run and never goes back. */
export function clockPart(kit: Kit): Record<string, unknown> {
  const { create, defineProperty: define, now } = kit;
  const origin = kit.run.startedAt;
  let latest = 0;
  const performance = create(create(kit.ObjectPrototype));
  const members = {
    __proto__: null,
    now() {
      const time = now() - origin;
      if (time > latest) latest = time;
      return latest;
    },
  };
  kit.put(performance, 'now', members.now, true);
  define(performance, 'timeOrigin', { __proto__: null, value: origin, enumerable: true, configurable: true });
  define(performance, Symbol.toStringTag, { __proto__: null, value: 'Performance', configurable: true });
  return { __proto__: null, performance } as unknown as Record<string, unknown>;
}

/** `crypto.randomUUID`. */
export function cryptoPart(kit: Kit): Record<string, unknown> {
  const { create, defineProperty: define, host, slice, indexOf } = kit;
  let digits = '';
  const members = {
    __proto__: null,
    randomUUID() {
      if (digits.length < 32) digits = host(5, '');
      const d = slice(digits, 0, 32);
      digits = slice(digits, 32);
      const variant = slice('89ab', indexOf('0123456789abcdef', slice(d, 16, 17)) & 3);
      return (
        '' +
        slice(d, 0, 8) +
        '-' +
        slice(d, 8, 12) +
        '-4' +
        slice(d, 13, 16) +
        '-' +
        slice(variant, 0, 1) +
        slice(d, 17, 20) +
        '-' +
        slice(d, 20, 32)
      );
    },
  };
  const crypto = create(create(kit.ObjectPrototype));
  kit.put(crypto, 'randomUUID', members.randomUUID, true);
  define(crypto, Symbol.toStringTag, { __proto__: null, value: 'Crypto', configurable: true });
  return { __proto__: null, crypto } as unknown as Record<string, unknown>;
}
