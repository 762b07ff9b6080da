import type { Kit } from '../kit.js';

/** Gives a class the look of a web interface: enumerable members and a tag; answers the class. */
export function webClassPart(kit: Kit): <T extends abstract new (...args: never[]) => object>(Class: T) => T {
  const { defineProperty: define, getOwnPropertyDescriptor: descriptor, setPrototypeOf, ownKeys } = kit;

  const expose = (target: object) => {
    const keys = ownKeys(target);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as PropertyKey;
      if (
        typeof key === 'symbol' ||
        key === 'constructor' ||
        key === 'prototype' ||
        key === 'name' ||
        key === 'length'
      )
        continue;
      // Without a prototype, so that nothing a program put on Object.prototype becomes part of it.
      const own = setPrototypeOf(descriptor(target, key) as PropertyDescriptor, null);
      own.enumerable = true;
      define(target, key, own);
    }
  };

  return (Class) => {
    expose(Class);
    expose(Class.prototype);
    define(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
    return Class;
  };
}
