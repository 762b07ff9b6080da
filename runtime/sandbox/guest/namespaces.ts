import type { Kit, Space } from './kit.js';

/** The injected names: proxies over the members. */
export function installNamespaces(kit: Kit): void {
  const { create, keys, hasOwnProperty, Proxy, ObjectPrototype } = kit;

  const unknown = (space: Space, name: unknown, below: unknown) =>
    kit.part<(space: Space, name: unknown, below: unknown) => object>('unknownMember')(space, name, below);

  const member = (space: Space, name: string) => {
    const { call } = kit.calls;
    const at = space.byName[name] as number;
    const to = space.forwards[name];
    const act: unknown = space.list
      ? (...args: unknown[]) => call(space.index, at, args, undefined, act)
      : (args?: unknown, options?: unknown) => call(space.index, at, args, options, act);
    const forward: unknown = (wanted: unknown, args?: unknown, options?: unknown) => {
      const target = kit.run.spaces[to as number] as Space;
      const found = typeof wanted === 'string' ? target.byName[wanted] : undefined;
      if (found === undefined || found < 0) return unknown(target, wanted, forward);
      return call(to as number, found, target.list ? (args ?? []) : args, options, forward);
    };
    return kit.named(name, to === undefined ? act : forward);
  };

  kit.namespace = (space) => {
    const made = create(null);
    const has = (_target: object, key: PropertyKey) => key !== 'then' && hasOwnProperty(space.byName, key);
    // Thousands of names are listed only for a program that asks.
    const ownKeys = () => {
      const listed = create(null);
      const names = keys(space.byName);
      for (let i = 0; i < names.length; i++) listed[names[i] as string] = 1;
      delete listed['then'];
      return keys(listed);
    };
    const get = (name: string) => (made[name] ??= member(space, name));
    const refuse = () => false;
    const handler = {
      __proto__: null,
      has,
      get(target: object, key: PropertyKey) {
        const known = made[key as string];
        if (known !== undefined) return known;
        if (has(target, key)) return get(key as string);
        // An awaited or serialised namespace must not look like a promise or a value with its own text.
        const absent = typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key === 'run_code';
        if (absent || hasOwnProperty(ObjectPrototype, key)) return undefined;
        const absentee = kit.named(key as string, () => unknown(space, key, absentee));
        return absentee;
      },
      ownKeys,
      getOwnPropertyDescriptor: (target: object, key: PropertyKey) =>
        has(target, key)
          ? {
              __proto__: null,
              value: get(key as string),
              enumerable: true,
              configurable: true,
              writable: false,
            }
          : undefined,
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      preventExtensions: refuse,
      setPrototypeOf: refuse,
    };
    return new Proxy(create(null), handler as unknown as ProxyHandler<Record<PropertyKey, unknown>>);
  };
}
