import type { Kit } from '../kit.js';

/** From now on, whoever observes a promise that has failed is noted; returns how to read the notes. */
export function lateHandlersPart(kit: Kit): () => string {
  const { defineProperty: define, stringify, uncurry, slice, String } = kit;
  const PromisePrototype = kit.Promise.prototype;
  const then = uncurry(PromisePrototype.then) as unknown as (
    promise: object,
    fulfilled: undefined,
    rejected: (reason: unknown) => void,
  ) => void;
  let notes = '';
  let busy = false;

  // What the engine's copy of the reason will show of it.
  const text = (value: unknown, max: number) =>
    value === undefined ? 'null' : stringify(slice(String(value), 0, max));
  const note = (reason: unknown) => {
    let entry = '[]';
    try {
      if ((typeof reason === 'object' && reason !== null) || typeof reason === 'function') {
        const { message, stack } = reason as { message?: unknown; stack?: unknown };
        if (message !== undefined || stack !== undefined) {
          entry = '["error",' + text(message, 500) + ',' + text(stack, 20000) + ']';
        }
      } else if (typeof reason !== 'symbol')
        entry = '["' + typeof reason + '",' + stringify(slice(String(reason), 0, 500)) + ']';
    } catch {
      // As for an object that shows nothing.
    }
    notes += '' + (notes === '' ? '' : ',') + entry;
  };

  const descriptor = (value: unknown, enumerable: boolean) => ({
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  });
  define(PromisePrototype, 'constructor', {
    __proto__: null,
    get(this: object) {
      // Our own look must not look at itself.
      if (!busy && this !== PromisePrototype) {
        busy = true;
        try {
          then(this, undefined, note);
        } catch {
          // Not a promise: nothing to note.
        }
        busy = false;
      }
      return kit.Promise;
    },
    set(this: object, value: unknown) {
      define(this, 'constructor', descriptor(value, this !== PromisePrototype));
    },
    enumerable: false,
    configurable: true,
  });
  return () => '[' + notes + ']';
}
