import type { Kit } from './kit.js';

/** Globals that are built on first access, and the removal of those that must not be there. */
export function installRareGlobals(kit: Kit): void {
  const { create, define, global, hasOwn } = kit;
  // Each part makes the globals of one group; functions are enumerable as on the web, classes and objects are not.
  const parts = {
    __proto__: null,
    abort: ['AbortController', 'AbortSignal'],
    text: ['TextEncoder', 'TextDecoder'],
    base64: ['atob', 'btoa'],
    clone: ['structuredClone'],
    url: ['URL', 'URLSearchParams'],
    clock: ['performance'],
    crypto: ['crypto'],
  } as unknown as Record<string, string[]>;
  const partOf = create(null) as Record<string, string>;

  const put = (name: string, value: unknown) =>
    define(global, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: name === 'atob' || name === 'btoa' || name === 'structuredClone',
      configurable: true,
    });

  kit.materialize = (name) => {
    const part = partOf[name];
    const current = part === undefined ? undefined : kit.descriptor(global, name);
    if (current === undefined || current.get === undefined || !hasOwn(current, 'get')) return;
    put(name, kit.part<Record<string, unknown>>(part as string)[name]);
  };

  const groups = kit.keys(parts);
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i] as string;
    const names = parts[group] as string[];
    for (let j = 0; j < names.length; j++) {
      const name = names[j] as string;
      partOf[name] = group;
      define(global, name, {
        __proto__: null,
        get: () => {
          const value = kit.part<Record<string, unknown>>(group)[name];
          put(name, value);
          return value;
        },
        set: (value: unknown) => {
          put(name, value);
        },
        enumerable: name === 'atob' || name === 'btoa' || name === 'structuredClone',
        configurable: true,
      });
    }
  }
  delete global['WebAssembly'];
  delete global['SharedArrayBuffer'];
  delete global['Atomics'];
}
