import type { Kit } from '../kit.js';

/** Calls what nobody awaits: a throw, or a rejection of an async function's own promise, ends the run. */
export function detachedPart(kit: Kit): (callback: unknown, args: object) => void {
  const { apply, isPrototypeOf } = kit;
  const AsyncFunctionPrototype = kit.getPrototypeOf(async () => {}) as object;
  return (callback, args) => {
    try {
      const made = apply(callback, undefined, args);
      // Only an async function's own promise is surely unknown to the program.
      if (isPrototypeOf(AsyncFunctionPrototype, callback as object)) kit.follow(made as object);
    } catch (error) {
      kit.uncaught(error);
    }
  };
}
