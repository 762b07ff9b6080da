/** Where a stretch of generated text comes from; lines and columns count from 0. */
interface Segment {
  readonly column: number;
  readonly sourceLine: number;
  readonly sourceColumn: number;
}

/** Finds the source of a generated position. */
export interface SourceMap {
  /** @returns Line and column in the source, from 0; `undefined` where nothing of the source stands at or before it. */
  original(line: number, column: number): { readonly line: number; readonly column: number } | undefined;
}

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((sign, value) => [sign, value]),
);

/** Reads the `mappings` of a source map, version 3, that has one source. */
export const sourceMapOf = (mappings: string): SourceMap => {
  let sourceLine = 0;
  let sourceColumn = 0;
  const lines = mappings.split(';').map((line) => {
    const segments: Segment[] = [];
    let column = 0;
    for (const text of line === '' ? [] : line.split(',')) {
      const [columnStep = 0, , lineStep, columnInSource] = numbersOf(text);
      column += columnStep;
      if (lineStep === undefined || columnInSource === undefined) continue;
      sourceLine += lineStep;
      sourceColumn += columnInSource;
      segments.push({ column, sourceLine, sourceColumn });
    }
    return segments;
  });
  return {
    original(line, column) {
      const segment = lines[line]?.findLast((one) => one.column <= column);
      return segment && { line: segment.sourceLine, column: segment.sourceColumn };
    },
  };
};

/** Base 64 numbers of variable length, the lowest five bits first, the sign in the lowest of all. */
const numbersOf = (text: string): number[] => {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const sign of text) {
    const digit = DIGITS.get(sign) ?? 0;
    value += (digit & 31) << shift;
    if (digit & 32) shift += 5;
    else {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
};
