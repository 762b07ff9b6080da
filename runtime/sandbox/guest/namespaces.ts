import type { Kit, Space } from './kit.js';

/** The injected names: proxies over the members, and the error classes. */
export function installNamespaces(kit: Kit): void {
  const { create, keys, hasOwn, Proxy, ObjectPrototype } = kit;

  const describe = (value: unknown, configurable = true) => ({
    __proto__: null,
    value,
    enumerable: true,
    configurable,
    writable: false,
  });

  const member = (space: Space, index: number, name: string) => {
    const forward = space.forwards[name];
    const holder = {
      __proto__: null,
      // A computed key names the function, whatever the name is.
      [name]:
        forward === undefined
          ? space.list
            ? (...args: unknown[]) => kit.calls.call(space.index, index, args, undefined, holder[name])
            : (args?: unknown, options?: unknown) =>
                kit.calls.call(space.index, index, args, options, holder[name])
          : (to: unknown, args?: unknown, options?: unknown) => {
              const target = kit.run.spaces[forward] as Space;
              const found = typeof to === 'string' ? target.byName[to] : undefined;
              return found === undefined
                ? kit.part<(space: Space, name: unknown, below: unknown) => object>('unknownMember')(
                    target,
                    to,
                    holder[name],
                  )
                : kit.calls.call(forward, found, target.list ? (args ?? []) : args, options, holder[name]);
            },
    } as unknown as Record<string, unknown>;
    return holder[name];
  };

  const unknownMember = (space: Space, name: string) => {
    const holder = {
      __proto__: null,
      [name]: () =>
        kit.part<(space: Space, name: unknown, below: unknown) => object>('unknownMember')(
          space,
          name,
          holder[name],
        ),
    } as unknown as Record<string, unknown>;
    return holder[name];
  };

  kit.namespace = (space) => {
    const made = create(null);
    const listed = create(null);
    const names = keys(space.byName);
    for (let i = 0; i < names.length; i++) if (names[i] !== 'then') listed[names[i] as string] = true;
    const get = (name: string) => (made[name] ??= member(space, space.byName[name] as number, name));
    const handler = {
      __proto__: null,
      get(_target: object, key: PropertyKey) {
        if (typeof key === 'symbol') return undefined;
        if (hasOwn(listed, key)) return get(key as string);
        // An awaited or serialised namespace must not look like a promise or a value with its own text.
        if (key === 'then' || key === 'toJSON' || key === 'run_code' || hasOwn(ObjectPrototype, key))
          return undefined;
        return unknownMember(space, key as string);
      },
      has: (_target: object, key: PropertyKey) => hasOwn(listed, key),
      ownKeys: () => keys(listed),
      getOwnPropertyDescriptor: (_target: object, key: PropertyKey) =>
        typeof key === 'string' && hasOwn(listed, key) ? describe(get(key)) : undefined,
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
      preventExtensions: () => false,
      setPrototypeOf: () => false,
    };
    return new Proxy(create(null), handler as ProxyHandler<Record<PropertyKey, unknown>>);
  };
}
