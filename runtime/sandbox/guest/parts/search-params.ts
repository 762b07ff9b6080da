import type { Kit } from '../kit.js';
import type { QueryText } from './query-text.js';

/** The class, and how a URL keeps one in step with itself. */
export interface SearchParamsPart {
  readonly URLSearchParams: abstract new () => object;
  /** Parameters that belong to a URL: `onChange` gets the query's text. */
  attached(query: string, onChange: (query: string) => void): object;
  /** Reads a new query into parameters. */
  read(params: object, query: string): void;
}

/** `URLSearchParams`. */
export function searchParamsPart(kit: Kit): SearchParamsPart {
  const {
    TypeError,
    defineProperty: define,
    setPrototypeOf: setPrototype,
    indexOf,
    slice,
    keys,
    toText,
  } = kit;
  const webClass = kit.part<<T>(Class: T) => T>('webClass');
  const { decoded, encoded } = kit.part<QueryText>('queryText');
  const WeakMap = kit.intrinsic<WeakMapConstructor>('WeakMap');
  const lookUp = kit.method<(map: object, key: unknown) => unknown>('WeakMap', 'get');
  const file = kit.method<(map: object, key: object, state: unknown) => void>('WeakMap', 'set');
  interface Pair {
    readonly name: string;
    value: string;
    next: Pair | undefined;
  }
  interface Params {
    first: Pair | undefined;
    onChange: ((query: string) => void) | undefined;
  }
  const lists = new WeakMap();
  const listOf = (params: unknown): Params => {
    const state = lookUp(lists, params);
    if (state === undefined) throw new TypeError('Illegal invocation');
    return state as Params;
  };

  const append = (state: Params, name: string, value: string) => {
    const pair: Pair = { name, value, next: undefined };
    if (state.first === undefined) state.first = pair;
    else {
      let last = state.first;
      while (last.next !== undefined) last = last.next;
      last.next = pair;
    }
  };

  const readQuery = (state: Params, query: string) => {
    state.first = undefined;
    let last: Pair | undefined;
    for (let at = 0; at <= query.length; ) {
      let end = indexOf(query, '&', at);
      if (end < 0) end = query.length;
      const part = slice(query, at, end);
      at = end + 1;
      if (part === '') continue;
      const equals = indexOf(part, '=');
      const name = decoded(equals < 0 ? part : slice(part, 0, equals));
      const pair: Pair = { name, value: equals < 0 ? '' : decoded(slice(part, equals + 1)), next: undefined };
      if (last === undefined) state.first = pair;
      else last.next = pair;
      last = pair;
    }
  };

  const writeQuery = (state: Params): string => {
    let text = '';
    for (let at = state.first; at !== undefined; at = at.next) {
      text += '' + (text === '' ? '' : '&') + encoded(at.name) + '=' + encoded(at.value);
    }
    return text;
  };

  const changed = (state: Params) => {
    if (state.onChange !== undefined) state.onChange(writeQuery(state));
  };

  const URLSearchParams = class URLSearchParams {
    constructor(init?: unknown) {
      const state: Params = { first: undefined, onChange: undefined };
      file(lists, this, state);
      if (init === undefined || init === null) return;
      if (
        typeof init === 'object' &&
        typeof (init as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
      ) {
        for (const pair of init as Iterable<Iterable<unknown>>) {
          const items = setPrototype([], null) as unknown as unknown[];
          for (const item of pair) items[items.length] = item;
          if (items.length !== 2) throw new TypeError('Each query pair must be a [name, value] tuple');
          append(state, toText(items[0]), toText(items[1]));
        }
      } else if (typeof init === 'object') {
        const names = keys(init);
        for (let i = 0; i < names.length; i++)
          append(state, names[i] as string, '' + (init as Record<string, string>)[names[i] as string]);
      } else {
        const text = toText(init);
        readQuery(state, indexOf(text, '?') === 0 ? slice(text, 1) : text);
      }
    }
    get size() {
      let count = 0;
      for (let at = listOf(this).first; at !== undefined; at = at.next) count++;
      return count;
    }
    append(name: unknown, value: unknown) {
      append(listOf(this), toText(name), toText(value));
      changed(listOf(this));
    }
    delete(name: unknown, value?: unknown) {
      const state = listOf(this);
      const kept: Params = { first: undefined, onChange: undefined };
      for (let at = state.first; at !== undefined; at = at.next) {
        const gone = at.name === toText(name) && (value === undefined || at.value === toText(value));
        if (!gone) append(kept, at.name, at.value);
      }
      state.first = kept.first;
      changed(state);
    }
    get(name: unknown) {
      for (let at = listOf(this).first; at !== undefined; at = at.next)
        if (at.name === toText(name)) return at.value;
      return null;
    }
    getAll(name: unknown) {
      const values: string[] = [];
      for (let at = listOf(this).first; at !== undefined; at = at.next) {
        if (at.name !== toText(name)) continue;
        kit.put(values, values.length, at.value, true);
      }
      return values;
    }
    has(name: unknown, value?: unknown) {
      for (let at = listOf(this).first; at !== undefined; at = at.next) {
        if (at.name === toText(name) && (value === undefined || at.value === toText(value))) return true;
      }
      return false;
    }
    set(name: unknown, value: unknown) {
      const state = listOf(this);
      const kept: Params = { first: undefined, onChange: undefined };
      let done = false;
      for (let at = state.first; at !== undefined; at = at.next) {
        if (at.name !== toText(name)) append(kept, at.name, at.value);
        else if (!done) append(kept, at.name, toText(value));
        done ||= at.name === toText(name);
      }
      if (!done) append(kept, toText(name), toText(value));
      state.first = kept.first;
      changed(state);
    }
    sort() {
      const state = listOf(this);
      // By insertion, which is stable.
      let sorted: Pair | undefined;
      for (let at = state.first; at !== undefined; ) {
        const next: Pair | undefined = at.next;
        let before: Pair | undefined;
        let after = sorted;
        while (after !== undefined && after.name <= at.name) {
          before = after;
          after = after.next;
        }
        at.next = after;
        if (before === undefined) sorted = at;
        else before.next = at;
        at = next;
      }
      state.first = sorted;
      changed(state);
    }
    forEach(act: unknown, self?: unknown) {
      for (let at = listOf(this).first; at !== undefined; at = at.next) {
        kit.apply(act, self, { __proto__: null, 0: at.value, 1: at.name, 2: this, length: 3 });
      }
    }
    toString() {
      return writeQuery(listOf(this));
    }
    *entries() {
      for (let at = listOf(this).first; at !== undefined; at = at.next) yield [at.name, at.value];
    }
    *keys() {
      for (let at = listOf(this).first; at !== undefined; at = at.next) yield at.name;
    }
    *values() {
      for (let at = listOf(this).first; at !== undefined; at = at.next) yield at.value;
    }
  };
  const { entries } = URLSearchParams.prototype;
  define(URLSearchParams.prototype, Symbol.iterator, {
    __proto__: null,
    value: entries,
    writable: true,
    configurable: true,
  });

  return {
    __proto__: null,
    URLSearchParams: webClass(URLSearchParams),
    attached: (query: string, onChange: (query: string) => void) => {
      const params = new URLSearchParams(query);
      listOf(params).onChange = onChange;
      return params;
    },
    read: (params: object, query: string) => readQuery(listOf(params), query),
  } as unknown as SearchParamsPart;
}
