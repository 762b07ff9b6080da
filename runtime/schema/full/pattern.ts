import { type Context, createContext, Script } from 'node:vm';

/** How long a pattern may look at one text, ms. */
const PATTERN_BUDGET_MS = 100;
/** Up to this length no pattern takes long. */
const SHORT = 8;
/** So many steps take no time worth watching. */
const FEW_STEPS = 10_000_000;
/** A repetition of at least so many counts like one without an end. */
const MANY = 10;

/** What the engine needs of a pattern. */
export interface Pattern {
  /** @throws {Error} when it takes longer than 100 ms */
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles the pattern of a schema: by the Unicode rules that the standard asks for, else by the older ones.
 *
 * Patterns in the wild escape what the Unicode rules forbid to escape. A schema may come from a stranger and a text from a
 * program, so a pattern that may backtrack without end is watched and given up in time.
 *
 * @throws {SyntaxError} when it is no pattern by either
 * @example
 * compilePattern('^[\\w\\-]+$').test('a-b') // true
 */
export function compilePattern(source: string): Pattern {
  const pattern = unicodePattern(source) ?? new RegExp(source);
  const { repetitions, isNested } = repetitionsOf(source);
  if (!isNested && repetitions < 2) return pattern;
  // Repetitions after each other may share a text in so many ways as it is long, to the power of their number.
  const limit = isNested ? SHORT : Math.max(SHORT, FEW_STEPS ** (1 / repetitions));
  return {
    test: (text) => (text.length <= limit ? pattern.test(text) : watchedTest(pattern, text)),
    toString: () => String(pattern),
  };
}

function unicodePattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}

let watch: { readonly context: Context; readonly script: Script } | undefined;

function watchedTest(pattern: RegExp, text: string): boolean {
  watch ??= { context: createContext({}), script: new Script('pattern.test(text)') };
  const { context, script } = watch;
  Object.assign(context, { pattern, text });
  try {
    return script.runInContext(context, { timeout: PATTERN_BUDGET_MS }) as boolean;
  } catch (cause) {
    throw new Error(`the pattern ${pattern} takes too long`, { cause });
  } finally {
    Object.assign(context, { pattern: undefined, text: undefined });
  }
}

/** What a pattern repeats: how often in all, and whether a repeated group leaves open how it is split up. */
function repetitionsOf(source: string): { readonly repetitions: number; readonly isNested: boolean } {
  let repetitions = 0;
  let isNested = /\\[1-9k]/.test(source);
  /** For each open group, whether what it holds may match one text in several ways. */
  const groups: boolean[] = [false];
  const tokens = source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]|[*+]|\{(\d+)(,(\d*))?\}|./gsu);
  let closed: boolean | undefined;
  for (const [token, least, range, most] of tokens) {
    const isRepeated = token === '*' || token === '+' || (least !== undefined && isMany(least, range, most));
    if (isRepeated) {
      repetitions += 1;
      if (closed === true) isNested = true;
      groups[groups.length - 1] = true;
    }
    closed = undefined;
    if (token === '|') groups[groups.length - 1] = true;
    if (token === '(') groups.push(false);
    if (token === ')' && groups.length > 1) {
      closed = groups.pop()!;
      if (closed) groups[groups.length - 1] = true;
    }
  }
  return { repetitions, isNested };
}

function isMany(least: string, range: string | undefined, most: string | undefined): boolean {
  if (range === undefined) return Number(least) >= MANY;
  return most === '' || Number(most) >= MANY;
}
