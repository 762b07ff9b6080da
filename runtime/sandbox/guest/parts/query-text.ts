import type { Kit } from '../kit.js';

/** How a name or a value of a query is written and read. */
export interface QueryText {
  decoded(text: string): string;
  encoded(text: string): string;
}

/** The text of queries, `application/x-www-form-urlencoded`. */
export function queryTextPart(kit: Kit): QueryText {
  const { indexOf, slice, charCodeAt: charCode, fromCharCode } = kit;
  const encodePart = kit.encodeURIComponent;
  const decodePart = kit.decodeURIComponent;

  const replaceAll = (text: string, from: string, to: string): string => {
    let out = '';
    let at = 0;
    for (let found = indexOf(text, from); found >= 0; found = indexOf(text, from, at)) {
      out += slice(text, at, found) + to;
      at = found + from.length;
    }
    return at === 0 ? text : out + slice(text, at);
  };

  // What is not valid UTF-8 after decoding is replaced, byte by byte, by the decoder.
  const decodedBytes = (text: string): string => {
    const codecs =
      kit.part<
        Record<string, new () => { encode(text: string): Uint8Array; decode(bytes: Uint8Array): string }>
      >('text');
    const bytes = new (codecs['TextEncoder'] as (typeof codecs)[string])().encode(text);
    const out = new (kit.intrinsic<Uint8ArrayConstructor>('Uint8Array'))(bytes.length);
    const digit = (byte: number) => indexOf('0123456789abcdef', fromCharCode(byte | 32));
    let size = 0;
    for (let i = 0; i < bytes.length; i++) {
      const high = bytes[i] === 37 && i + 2 < bytes.length ? digit(bytes[i + 1] as number) : -1;
      const low = high < 0 ? -1 : digit(bytes[i + 2] as number);
      out[size++] = low < 0 ? (bytes[i] as number) : high * 16 + low;
      if (low >= 0) i += 2;
    }
    const decoder = new (codecs['TextDecoder'] as (typeof codecs)[string])();
    return decoder.decode(new (kit.intrinsic<Uint8ArrayConstructor>('Uint8Array'))(out.buffer, 0, size));
  };

  const decoded = (text: string): string => {
    const spaced = replaceAll(text, '+', ' ');
    if (indexOf(spaced, '%') < 0) return spaced;
    try {
      return decodePart(spaced);
    } catch {
      return decodedBytes(spaced);
    }
  };

  // A lone surrogate has no UTF-8 form: the web writes U+FFFD for it.
  const wellFormed = (text: string): string => {
    let out = '';
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = charCode(text, i);
      if (unit < 0xd800 || unit > 0xdfff) continue;
      const next = unit < 0xdc00 && i + 1 < text.length ? charCode(text, i + 1) : 0;
      if (next >= 0xdc00 && next <= 0xdfff) i++;
      else {
        out += slice(text, from, i) + '\ufffd';
        from = i + 1;
      }
    }
    return from === 0 ? text : out + slice(text, from);
  };

  const encoded = (text: string): string => {
    let out = encodePart(wellFormed(text));
    out = replaceAll(replaceAll(out, '%20', '+'), "'", '%27');
    return replaceAll(
      replaceAll(replaceAll(replaceAll(out, '!', '%21'), '(', '%28'), ')', '%29'),
      '~',
      '%7E',
    );
  };

  return { __proto__: null, decoded, encoded } as unknown as QueryText;
}
