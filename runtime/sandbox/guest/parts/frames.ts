import type { Kit } from '../kit.js';

/** One frame of a stack that lies in the program, in the engine's own numbers. */
export interface StackFrame {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  next: StackFrame | undefined;
}

/** The frames of an error that lie in the program, in order, without its classes' own; a stack that is no text has none. */
export function framesPart(
  kit: Kit,
): (error: object, message: string, max: number) => StackFrame | undefined {
  const { indexOf, slice, getPrototypeOf, getOwnPropertyDescriptor, ErrorPrototype } = kit;
  const MAX_CLASSES = 10;
  const MAX_HEAD = 1100;
  const MAX_STACK = 16384;
  const MAX_NAME = 100;

  const nameOf = (line: string): string => {
    const at = indexOf(line, 'at ');
    const open = indexOf(line, ' (', at);
    const name = open < 0 ? '' : slice(line, at + 3, open);
    return name === '<anonymous>' ? '' : slice(name, 0, MAX_NAME);
  };

  /** The constructors that an error of the program's own went through, as `/name/name/`. */
  const classNames = (error: object): string => {
    let names = '/';
    let at: object | null = error;
    try {
      for (let i = 0; i < MAX_CLASSES; i++) {
        at = getPrototypeOf(at);
        if (at === null || at === ErrorPrototype) break;
        const Class: unknown = getOwnPropertyDescriptor(at, 'constructor')?.value;
        if (typeof Class !== 'function') continue;
        const name: unknown = getOwnPropertyDescriptor(Class, 'name')?.value;
        if (typeof name === 'string' && name !== '') names += slice(name, 0, MAX_NAME) + '/';
      }
    } catch {
      // A hostile class has no name.
    }
    return names;
  };

  /** Where the frames start: an engine may put the name at birth and the message in front. */
  const startOf = (stack: string, message: string): number => {
    if (message === '') return 0;
    const head = slice(stack, 0, MAX_HEAD);
    let at = indexOf(head, ': ');
    // A name may hold what stands between it and the message.
    for (let tries = 0; at >= 0 && tries < 4; tries++) {
      const end = at + 2 + message.length;
      if (slice(stack, at + 2, end) === message) return end;
      at = indexOf(head, ': ', at + 1);
    }
    return 0;
  };

  return (error, message, max) => {
    const { stack } = error as { stack?: unknown };
    if (typeof stack !== 'string') return undefined;
    const start = startOf(stack, message);
    const text = slice(stack, start, start + MAX_STACK);
    const classes = classNames(error);
    let first: StackFrame | undefined;
    let last: StackFrame | undefined;
    let outermost: StackFrame | undefined;
    let count = 0;
    for (let at = 0; at < text.length && count < max; ) {
      let end = indexOf(text, '\n', at);
      if (end < 0) end = text.length;
      const line = slice(text, at, end);
      const place = indexOf(line, 'at ') < 0 ? undefined : kit.place(line);
      if (place !== undefined) {
        const frame = { name: nameOf(line), line: place.line, column: place.column, next: undefined };
        if (first === undefined && indexOf(classes, '/' + frame.name + '/') >= 0) {
          // Not every engine leaves out the constructors of the error itself.
          outermost = frame;
          at = end + 1;
          continue;
        }
        if (last === undefined) first = frame;
        else last.next = frame;
        last = frame;
        count++;
      }
      at = end + 1;
    }
    return first ?? outermost;
  };
}
