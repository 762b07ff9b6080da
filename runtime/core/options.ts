import { MAX_TIMER_DELAY_MS } from './deadline.js';
import { optionError, received } from './option-error.js';

// Checks that every factory runs on its options, so that a bad option fails the deployment and not the first call.
// Each returns the value it was given; `undefined` is a value like any other, so a caller applies its default first.

/**
 * Takes an integer of at least 1.
 *
 * @throws {TypeError} otherwise
 * @example
 * positiveInteger('maxParallel', 4) // 4
 */
export function positiveInteger(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw optionError(name, 'a positive integer', value);
}

/**
 * Takes an integer of at least 0.
 *
 * @throws {TypeError} otherwise
 * @example
 * nonNegativeInteger('spares', 0) // 0
 */
export function nonNegativeInteger(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw optionError(name, 'an integer of at least 0', value);
}

/**
 * Takes a finite number above 0.
 *
 * @throws {TypeError} otherwise
 * @example
 * positiveFinite('graceMs', 0.5) // 0.5
 */
export function positiveFinite(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw optionError(name, 'a positive finite number', value);
}

/**
 * Takes a delay that a timer can hold: a finite number of milliseconds above 0 and at most {@link MAX_TIMER_DELAY_MS}.
 *
 * @throws {TypeError} otherwise
 * @example
 * timerMs('wallMs', 30_000) // 30000
 */
export function timerMs(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= MAX_TIMER_DELAY_MS) return value;
  throw optionError(name, `a positive number of milliseconds up to ${MAX_TIMER_DELAY_MS}`, value);
}

/**
 * Takes a string with at least one character.
 *
 * @throws {TypeError} otherwise
 * @example
 * nonEmptyString('source', 'files') // 'files'
 */
export function nonEmptyString(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw optionError(name, 'a non-empty string', value);
}

/**
 * Takes `true` or `false`.
 *
 * @throws {TypeError} otherwise
 * @example
 * flag('hold', false) // false
 */
export function flag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw optionError(name, 'true or false', value);
}

/**
 * Takes a function.
 *
 * @throws {TypeError} otherwise
 * @example
 * functionOption('onWarning', console.warn)
 */
export function functionOption<F>(name: string, value: F): F {
  if (typeof value === 'function') return value;
  throw optionError(name, 'a function', value);
}

/**
 * Takes one of a closed set of strings.
 *
 * @throws {TypeError} otherwise
 * @example
 * oneOf('engine', 'auto', ['auto', 'isolated-vm', 'quickjs']) // 'auto'
 */
export function oneOf<const T extends string>(name: string, value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw optionError(name, choices.map((choice) => `"${choice}"`).join(', '), value);
}

/**
 * Takes an options object and refuses names that nobody reads: a misspelt option must not be silently ignored.
 *
 * @param subject whose options they are, for the message
 * @throws {TypeError} when it is no object or has an unknown key
 * @example
 * knownOptions('nativeExecutor', { maxParallelToolCalls: 2 }, ['maxParallelToolCalls']);
 */
export function knownOptions<T extends object>(
  subject: string,
  options: T,
  known: readonly (keyof T & string)[],
): T {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      `Cannot read options of "${subject}": wanted an object, received ${received(options)}`,
    );
  }
  const names: readonly string[] = known;
  const unknown = Object.keys(options).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot use option "${unknown}" of "${subject}": wanted one of ${names.map((key) => `"${key}"`).join(', ')}`,
    );
  }
  return options;
}
