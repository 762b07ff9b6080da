import type { Kit } from '../kit.js';
import type { StackFrame } from './frames.js';
import type { ObjectNature } from './inspect-classes.js';

/** How a value reads in the log: the format of Node's inspector, depth 4, 100 items, strings of 10 000. */
export function inspectPart(kit: Kit): (value: unknown) => string {
  const {
    setPrototypeOf: setPrototype,
    indexOf,
    hasOwnProperty: hasOwn,
    getOwnPropertyDescriptor: descriptor,
    ownKeys,
    charCodeAt: charCode,
    String,
  } = kit;
  const MAX_DEPTH = 4;
  const MAX_ITEMS = 100;
  const MAX_STRING = 10000;
  const MAX_PROPERTIES = 1000;
  const MAX_NAMED = 10000;
  const MAX_TEXT = 1000000;
  const WIDTH = 80;
  const INNER_LEVELS = 3;
  interface Seen {
    readonly value: object;
    readonly up: Seen | undefined;
    index: number;
  }
  const natureOf = kit.part<(value: object) => ObjectNature>('nature');
  const quote = kit.part<(text: string, max: number, indent: number) => string>('quote');
  const shortText = kit.part<(reason: unknown, max?: number) => string>('shortText');
  const mapEach = kit.method<(map: object, act: (item: unknown, key: unknown) => void) => void>(
    'Map',
    'forEach',
  );
  const setEach = kit.method<(set: object, act: (item: unknown) => void) => void>('Set', 'forEach');

  let seen: Seen | undefined;
  let circulars = 0;
  let indent = 0;
  let deepest = 0;
  let budget = 0;

  // A list whose writes cannot reach a setter that the program put on Array.prototype.
  const list = () => setPrototype([], null) as unknown as string[];
  const add = (items: string[], item: string) => {
    items[items.length] = item;
  };
  const more = (count: number, what: string) => '... ' + count + ' more ' + what + (count > 1 ? 's' : '');

  const isPlainKey = (key: string): boolean => {
    for (let i = 0; i < key.length; i++) {
      const unit = charCode(key, i);
      const letter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
      if (!letter && !(i > 0 && unit >= 48 && unit <= 57)) return false;
    }
    return key !== '';
  };

  const keyText = (key: PropertyKey): string => {
    if (typeof key === 'symbol') return '[' + String(key) + ']';
    if (key === '__proto__') return "['__proto__']";
    return isPlainKey(key as string) ? (key as string) : quote(key as string, MAX_STRING, indent);
  };

  const isIndex = (key: string): boolean => {
    if (key === '' || key.length > 10 || (charCode(key, 0) === 48 && key !== '0')) return false;
    for (let i = 0; i < key.length; i++) if (charCode(key, i) < 48 || charCode(key, i) > 57) return false;
    return true;
  };

  const isList = ({ kind }: ObjectNature) => kind === 'array' || kind === 'typed';

  const shownKeys = (value: object, skipsItems: boolean): PropertyKey[] => {
    const all = ownKeys(value);
    const kept = list() as unknown as PropertyKey[];
    for (let i = 0; i < all.length; i++) {
      const key = all[i] as string | symbol;
      if (skipsItems && typeof key === 'string' && isIndex(key)) continue;
      if (descriptor(value, key)?.enumerable === true) kept[kept.length] = key;
    }
    return kept;
  };

  const inner = (value: unknown, depth: number): string => {
    indent += 2;
    const text = format(value, depth + 1);
    indent -= 2;
    return text;
  };

  const property = (value: object, key: PropertyKey, depth: number): string => {
    const own = descriptor(value, key);
    if (own === undefined || hasOwn(own, 'value')) {
      return inner(own === undefined ? (value as Record<PropertyKey, unknown>)[key] : own.value, depth);
    }
    if (own.get === undefined) return own.set === undefined ? 'undefined' : '[Setter]';
    return own.set === undefined ? '[Getter]' : '[Getter/Setter]';
  };

  const nextIndex = (value: object, after: number, length: number): number => {
    // A giant array with few items must not be walked hole by hole, nor one with many be asked for its names.
    const end = length - after < 100000 ? length : after + 1000;
    let at = after;
    while (at < end && !hasOwn(value, at)) at++;
    if (at < end || end === length) return at;
    const all = ownKeys(value);
    for (let i = 0; i < all.length; i++) {
      const key = all[i];
      if (typeof key === 'string' && isIndex(key) && +key >= after) return +key;
    }
    return length;
  };

  const listItems = (value: object, length: number, output: string[], depth: number) => {
    let index = 0;
    for (let shown = 0; index < length && shown < MAX_ITEMS; shown++) {
      const next = nextIndex(value, index, length);
      if (next > index) {
        add(output, '<' + (next - index) + ' empty item' + (next - index > 1 ? 's' : '') + '>');
        index = next;
      } else add(output, property(value, '' + index++, depth));
    }
    if (index < length) add(output, more(length - index, 'item'));
  };

  const errorBase = (value: object): string => {
    const text = shortText(value, MAX_STRING);
    let frames = '';
    try {
      const all = kit.part<(error: object, message: string, max: number) => StackFrame | undefined>('frames');
      const { message } = value as { message?: unknown };
      const said = typeof message === 'string' ? message : '';
      for (let at = all(value, said, 10); at !== undefined; at = at.next) {
        const text = kit.toModel(at.line, at.column);
        if (text === '') continue;
        const comma = indexOf(text, ',');
        const place = kit.file + ':' + kit.slice(text, 0, comma) + ':' + kit.slice(text, comma + 1);
        frames += '\n';
        for (let i = 0; i < indent; i++) frames += ' ';
        frames += at.name === '' ? '    at ' + place : '    at ' + at.name + ' (' + place + ')';
      }
    } catch {
      // The first line is enough.
    }
    return frames === '' ? '[' + text + ']' : text + frames;
  };

  const entries = (value: object, nature: ObjectNature, output: string[], depth: number) => {
    if (isList(nature)) listItems(value, nature.size, output, depth);
    let count = 0;
    if (nature.kind === 'map') {
      mapEach(value, (item, key) => {
        if (count++ < MAX_ITEMS) add(output, inner(key, depth) + ' => ' + inner(item, depth));
      });
    }
    if (nature.kind === 'set') {
      setEach(value, (item) => {
        if (count++ < MAX_ITEMS) add(output, inner(item, depth));
      });
    }
    if (count > MAX_ITEMS) add(output, more(count - MAX_ITEMS, 'item'));
    if (nature.kind === 'buffer') add(output, 'byteLength: ' + nature.size);
    if (nature.kind === 'weak') add(output, '<items unknown>');
  };

  const properties = (value: object, nature: ObjectNature, output: string[], depth: number) => {
    // The names of a giant's items alone would fill the heap.
    const isGiant = isList(nature) && nature.size > MAX_NAMED;
    const keys = isGiant ? [] : shownKeys(value, isList(nature) || indexOf(nature.base, '[String') === 0);
    for (let i = 0; i < keys.length && i < MAX_PROPERTIES; i++) {
      const key = keys[i] as PropertyKey;
      // The first line of an error tells these.
      if (nature.kind === 'error' && (key === 'name' || key === 'message' || key === 'stack')) continue;
      add(output, keyText(key) + ': ' + property(value, key, depth));
    }
    if (keys.length > MAX_PROPERTIES)
      add(output, '... ' + (keys.length - MAX_PROPERTIES) + ' more properties');
    if (nature.kind !== 'error') return;
    for (let i = 0; i < 2; i++) {
      const key = i === 0 ? 'cause' : 'errors';
      if (descriptor(value, key)?.enumerable === false)
        add(output, '[' + key + ']: ' + property(value, key, depth));
    }
  };

  const brace = ({ kind, name, tag, size }: ObjectNature): string => {
    const sized =
      kind === 'map' || kind === 'set' || kind === 'typed' || kind === 'array' ? '(' + size + ')' : '';
    const open = kind === 'array' || kind === 'typed' ? '[' : '{';
    if (name === null)
      return '[' + (kind === 'array' ? 'Array' : 'Object') + sized + ': null prototype] ' + tag + open;
    if ((kind === 'array' && name === 'Array') || (name === 'Object' && tag === '')) return open;
    return name + sized + ' ' + tag + open;
  };

  const join = (items: string[], between: string): string => {
    let text = '';
    for (let i = 0; i < items.length; i++) text += i === 0 ? items[i] : between + items[i];
    return text;
  };

  const layout = (
    value: object,
    nature: ObjectNature,
    base: string,
    output: string[],
    depth: number,
  ): string => {
    const hasBase = base !== '';
    const open = hasBase ? '{' : brace(nature);
    const close = isList(nature) ? ']' : '}';
    const start = hasBase ? base + ' ' + open : open;
    let items = output;
    if (isList(nature) && output.length > 6) {
      let right = true;
      for (let i = 0; i < output.length && i < nature.size && right; i++) {
        const item: unknown = (value as unknown[])[i];
        right = typeof item === 'number' || typeof item === 'bigint';
      }
      const cut = nature.size > MAX_ITEMS;
      items = kit.part<(items: string[], more: boolean, indent: number, right: boolean) => string[]>(
        'columns',
      )(output, cut, indent, right);
    }
    if (deepest - depth < INNER_LEVELS && items === output) {
      let total = 2 * items.length + indent + open.length + base.length + 10;
      for (let i = 0; i < items.length; i++) total += (items[i] as string).length;
      const line = total <= WIDTH ? join(items, ', ') : '\n';
      if (indexOf(line, '\n') < 0 && indexOf(base, '\n') < 0) return start + ' ' + line + ' ' + close;
    }
    let gap = '\n';
    for (let i = 0; i < indent; i++) gap += ' ';
    return start + gap + '  ' + join(items, ',' + gap + '  ') + gap + close;
  };

  const formatObject = (value: object, depth: number): string => {
    const nature = natureOf(value);
    const base = nature.kind === 'error' ? errorBase(value) : nature.base;
    const output = list();
    const outer = deepest;
    if (depth > MAX_DEPTH) {
      const any =
        (nature.size > 0 && nature.kind !== 'buffer') || shownKeys(value, nature.kind === 'array').length > 0;
      if (any && base === '')
        return nature.name === null ? '[Object: null prototype]' : '[' + nature.name + ']';
    } else {
      deepest = depth;
      entries(value, nature, output, depth);
      properties(value, nature, output, depth);
    }
    if (output.length > 0) return layout(value, nature, base, output, depth);
    deepest = outer;
    return base === '' ? brace(nature) + (isList(nature) ? ']' : '}') : base;
  };

  const format = (value: unknown, depth: number): string => {
    if (typeof value === 'string') return quote(value, MAX_STRING, indent);
    if (typeof value === 'number') return value === 0 && 1 / value < 0 ? '-0' : '' + value;
    if (typeof value === 'bigint') return '' + value + 'n';
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
    if (budget <= 0) return '...';
    for (let at = seen; at !== undefined; at = at.up) {
      if (at.value !== value) continue;
      if (at.index === 0) at.index = ++circulars;
      return '[Circular *' + at.index + ']';
    }
    const own: Seen = { value, up: seen, index: 0 };
    const indentBefore = indent;
    seen = own;
    let text: string;
    try {
      text = formatObject(value, depth);
      if (own.index > 0) text = '<ref *' + own.index + '> ' + text;
    } catch (error) {
      text = '[cannot be shown: ' + shortText(error, 200) + ']';
    }
    seen = own.up;
    indent = indentBefore;
    budget -= text.length;
    return text;
  };

  return (value) => {
    const outer = { seen, circulars, indent, deepest, budget };
    seen = undefined;
    circulars = 0;
    indent = 0;
    deepest = 0;
    budget = MAX_TEXT;
    const text = format(value, 0);
    seen = outer.seen;
    circulars = outer.circulars;
    indent = outer.indent;
    deepest = outer.deepest;
    budget = outer.budget;
    return text;
  };
}
