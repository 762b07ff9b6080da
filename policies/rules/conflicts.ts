import type { JsonValue } from '../../runtime/core/json-value.js';
import { canonicalJson } from '../canonical-json.js';
import { wildcard } from '../wildcard.js';
import type { CheckedRule } from './rule.js';
import { ruleError } from './rule-error.js';

const FLAGS = ['readOnly', 'destructive', 'idempotent'] as const;

/**
 * Refuses rules of which one can never apply: what another one says of the same calls always counts instead.
 *
 * Only what can be proven from the rules alone is refused: two rules may still meet in a call, and then their order decides.
 *
 * @throws {TypeError} that names both rules
 */
export function assertNoConflict(rules: readonly CheckedRule[]): void {
  for (const [index, rule] of rules.entries()) {
    for (const [otherIndex, other] of rules.entries()) {
      if (rule === other || !covers(other, rule)) continue;
      const isBefore = otherIndex < index;
      if (isBefore && covers(rule, other)) throw sameCalls(rule, other);
      if (isFallback(other, otherIndex, rules)) continue;
      const isStronger = other.decision === 'deny' && rule.decision !== 'deny';
      const isEarlier = isBefore && (rule.decision === 'deny') === (other.decision === 'deny');
      if (isStronger) {
        throw ruleError(
          rule.name,
          `it contradicts rule "${other.name}", which denies every call that it matches`,
        );
      }
      if (isEarlier) {
        throw ruleError(
          rule.name,
          `it can never apply, since rule "${other.name}" before it matches every call that it matches`,
        );
      }
    }
  }
}

/** A last rule without conditions says what counts where no other rule matches. */
export function isFallback(rule: CheckedRule, index: number, rules: readonly CheckedRule[]): boolean {
  return index === rules.length - 1 && conditionsOf(rule) === '{}';
}

function sameCalls(rule: CheckedRule, other: CheckedRule): TypeError {
  return ruleError(
    rule.name,
    rule.decision === other.decision
      ? `it overlaps rule "${other.name}", which matches the same calls`
      : `it contradicts rule "${other.name}", which says "${other.decision}" of the same calls`,
  );
}

function conditionsOf({
  name: _n,
  decision: _d,
  reason: _r,
  displayReason: _p,
  ...conditions
}: CheckedRule): string {
  return canonicalJson(conditions as unknown as JsonValue);
}

/** Whether one rule provably matches every call that the other matches. */
function covers(wide: CheckedRule, narrow: CheckedRule): boolean {
  return (
    coversNames(wide.tool, narrow.tool) &&
    coversNames(wide.source, narrow.source) &&
    (wide.kind === undefined || narrow.kind?.every((kind) => wide.kind?.includes(kind)) === true) &&
    FLAGS.every((flag) => wide[flag] === undefined || wide[flag] === narrow[flag]) &&
    coversArguments(wide, narrow)
  );
}

function coversNames(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (wide === undefined) return true;
  // A star of the narrow pattern can only be met by a star of the wide one, which then meets whatever it stands for.
  return narrow?.every((pattern) => wide.some((other) => wildcard(other)(pattern))) === true;
}

function coversArguments(wide: CheckedRule, narrow: CheckedRule): boolean {
  if (wide.arguments === undefined) return true;
  const isStricter = wide.decision === 'allow' && narrow.decision !== 'allow';
  const known = new Set(narrow.arguments?.map(textOf));
  const areSame = known.size === wide.arguments.length;
  return wide.arguments.every((condition) => known.has(textOf(condition))) && (!isStricter || areSame);
}

function textOf(condition: object): string {
  return canonicalJson(condition as JsonValue);
}
