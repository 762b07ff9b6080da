import type { Kit } from './kit.js';

/** Injected error classes, their instances, and the program's frames at a call. */
export function installToolErrors(kit: Kit): void {
  const { Error, define, setPrototype, indexOf, lastIndexOf, slice, charCode, captureStackTrace } = kit;
  const { file, preludeFile } = kit;
  const FRAMES = 4;

  const own = (target: object, key: string, value: unknown, enumerable: boolean) =>
    define(target, key, { __proto__: null, value, enumerable, writable: true, configurable: true });

  kit.errorClass = (name, property) => {
    const Class = class extends Error {
      constructor(message?: string, options?: ErrorOptions) {
        super(message, options);
        own(this, 'name', name, true);
      }
    };
    own(Class, 'name', name, false);
    // A program may catch this class by name only, so what it makes of it is its own affair; ours never run its constructor.
    return { name, property, prototype: Class.prototype, Class };
  };

  kit.toolError = (shape, member, message, code, frames) => {
    const error = new Error(message);
    let name = 'Error';
    if (shape !== undefined) {
      setPrototype(error, shape.prototype);
      name = shape.name;
      own(error, 'name', name, true);
      own(error, shape.property, member, true);
    }
    if (code !== '') own(error, 'code', code, true);
    own(error, 'stack', `${name}: ${message}${frames}`, false);
    return error;
  };

  kit.framesBelow = (below) => {
    try {
      if (captureStackTrace !== undefined) {
        const limit = Error.stackTraceLimit;
        if (typeof limit !== 'number') return '';
        const holder = { __proto__: null, name: '', message: '', stack: '' };
        Error.stackTraceLimit = FRAMES;
        captureStackTrace(holder, below);
        Error.stackTraceLimit = limit;
        const { stack } = holder;
        if (typeof stack !== 'string' || charCode(stack, 0) !== 10) return '';
        const ours = indexOf(stack, preludeFile);
        return ours < 0 ? stack : slice(stack, 0, lastIndexOf(stack, '\n', ours));
      }
      // No way to skip our own frames here: they are the lines of the prelude's file.
      const { stack } = new Error();
      if (typeof stack !== 'string') return '';
      let text = '';
      let count = 0;
      for (let at = 0; at < stack.length && count < FRAMES; ) {
        let end = indexOf(stack, '\n', at);
        if (end < 0) end = stack.length;
        const line = slice(stack, at, end);
        if (indexOf(line, file) >= 0) {
          text += `\n${line}`;
          count++;
        }
        at = end + 1;
      }
      return text;
    } catch {
      return '';
    }
  };

  kit.place = (line) => {
    const start = lastIndexOf(line, `${file}:`);
    if (start < 0) return undefined;
    const numbers = [0, 0];
    let at = start + file.length;
    for (let part = 0; part < 2; part++) {
      // Each number stands behind a colon.
      if (at >= line.length || charCode(line, at) !== 58) break;
      let value = 0;
      for (at++; at < line.length; at++) {
        const digit = charCode(line, at) - 48;
        if (!(digit >= 0 && digit <= 9) || value > 1e8) break;
        value = value * 10 + digit;
      }
      numbers[part] = value;
    }
    return numbers[0] === 0 ? undefined : { line: numbers[0] as number, column: numbers[1] as number };
  };

  kit.position = (frames) => {
    const from = indexOf(frames, `${file}:`);
    if (from < 0) return '';
    const end = indexOf(frames, '\n', from);
    const place = kit.place(end < 0 ? frames : slice(frames, 0, end));
    if (place === undefined) return '';
    const text = kit.toModel(place.line, place.column, ',');
    return text === '' ? '' : `[${text}]`;
  };

  kit.toModel = (line, column, between) => {
    const { shift } = kit.run;
    if (shift === undefined) {
      const text = kit.host(3, `${line},${column}`);
      const comma = indexOf(text, ',');
      return comma < 0 ? '' : slice(text, 0, comma) + between + slice(text, comma + 1);
    }
    const shifted = line === 1 ? column + shift.firstLineColumn : column;
    return `${line + shift.line}${between}${shifted > 0 ? shifted : 1}`;
  };
}
