import type { Kit } from '../kit.js';

/** One frame of a stack that lies in the program, in the engine's own numbers. */
export interface StackFrame {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  next: StackFrame | undefined;
}

/** The frames of a stack that lie in the program, in order; what is not a text has none. */
export function framesPart(
  kit: Kit,
): (stack: unknown, header: string, max: number) => StackFrame | undefined {
  const { indexOf, slice } = kit;
  const MAX_STACK = 16384;
  const MAX_NAME = 100;

  const nameOf = (line: string): string => {
    const at = indexOf(line, 'at ');
    const open = indexOf(line, ' (', at);
    const name = open < 0 ? '' : slice(line, at + 3, open);
    return name === '<anonymous>' ? '' : slice(name, 0, MAX_NAME);
  };

  return (stack, header, max) => {
    if (typeof stack !== 'string') return undefined;
    const text = slice(
      stack,
      header !== '' && indexOf(stack, header) === 0 ? header.length : 0,
      header.length + MAX_STACK,
    );
    let first: StackFrame | undefined;
    let last: StackFrame | undefined;
    let count = 0;
    for (let at = 0; at < text.length && count < max; ) {
      let end = indexOf(text, '\n', at);
      if (end < 0) end = text.length;
      const line = slice(text, at, end);
      const place = indexOf(line, 'at ') < 0 ? undefined : kit.place(line);
      if (place !== undefined) {
        const frame = { name: nameOf(line), line: place.line, column: place.column, next: undefined };
        if (last === undefined) first = frame;
        else last.next = frame;
        last = frame;
        count++;
      }
      at = end + 1;
    }
    return first;
  };
}
