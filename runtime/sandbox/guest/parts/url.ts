import type { Kit } from '../kit.js';
import type { SearchParamsPart } from './search-params.js';

/** `URL` and `URLSearchParams`. The peer parses, so that the rules are the web's own. */
export function urlPart(kit: Kit): Record<string, unknown> {
  const {
    host,
    parse,
    stringify,
    TypeError,
    defineProperty: define,
    setPrototypeOf: setPrototype,
    slice,
    toText,
  } = kit;
  const webClass = kit.part<<T>(Class: T) => T>('webClass');
  const query = kit.part<SearchParamsPart>('searchParams');
  const WeakMap = kit.intrinsic<WeakMapConstructor>('WeakMap');
  const lookUp = kit.method<(map: object, key: unknown) => unknown>('WeakMap', 'get');
  const file = kit.method<(map: object, key: object, state: unknown) => void>('WeakMap', 'set');
  type Fields = Record<string, string>;
  interface UrlState {
    fields: Fields;
    params: object | undefined;
  }
  const urls = new WeakMap();

  const request = (parts: string): Fields | undefined => {
    const text = host(2, '[' + parts + ']');
    return text === '' ? undefined : (setPrototype(parse(text) as object, null) as Fields);
  };
  const ask = (input: unknown, base: unknown) =>
    request(stringify(toText(input)) + ',' + (base === undefined ? 'null' : stringify(toText(base))));
  const urlOf = (url: unknown): UrlState => {
    const state = lookUp(urls, url);
    if (state === undefined) throw new TypeError('Illegal invocation');
    return state as UrlState;
  };

  const URL = class URL {
    constructor(input: unknown, base?: unknown) {
      const fields = ask(input, base);
      if (fields === undefined) throw new TypeError('Invalid URL');
      file(urls, this, { fields, params: undefined });
    }
    get searchParams() {
      const state = urlOf(this);
      if (state.params !== undefined) return state.params;
      const params = query.attached(slice(state.fields['search'] as string, 1), (text) => {
        const fields = request(stringify(state.fields['href']) + ',null,"search",' + stringify(text));
        if (fields !== undefined) state.fields = fields;
      });
      state.params = params;
      return params;
    }
    toString() {
      return urlOf(this).fields['href'];
    }
    toJSON() {
      return urlOf(this).fields['href'];
    }
    static canParse(input: unknown, base?: unknown) {
      return ask(input, base) !== undefined;
    }
    static parse(input: unknown, base?: unknown) {
      return ask(input, base) === undefined ? null : new URL(input, base);
    }
  };
  const names = [
    'href',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
    'origin',
  ];
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const accessor = {
      get [name](): unknown {
        return urlOf(this).fields[name];
      },
      set [name](value: unknown) {
        const state = urlOf(this);
        const fields = request(
          stringify(state.fields['href']) + ',null,' + stringify(name) + ',' + stringify(toText(value)),
        );
        if (fields === undefined) {
          if (name === 'href') throw new TypeError('Invalid URL');
          return;
        }
        state.fields = fields;
        if (state.params !== undefined) query.read(state.params, slice(fields['search'] as string, 1));
      },
    };
    const own = kit.getOwnPropertyDescriptor(accessor, name) as PropertyDescriptor;
    const descriptor = setPrototype(own, null) as PropertyDescriptor;
    if (name === 'origin') descriptor.set = undefined as never;
    define(URL.prototype, name, descriptor);
  }

  return {
    __proto__: null,
    URL: webClass(URL),
    URLSearchParams: query.URLSearchParams,
  } as unknown as Record<string, unknown>;
}
