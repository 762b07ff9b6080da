import type { Kit } from './kit.js';

/**
 * Globals that are built on first access, and the removal of those that must not be there.
 *
 * @param groups the part that makes each, and its names; `*` marks a function, which is enumerable as on the web
 */
export function installRareGlobals(kit: Kit, groups: string): void {
  const { create, defineProperty, global, indexOf, put } = kit;
  const pending = create(null) as Record<string, (() => void) | undefined>;

  const declare = (part: string, name: string, enumerable: boolean) => {
    const build = () => {
      pending[name] = undefined;
      put(global, name, kit.part<Record<string, unknown>>(part)[name], enumerable);
    };
    pending[name] = build;
    defineProperty(global, name, {
      __proto__: null,
      get: () => {
        build();
        return global[name];
      },
      set: (value: unknown) => {
        pending[name] = undefined;
        put(global, name, value, enumerable);
      },
      enumerable,
      configurable: true,
    });
  };

  // Nothing of the program has run yet, so that iterating is safe.
  for (const group of groups.split(',')) {
    const [part = '', ...names] = group.split(' ');
    for (const name of names) {
      const isFunction = indexOf(name, '*') === 0;
      declare(part, isFunction ? name.slice(1) : name, isFunction);
    }
  }
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete global[name];

  kit.materialize = (name) => {
    const build = pending[name];
    if (build !== undefined) build();
  };
}
