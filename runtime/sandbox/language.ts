/** What the language of an engine has: asked of the engine itself, inside the sandbox. */
export interface EngineLanguage {
  /** As a model is told, e.g. `ES2023`. */
  readonly level: string;
  /** What its library lacks, by the names that TypeScript's option `lib` has for the parts; `intl` is the whole of Intl. */
  readonly missing: readonly string[];
}

interface Part {
  /** The edition it came with; absent for what no edition has yet, and for what a sandbox leaves out on purpose. */
  readonly edition?: number;
  /** Empty where it is only a matter of syntax. */
  readonly names: string;
  /** An expression that is truthy where the part is there; it may throw. */
  readonly probe: string;
}

/** Where engines differ, from the oldest that can be met on. */
const PARTS: readonly Part[] = [
  {
    names: 'es2017.sharedmemory es2020.sharedmemory es2024.sharedmemory esnext.sharedmemory',
    probe: 'SharedArrayBuffer && Atomics',
  },
  { names: 'intl', probe: 'Intl' },
  { edition: 2022, names: 'es2022.regexp', probe: 'new RegExp("a", "d").exec("a").indices' },
  { edition: 2023, names: 'es2023.array', probe: '[].toSorted && [].toSpliced && [].findLast' },
  { edition: 2023, names: 'es2023.collection', probe: 'new WeakMap().set(Symbol("a"), 1)' },
  {
    edition: 2024,
    names: 'es2024.arraybuffer',
    probe: 'ArrayBuffer.prototype.resize && ArrayBuffer.prototype.transfer',
  },
  { edition: 2024, names: 'es2024.collection', probe: 'Map.groupBy' },
  { edition: 2024, names: 'es2024.object', probe: 'Object.groupBy' },
  { edition: 2024, names: 'es2024.promise', probe: 'Promise.withResolvers' },
  { edition: 2024, names: 'es2024.regexp', probe: 'new RegExp("[a--b]", "v")' },
  { edition: 2024, names: 'es2024.string', probe: '"".isWellFormed' },
  { edition: 2025, names: 'es2025.collection', probe: 'Set.prototype.union' },
  { edition: 2025, names: 'es2025.float16', probe: 'Float16Array && Math.f16round' },
  { edition: 2025, names: 'es2025.iterator', probe: 'Iterator.prototype.map' },
  { edition: 2025, names: 'es2025.promise', probe: 'Promise.try' },
  { edition: 2025, names: 'es2025.regexp', probe: 'RegExp.escape' },
  { edition: 2025, names: '', probe: 'new RegExp("(?i:a)(?<b>c)|(?<b>d)")' },
  { names: 'esnext.array', probe: 'Array.fromAsync' },
  { names: 'esnext.collection', probe: 'Map.prototype.getOrInsert' },
  { names: 'esnext.date', probe: 'Date.prototype.toTemporalInstant' },
  { names: 'esnext.decorators', probe: 'Symbol.metadata' },
  { names: 'esnext.disposable', probe: 'Symbol.dispose && DisposableStack' },
  { names: 'esnext.error', probe: 'Error.isError' },
  { names: 'esnext.temporal esnext.intl', probe: 'Temporal' },
  { names: 'esnext.typedarrays', probe: 'Uint8Array.fromBase64 && new Uint8Array().toHex' },
];

/** An expression for the engine: the positions of the parts that it lacks, joined by commas. */
export const LANGUAGE_PROBE = `[${PARTS.map(({ probe }) => `() => ${probe}`).join()}].map((has, i) => { try { return has() ? "" : i + "" } catch { return i + "" } }).filter((at) => at).join()`;

/**
 * Reads the answer to {@link LANGUAGE_PROBE}.
 *
 * @example
 * languageOf('7').level // 'ES2023'
 */
export function languageOf(answer: string): EngineLanguage {
  const absent = answer
    .split(',')
    .filter((at) => at !== '')
    .map((at) => PARTS[Number(at)])
    .filter((part) => part !== undefined);
  const missing = absent.flatMap(({ names }) => names.split(' ')).filter((name) => name !== '');
  const firstGap = Math.min(...absent.map(({ edition }) => edition ?? Number.POSITIVE_INFINITY));
  const editions = PARTS.map(({ edition }) => edition ?? 0).filter((edition) => edition < firstGap);
  const level = `ES${Math.max(2021, ...editions)}`;
  return { level: missing.includes('intl') ? `${level} without Intl` : level, missing };
}
