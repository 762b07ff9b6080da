import type { Kit } from '../kit.js';

/** From now on, whoever observes a promise that has failed is noted; returns how to read the notes. */
export function lateHandlersPart(kit: Kit): () => string {
  const { defineProperty: define, stringify, uncurry, slice, String, indexOf, lastIndexOf, charCodeAt } = kit;
  const PromisePrototype = kit.Promise.prototype;
  const then = uncurry(PromisePrototype.then) as unknown as (
    promise: object,
    fulfilled: undefined,
    rejected: (reason: unknown) => void,
  ) => void;
  const PIECE = 4096;
  let notes = '';
  let batch = '';
  let busy = false;

  const MAX_STACK = 20000;
  const MAX_LINE = 500;
  const MAX_FRAMES = 10;

  // Of a stack the places only: many notes must not fill the heap.
  const places = (stack: unknown): string => {
    const all = slice(String(stack), 0, MAX_STACK);
    let kept = '';
    for (let at = 0, count = 0; at < all.length && count < MAX_FRAMES; ) {
      let end = indexOf(all, '\n', at);
      if (end < 0) end = all.length;
      let stop = end;
      while (stop > at && charCodeAt(all, stop - 1) === 41) stop--;
      const line = slice(all, at, stop);
      const place = end - at > MAX_LINE || indexOf(line, '    at ') !== 0 ? undefined : kit.place(line);
      if (place !== undefined) {
        const text = kit.file + ':' + place.line + ':' + place.column;
        if (lastIndexOf(line, text) === line.length - text.length) {
          kept += '\n    at ' + text;
          count++;
        }
      }
      at = end + 1;
    }
    return kept;
  };

  // What the engine's copy of the reason will show of it.
  const text = (value: unknown, max: number) =>
    value === undefined ? 'null' : stringify(slice(String(value), 0, max));
  const note = (reason: unknown) => {
    let entry = '[]';
    try {
      if ((typeof reason === 'object' && reason !== null) || typeof reason === 'function') {
        const { message, stack } = reason as { message?: unknown; stack?: unknown };
        if (message !== undefined || stack !== undefined) {
          entry =
            '["error",' +
            text(message, 500) +
            ',' +
            (stack === undefined ? 'null' : stringify(places(stack))) +
            ']';
        }
      } else if (typeof reason !== 'symbol')
        entry = '["' + typeof reason + '",' + stringify(slice(String(reason), 0, 500)) + ']';
    } catch {
      // As for an object that shows nothing.
    }
    batch += (batch && ',') + entry;
    if (batch.length < PIECE) return;
    // Looking into it has the engine join what it is made of, whose parts cost many times their length.
    charCodeAt(batch, 0);
    notes += (notes && ',') + batch;
    batch = '';
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
  return () => '[' + notes + (notes && batch && ',') + batch + ']';
}
