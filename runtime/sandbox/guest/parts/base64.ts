import type { Kit } from '../kit.js';

/** `atob` and `btoa`. */
export function base64Part(kit: Kit): Record<string, unknown> {
  const {
    charCodeAt: charCode,
    indexOf,
    slice,
    fromCharCode,
    Error,
    TypeError,
    defineProperty: define,
    toText,
  } = kit;
  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

  const invalid = (message: string) =>
    define(new Error(message), 'name', {
      __proto__: null,
      value: 'InvalidCharacterError',
      writable: true,
      configurable: true,
    });

  const functions = {
    __proto__: null,
    btoa(data: unknown) {
      if (arguments.length === 0) throw new TypeError('Cannot call btoa: wanted a text');
      const text = toText(data);
      let out = '';
      for (let i = 0; i < text.length; i += 3) {
        let bits = 0;
        for (let j = 0; j < 3; j++) {
          const unit = i + j < text.length ? charCode(text, i + j) : 0;
          if (unit > 0xff)
            throw invalid('The text holds characters outside of Latin-1: encode it with TextEncoder first');
          bits = (bits << 8) | unit;
        }
        for (let j = 0; j < 4; j++) {
          const digit = (bits >> (18 - 6 * j)) & 63;
          out += i + j - 1 < text.length ? slice(DIGITS, digit, digit + 1) : '=';
        }
      }
      return out;
    },
    atob(data: unknown) {
      if (arguments.length === 0) throw new TypeError('Cannot call atob: wanted a text');
      const given = toText(data);
      let text = '';
      for (let i = 0; i < given.length; i++) {
        const unit = charCode(given, i);
        const blank = unit === 32 || unit === 9 || unit === 10 || unit === 12 || unit === 13;
        if (!blank) text += slice(given, i, i + 1);
      }
      if (text.length % 4 === 0) {
        for (let n = 0; n < 2 && text !== '' && charCode(text, text.length - 1) === 61; n++)
          text = slice(text, 0, text.length - 1);
      }
      if (text.length % 4 === 1) throw invalid('The text is not correctly encoded');
      let out = '';
      let bits = 0;
      let count = 0;
      for (let i = 0; i < text.length; i++) {
        const digit = indexOf(DIGITS, slice(text, i, i + 1));
        if (digit < 0) throw invalid('The text is not correctly encoded');
        bits = ((bits << 6) | digit) & 0xffffff;
        count += 6;
        if (count >= 8) {
          count -= 8;
          out += fromCharCode((bits >> count) & 0xff);
        }
      }
      return out;
    },
  };
  return functions as unknown as Record<string, unknown>;
}
