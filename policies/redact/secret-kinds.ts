import { optionError } from '../../runtime/core/option-error.js';
import { nonEmptyString } from '../../runtime/core/options.js';
import { wildcard } from '../wildcard.js';

/** How secrets are recognised. */
export interface SecretKinds {
  /** Stateless, with the flag `g`. */
  readonly patterns: readonly RegExp[];
  isSecretField(name: string): boolean;
}

/**
 * Compiles what a host says of its secrets.
 *
 * @param patterns of values, matched within string leaves
 * @param fields names of fields, letter case ignored, `*` stands for any text
 * @throws {TypeError} when there is neither, or one has no meaning
 * @example
 * secretKinds([/sk-[\w-]+/], ['password', '*_token'])
 */
export function secretKinds(patterns: readonly RegExp[], fields: readonly string[]): SecretKinds {
  if (!Array.isArray(patterns)) throw optionError('patterns', 'an array of regular expressions', patterns);
  if (!Array.isArray(fields)) throw optionError('fields', 'an array of names', fields);
  if (patterns.length + fields.length === 0) {
    throw new TypeError(
      'Cannot use options of "redact": wanted at least one pattern or field, received none',
    );
  }
  const compiled = patterns.map((pattern, index) => {
    if (!(pattern instanceof RegExp))
      throw optionError(`patterns[${index}]`, 'a regular expression', pattern);
    const copy = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
    if (new RegExp(copy.source, copy.flags.replace('g', '')).test('')) {
      throw optionError(`patterns[${index}]`, 'a pattern that does not match empty text', String(pattern));
    }
    return copy;
  });
  const names = fields.map((field, index) =>
    wildcard(nonEmptyString(`fields[${index}]`, field).toLowerCase()),
  );
  return {
    patterns: compiled,
    isSecretField: (name) => names.some((isNamed) => isNamed(name.toLowerCase())),
  };
}
