/**
 * The error of a rule: it always names it.
 *
 * @example
 * throw ruleError('no secrets', 'wanted a JSON path');
 */
export function ruleError(name: string, why: string, cause?: unknown): TypeError {
  return new TypeError(`Cannot use rule "${name}": ${why}`, cause === undefined ? undefined : { cause });
}
