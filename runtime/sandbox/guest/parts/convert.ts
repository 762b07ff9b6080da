import type { Kit } from '../kit.js';

interface Level {
  readonly up: Level | undefined;
  readonly value: object;
  /** Own keys of an object; absent for an array. */
  readonly names: string[] | undefined;
  readonly length: number;
  index: number;
  empty: boolean;
}

/** The containers around an item that lies deep. */
export interface Ancestors {
  has(value: object): boolean;
  add(value: object): void;
  delete(value: object): void;
}

/** What the rare part says of a class instance, a boxed value or a function. */
export type Special = { readonly refuse: string; readonly value: unknown } | undefined;

/** Values that leave the program: converted and written as JSON text in one walk that never recurses. */
export function convertPart(kit: Kit): Kit['toJson'] {
  const { charCodeAt, keys, getPrototypeOf: prototypeOf, isArray, stringify, ObjectPrototype } = kit;
  const NEAR = 64;
  const PIECE = 4096;

  const path = (level: Level | undefined, label: string): string => {
    let text = '';
    for (let at = level; at !== undefined; at = at.up) {
      if (at.index < 0) continue;
      text =
        (at.names === undefined
          ? '[' + at.index + ']'
          : kit.part<(name: string) => string>('keyPath')(at.names[at.index] as string)) + text;
    }
    return label + text;
  };

  return (root, label, maxLength) => {
    const maxDepth = kit.run.limits.maxDepth;
    // What is written: whole pieces, then the one that grows.
    let pieces = '';
    let text = '';
    let level: Level | undefined;
    let depth = 0;
    let current: unknown = root;
    let ancestors: Ancestors | undefined;
    let before = '';
    let wasEmpty = true;
    const refuse = (why: string, isWhole = false, isSize = false) => {
      kit.refusal = '' + (isWhole ? label : path(level, label)) + ' ' + why;
      kit.refusedSize = isSize;
      return undefined;
    };
    const refuseSize = () => refuse('is larger than ' + maxLength + ' bytes of JSON', true, true);
    try {
      for (;;) {
        // Writes `current`; a container is opened and its items follow.
        let converted = false;
        let opened = false;
        for (;;) {
          if (typeof current === 'string') {
            if (current.length > maxLength) text = current;
            else text += stringify(current);
          } else if (typeof current === 'number' && current - current === 0) text += current;
          else if (current === null || typeof current === 'boolean') text += current;
          else if (current === undefined) {
            if (level === undefined) return '';
            if (level.names === undefined) text += 'null';
            else {
              // Only now, after its conversion, is the property known to be none.
              text = before;
              level.empty = wasEmpty;
            }
          } else if (typeof current === 'object') {
            const value: object = current;
            const list = isArray(value);
            const prototype = list ? null : prototypeOf(value);
            if (!converted && (list || prototype === ObjectPrototype || prototype === null)) {
              const toJSON = (value as { toJSON?: unknown }).toJSON;
              if (typeof toJSON === 'function') {
                current = kit.apply(toJSON, value, kit.create(null));
                converted = true;
                continue;
              }
            } else if (!list && prototype !== ObjectPrototype && prototype !== null) {
              const special: Special = kit.part<(value: object, converted: boolean) => Special>('special')(
                value,
                converted,
              );
              if (special !== undefined) {
                if (special.refuse) return refuse(special.refuse);
                current = special.value;
                converted = true;
                continue;
              }
            }
            // A chain is walked while it is short; a deep one is kept as a set.
            if (depth > NEAR)
              ancestors ??= kit.part<(level: Level | undefined) => Ancestors>('ancestors')(level);
            if (ancestors === undefined || ancestors.has(value)) {
              for (let at = level; at !== undefined; at = at.up) {
                if (at.value === value)
                  return refuse(
                    'is circular, it refers back to ' + path(at.up, label) + ': send an id instead',
                  );
              }
            }
            ancestors?.add(value);
            if (++depth > maxDepth) {
              return refuse('is nested deeper than ' + maxDepth + ' levels: send a flatter value', true);
            }
            const names = list ? undefined : keys(value);
            const length = names === undefined ? (value as unknown[]).length : names.length;
            level = { up: level, value, names, length, index: -1, empty: true };
            text += list ? '[' : '{';
            opened = true;
          } else {
            return refuse(kit.part<(value: unknown) => string>('scalarRefusal')(current));
          }
          break;
        }
        if (pieces.length + text.length > maxLength) return refuseSize();
        if (!opened && level === undefined) return pieces + text;
        if (text.length > PIECE) {
          // Looking into it has the engine join what it is made of, whose parts cost many times their length.
          charCodeAt(text, 0);
          pieces += text;
          text = '';
        }
        // Goes to the next item, closing what is complete.
        for (;;) {
          const at: Level = level as Level;
          if (++at.index >= at.length) {
            text += at.names === undefined ? ']' : '}';
            level = at.up;
            depth--;
            ancestors?.delete(at.value);
            if (level === undefined)
              return pieces.length + text.length > maxLength ? refuseSize() : pieces + text;
            continue;
          }
          if (at.names === undefined) {
            current = (at.value as unknown[])[at.index];
            text += at.empty ? '' : ',';
          } else {
            const name = at.names[at.index] as string;
            current = (at.value as Record<string, unknown>)[name];
            if (current === undefined) continue;
            before = text;
            wasEmpty = at.empty;
            text += '' + ((at.empty ? '' : ',') + stringify(name)) + ':';
          }
          at.empty = false;
          break;
        }
      }
    } catch (error) {
      return refuse('cannot be read: ' + kit.part<(reason: unknown) => string>('shortText')(error));
    }
  };
}
