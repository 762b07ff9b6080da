import type { Kit } from '../kit.js';
import type { Ancestors } from './convert.js';

/** Keeps the containers around an item that lies deep, starting with those it has. */
export function ancestorsPart(
  kit: Kit,
): (level: { readonly up: unknown; readonly value: object } | undefined) => Ancestors {
  const Set = kit.intrinsic<new () => object>('Set');
  const has = kit.method<(set: object, value: object) => boolean>('Set', 'has');
  const add = kit.method<(set: object, value: object) => void>('Set', 'add');
  const remove = kit.method<(set: object, value: object) => void>('Set', 'delete');
  return (level) => {
    const set = new Set();
    for (let at = level; at !== undefined; at = at.up as typeof level) add(set, at.value);
    return {
      has: (value) => has(set, value),
      add: (value) => add(set, value),
      delete: (value) => remove(set, value),
    };
  };
}
