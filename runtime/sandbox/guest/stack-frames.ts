import type { Kit } from './kit.js';

/** Places: the program's frames at a call, and what they are in the model's text. */
export function installPlaces(kit: Kit): void {
  const { indexOf, lastIndexOf, charCodeAt, slice, stringify, file } = kit;
  const mark = file + ':';
  const PLACE_LENGTH = 24;

  // Digits only: what stands behind the file's name may be a function's name that looks like it.
  const read = (text: string, from: number) => {
    let at = from + mark.length;
    let line = 0;
    let column = 0;
    let unit = 0;
    for (; at < text.length; at++) {
      unit = charCodeAt(text, at);
      if (unit < 48 || unit > 57 || line > 1e8) break;
      line = line * 10 + unit - 48;
    }
    if (line === 0 || unit !== 58) return undefined;
    for (at++; at < text.length; at++) {
      unit = charCodeAt(text, at);
      if (unit < 48 || unit > 57 || column > 1e8) break;
      column = column * 10 + unit - 48;
    }
    return { line, column };
  };

  kit.place = (line) => {
    const from = lastIndexOf(line, mark);
    return from < 0 ? undefined : read(line, from);
  };

  kit.position = (frames) => {
    const from = indexOf(frames, mark);
    if (from < 0) return '';
    const { shift } = kit.run;
    if (shift !== undefined && shift.line === 0) {
      const start = from + mark.length;
      const text = slice(frames, start, start + PLACE_LENGTH);
      // The numbers are the model's own already: whoever reads the call reads them too.
      if (shift.firstLineColumn === 0 || indexOf(text, '1:') !== 0) return '"at":' + stringify(text);
    }
    const place = read(frames, from);
    const numbers = place === undefined ? '' : kit.toModel(place.line, place.column);
    return numbers && '"position":[' + numbers + ']';
  };

  kit.toModel = (line, column) => {
    const { shift } = kit.run;
    if (shift === undefined) return kit.host(3, '' + line + ',' + column);
    const shifted = line === 1 ? column + shift.firstLineColumn : column;
    return '' + (line + shift.line) + ',' + (shifted > 0 ? shifted : 1);
  };
}

/** The frames below a function, on an engine that can leave out its own. */
export function installCapturedFrames(kit: Kit): void {
  const { Error, captureStackTrace } = kit;
  // A program that makes many calls is told where each was made, and no longer by whom.
  const FRAMES = 3;
  const MANY = 200;
  let count = 0;

  kit.framesBelow = (below) => {
    try {
      const limit = Error.stackTraceLimit;
      if (typeof limit !== 'number') return '';
      try {
        const holder = { __proto__: null, name: '', message: '', stack: '' };
        Error.stackTraceLimit = count++ < MANY ? FRAMES : 1;
        captureStackTrace(holder, below);
        const { stack } = holder;
        // A formatter of the program's own may have made anything of it.
        return typeof stack === 'string' ? stack : '';
      } finally {
        Error.stackTraceLimit = limit;
      }
    } catch {
      return '';
    }
  };
}

/** The program's frames, on an engine that gives all of them: from the first that is in its file. */
export function installFilteredFrames(kit: Kit): void {
  const { Error, indexOf, lastIndexOf, slice, file } = kit;
  const MAX_LENGTH = 300;

  kit.framesBelow = () => {
    const { stack } = new Error();
    if (typeof stack !== 'string') return '';
    const first = indexOf(stack, file);
    if (first < 0) return '';
    const start = lastIndexOf(stack, '\n', first);
    // Each line starts with a line break; the first line of a stack has none.
    return start < 0 ? '\n' + slice(stack, 0, MAX_LENGTH) : slice(stack, start, start + MAX_LENGTH);
  };
}
