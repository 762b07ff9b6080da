import type { Kit } from '../kit.js';

/** `TextEncoder` and `TextDecoder` (UTF-8, UTF-16LE, Latin-1). */
export function textPart(kit: Kit): Record<string, unknown> {
  const { charCodeAt: charCode, TypeError, RangeError, toText } = kit;
  const Uint8Array = kit.intrinsic<Uint8ArrayConstructor>('Uint8Array');
  const { fromCharCode, slice } = kit;
  const webClass = kit.part<<T>(Class: T) => T>('webClass');
  const buffer = kit.method<(value: object) => ArrayBuffer>('TypedArray', 'buffer');
  const offset = kit.method<(value: object) => number>('TypedArray', 'byteOffset');
  const size = kit.method<(value: object) => number>('TypedArray', 'byteLength');
  const viewBuffer = kit.method<(value: object) => ArrayBuffer>('DataView', 'buffer');
  const viewOffset = kit.method<(value: object) => number>('DataView', 'byteOffset');
  const viewSize = kit.method<(value: object) => number>('DataView', 'byteLength');
  const bufferSize = kit.method<(value: object) => number>('ArrayBuffer', 'byteLength');
  const fill = kit.method<(target: object, source: object) => void>('TypedArray', 'set');
  const lower = kit.method<(text: string) => string>('String', 'toLowerCase');
  const trim = kit.method<(text: string) => string>('String', 'trim');

  // Calls `put` with each byte of the UTF-8 form, as long as whole code points fit.
  const encode = (text: string, room: number, put: (byte: number) => void) => {
    let read = 0;
    let written = 0;
    while (read < text.length) {
      let point = charCode(text, read);
      let units = 1;
      if (point >= 0xd800 && point <= 0xdfff) {
        const next = point < 0xdc00 && read + 1 < text.length ? charCode(text, read + 1) : 0;
        if (next >= 0xdc00 && next <= 0xdfff) {
          point = 0x10000 + ((point - 0xd800) << 10) + (next - 0xdc00);
          units = 2;
        } else point = 0xfffd;
      }
      const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (written + bytes > room) break;
      if (bytes === 1) put(point);
      else {
        put((bytes === 2 ? 0xc0 : bytes === 3 ? 0xe0 : 0xf0) | (point >> (6 * (bytes - 1))));
        for (let i = bytes - 2; i >= 0; i--) put(0x80 | ((point >> (6 * i)) & 0x3f));
      }
      read += units;
      written += bytes;
    }
    return { read, written };
  };

  const TextEncoder = class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(input: unknown = '') {
      const text = toText(input);
      const bytes = new Uint8Array(text.length * 3);
      let at = 0;
      encode(text, bytes.length, (byte) => {
        bytes[at++] = byte;
      });
      const exact = new Uint8Array(at);
      fill(exact, new Uint8Array(buffer(bytes), 0, at));
      return exact;
    }
    encodeInto(source: unknown, destination: Uint8Array) {
      let at = 0;
      return encode(toText(source), size(destination), (byte) => {
        destination[at++] = byte;
      });
    }
  };

  const bytesOf = (input: unknown): Uint8Array => {
    if (input === undefined) return new Uint8Array(0);
    if (typeof input === 'object' && input !== null) {
      try {
        return new Uint8Array(buffer(input), offset(input), size(input));
      } catch {
        // Not a typed array.
      }
      try {
        return new Uint8Array(viewBuffer(input), viewOffset(input), viewSize(input));
      } catch {
        // Not a view.
      }
      try {
        return new Uint8Array(input as ArrayBuffer, 0, bufferSize(input));
      } catch {
        // Not a buffer.
      }
    }
    throw new TypeError('Cannot decode: wanted an ArrayBuffer or a view of one');
  };

  interface State {
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    pending: number[];
    started: boolean;
  }
  const WeakMap = kit.intrinsic<WeakMapConstructor>('WeakMap');
  const lookUp = kit.method<(map: object, key: unknown) => State | undefined>('WeakMap', 'get');
  const file = kit.method<(map: object, key: object, state: State) => void>('WeakMap', 'set');
  const states = new WeakMap();
  const stateOf = (decoder: unknown) => {
    const state = lookUp(states, decoder);
    if (state === undefined) throw new TypeError('Illegal invocation');
    return state;
  };

  // Decodes by the web's own algorithm: an ill-formed sequence is replaced up to the first byte that cannot continue it.
  const utf8 = (bytes: Uint8Array, stream: boolean, state: State): string => {
    let text = '';
    let point = 0;
    let needed = 0;
    let seen = 0;
    let from = 0x80;
    let to = 0xbf;
    const bad = () => {
      if (state.fatal) throw new TypeError('The encoded data was not valid for encoding utf-8');
      text += '\ufffd';
      needed = 0;
      seen = 0;
      from = 0x80;
      to = 0xbf;
    };
    const kept = state.pending;
    state.pending = [];
    const total = kept.length + bytes.length;
    let start = 0;
    for (let i = 0; i < total; i++) {
      const byte = i < kept.length ? (kept[i] as number) : (bytes[i - kept.length] as number);
      if (needed > 0) {
        if (byte < from || byte > to) {
          bad();
          i--;
          continue;
        }
        from = 0x80;
        to = 0xbf;
        point = (point << 6) | (byte & 0x3f);
        if (++seen === needed) {
          text +=
            point < 0x10000
              ? fromCharCode(point)
              : fromCharCode(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
          needed = 0;
          seen = 0;
        }
        continue;
      }
      start = i;
      if (byte < 0x80) text += fromCharCode(byte);
      else if (byte >= 0xc2 && byte <= 0xdf) {
        needed = 1;
        point = byte & 0x1f;
      } else if (byte >= 0xe0 && byte <= 0xef) {
        if (byte === 0xe0) from = 0xa0;
        if (byte === 0xed) to = 0x9f;
        needed = 2;
        point = byte & 0xf;
      } else if (byte >= 0xf0 && byte <= 0xf4) {
        if (byte === 0xf0) from = 0x90;
        if (byte === 0xf4) to = 0x8f;
        needed = 3;
        point = byte & 7;
      } else bad();
    }
    if (needed > 0 && stream) {
      const rest = kit.setPrototypeOf([], null) as unknown as number[];
      for (let i = start; i < total; i++)
        rest[rest.length] = (i < kept.length ? kept[i] : bytes[i - kept.length]) as number;
      state.pending = rest;
    } else if (needed > 0) bad();
    return text;
  };

  const wide = (bytes: Uint8Array, stream: boolean, state: State): string => {
    const kept = state.pending;
    state.pending = [];
    const total = kept.length + bytes.length;
    const byte = (i: number) => (i < kept.length ? kept[i] : bytes[i - kept.length]) as number;
    const unit = (i: number) => byte(i) | (byte(i + 1) << 8);
    const bad = () => {
      if (state.fatal) throw new TypeError('The encoded data was not valid for encoding utf-16le');
      return '\ufffd';
    };
    let text = '';
    let i = 0;
    for (; i + 1 < total; i += 2) {
      const first = unit(i);
      if (first < 0xd800 || first > 0xdfff) {
        text += fromCharCode(first);
        continue;
      }
      if (first < 0xdc00 && i + 3 >= total) break;
      const second = first < 0xdc00 ? unit(i + 2) : 0;
      if (second >= 0xdc00 && second <= 0xdfff) {
        text += fromCharCode(first, second);
        i += 2;
      } else text += bad();
    }
    if (i >= total) return text;
    if (!stream) return text + bad();
    const rest = kit.setPrototypeOf([], null) as unknown as number[];
    for (; i < total; i++) rest[rest.length] = byte(i);
    state.pending = rest;
    return text;
  };

  const HIGH =
    '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';
  const narrow = (bytes: Uint8Array): string => {
    let text = '';
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      text += byte >= 0x80 && byte <= 0x9f ? slice(HIGH, byte - 0x80, byte - 0x7f) : fromCharCode(byte);
    }
    return text;
  };

  const encodings = {
    __proto__: null,
    utf8: 'utf-8',
    'utf-8': 'utf-8',
    'unicode-1-1-utf-8': 'utf-8',
    'utf-16': 'utf-16le',
    'utf-16le': 'utf-16le',
    ascii: 'windows-1252',
    latin1: 'windows-1252',
    'iso-8859-1': 'windows-1252',
    'us-ascii': 'windows-1252',
    'windows-1252': 'windows-1252',
  } as unknown as Record<string, string | undefined>;

  const TextDecoder = class TextDecoder {
    constructor(label: unknown = 'utf-8', options?: { fatal?: unknown; ignoreBOM?: unknown }) {
      const encoding = encodings[lower(trim(toText(label)))];
      if (encoding === undefined)
        throw new RangeError('The encoding label "' + label + '" is not supported here');
      const fatal = !!options?.fatal;
      const ignoreBOM = !!options?.ignoreBOM;
      file(states, this, { encoding, fatal, ignoreBOM, pending: [], started: false });
    }
    get encoding() {
      return stateOf(this).encoding;
    }
    get fatal() {
      return stateOf(this).fatal;
    }
    get ignoreBOM() {
      return stateOf(this).ignoreBOM;
    }
    decode(input?: unknown, options?: { stream?: unknown }) {
      const state = stateOf(this);
      const stream = !!options?.stream;
      const bytes = bytesOf(input);
      let text = '';
      if (state.encoding === 'utf-8') text = utf8(bytes, stream, state);
      else if (state.encoding === 'utf-16le') text = wide(bytes, stream, state);
      else text = narrow(bytes);
      const mark = text !== '' && charCode(text, 0) === 0xfeff && !state.started && !state.ignoreBOM;
      if (text !== '') state.started = true;
      if (!stream) state.started = false;
      return mark && state.encoding !== 'windows-1252' ? slice(text, 1) : text;
    }
  };

  return {
    __proto__: null,
    TextEncoder: webClass(TextEncoder),
    TextDecoder: webClass(TextDecoder),
  } as unknown as Record<string, unknown>;
}
