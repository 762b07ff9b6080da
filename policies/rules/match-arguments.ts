import type { JsonValue } from '../../runtime/core/json-value.js';
import { canonicalJson } from '../canonical-json.js';
import { wildcard } from '../wildcard.js';
import { jsonPath, withDescendants } from './json-path.js';
import { goesUp, pathPattern, resolvedText } from './paths.js';
import type { ArgumentCondition, RuleDecision } from './rule.js';

/** Whether the arguments of a call fit a condition. */
export type ArgumentTest = (args: JsonValue | undefined) => boolean;

/**
 * Makes the test of one condition. What opens the way has to fit wholly, what closes it once.
 *
 * @param root what relative paths start from
 * @throws {SyntaxError} when path or pattern are malformed
 * @example
 * argumentTest({ at: '$.path', path: 'secret/**' }, 'deny')({ path: 'a/../secret/key' }) // true
 */
export function argumentTest(
  condition: ArgumentCondition,
  decision: RuleDecision,
  root?: string,
): ArgumentTest {
  const select = jsonPath(condition.at);
  if ('equals' in condition && condition.equals !== undefined) {
    return equalsTest(select, condition.equals, decision);
  }
  const test = textTest(condition, root);
  const isAllow = decision === 'allow';
  const fits = (value: JsonValue): boolean => {
    const text = asText(value);
    if (text === undefined) return false;
    if (condition.path !== undefined) return test(text);
    if (isAllow) return test(text) && (!goesUp(text) || test(resolvedText(text)));
    return test(text) || test(resolvedText(text));
  };
  return (args) => {
    const values = select(args);
    if (isAllow) return values.length > 0 && values.every(fits);
    return values.some((value) => withDescendants(value).some(fits));
  };
}

function equalsTest(
  select: (root: JsonValue | undefined) => readonly JsonValue[],
  literal: JsonValue,
  decision: RuleDecision,
): ArgumentTest {
  const wanted = canonicalJson(literal);
  const resolved = typeof literal === 'string' ? resolvedText(literal) : undefined;
  const isSame = (value: JsonValue): boolean => canonicalJson(value) === wanted;
  const leadsThere = (value: JsonValue): boolean =>
    isSame(value) || (typeof value === 'string' && resolvedText(value) === resolved);
  return (args) => {
    const values = select(args);
    if (decision === 'allow') return values.length > 0 && values.every(isSame);
    return values.some((value) => withDescendants(value).some(leadsThere));
  };
}

function textTest({ glob, path, regex }: ArgumentCondition, root?: string): (text: string) => boolean {
  if (glob !== undefined) return wildcard(glob);
  if (path !== undefined) return pathPattern(path, root);
  const expression = new RegExp(regex ?? '', 'u');
  return (text) => expression.test(text);
}

/** What a pattern is compared with: a string as it is, a number or a flag as JSON writes it. */
function asText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
