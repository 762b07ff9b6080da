import type { Kit } from '../kit.js';
import type { StackFrame } from './frames.js';

/** What ended the program, as JSON text for the peer: its parts are read one by one, so that a hostile one costs itself only. */
export function failurePart(kit: Kit): (reason: unknown) => string {
  const { ErrorPrototype, isPrototypeOf: isInChain, isArray, slice, stringify } = kit;
  const shortText = kit.part<(reason: unknown, maxLength?: number) => string>('shortText');
  const engineFault = kit.intrinsic<{ prototype: object } | undefined>('InternalError');
  const MAX_FRAMES = 10;
  const MAX_LEVELS = 3;
  const MAX_ERRORS = 10;
  const MAX_LINE = 1000;

  const inChain = (prototype: object, value: unknown): boolean => {
    try {
      return typeof value === 'object' && value !== null && isInChain(prototype, value);
    } catch {
      return false;
    }
  };

  const read = (value: object, key: string): unknown => {
    try {
      return (value as Record<string, unknown>)[key];
    } catch {
      return undefined;
    }
  };

  const frames = (error: object, message: string): string => {
    const all = kit.part<(error: object, message: string, max: number) => StackFrame | undefined>('frames');
    let text = '';
    try {
      for (let at = all(error, message, MAX_FRAMES); at !== undefined; at = at.next) {
        text +=
          '' + (text === '' ? '' : ',') + '[' + stringify(at.name) + ',' + at.line + ',' + at.column + ']';
      }
    } catch {
      // Its own fault: it is told without a place.
    }
    return text;
  };

  let tail = '';
  const add = (line: string) => {
    tail += '' + (tail === '' ? '' : ',') + stringify(line);
  };

  const related = (reason: unknown, indent: string, level: number) => {
    if (level > MAX_LEVELS || typeof reason !== 'object' || reason === null) return;
    const errors = read(reason, 'errors');
    if (inChain(ErrorPrototype, reason) && isArray(errors)) {
      for (let i = 0; i < errors.length && i < MAX_ERRORS; i++) {
        const item = read(errors, '' + i);
        add(indent + '[' + i + '] ' + shortText(item, MAX_LINE));
        related(item, indent + '  ', level + 1);
      }
      if (errors.length > MAX_ERRORS) add(indent + 'and ' + (errors.length - MAX_ERRORS) + ' more');
    }
    const cause = read(reason, 'cause');
    if (cause === undefined || !inChain(ErrorPrototype, reason)) return;
    add(indent + 'cause: ' + shortText(cause, MAX_LINE));
    related(cause, indent + '  ', level + 1);
  };

  return (reason) => {
    const limit = kit.run.limits.maxOutputBytes + 1;
    tail = '';
    let text = '{"kind":"exception","header":' + stringify(shortText(reason, limit));
    if (reason === null || (engineFault !== undefined && inChain(engineFault.prototype, reason))) {
      text += ',"isEngineFault":true';
    }
    if (inChain(ErrorPrototype, reason)) {
      const error = reason as object;
      const name = read(error, 'name');
      const message = read(error, 'message');
      const nameText = typeof name === 'string' ? slice(name, 0, MAX_LINE) : 'Error';
      const messageText = typeof message === 'string' ? message : '';
      text += ',"name":' + stringify(nameText) + ',"message":' + stringify(slice(messageText, 0, MAX_LINE));
      const list = frames(error, messageText);
      for (let i = 0; kit.run.spaces[i] !== undefined; i++) {
        const shape = kit.run.shapes[i];
        if (shape === undefined || !inChain(shape.prototype, error)) continue;
        const member = read(error, shape.property);
        const code = read(error, 'code');
        if (typeof member === 'string') add('  ' + shape.property + ': ' + stringify(slice(member, 0, 200)));
        if (typeof code === 'string') {
          add('  code: ' + slice(code, 0, 100));
          text += ',"code":' + stringify(slice(code, 0, 100));
        }
        break;
      }
      related(error, '  ', 1);
      text += ',"frames":[' + list + '],"tail":[' + tail + ']';
    }
    return text + '}';
  };
}
