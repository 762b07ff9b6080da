import type { JsonValue } from '../../runtime/core/json-value.js';
import { schemaValidator } from '../../runtime/schema/schema-validator.js';
import { assertNoConflict } from './conflicts.js';
import type { CheckedRule, Rule } from './rule.js';
import { ruleError } from './rule-error.js';
import { RULE_SCHEMA } from './rules-file-schema.js';

/**
 * Checks rules one by one and against each other.
 *
 * @throws {TypeError} that names the first rule that is malformed, has no chance to apply, or contradicts another
 * @example
 * checkRules([{ decision: 'allow', tool: 'read' }])[0].name // '#1'
 */
export function checkRules(rules: readonly Rule[]): readonly CheckedRule[] {
  if (!Array.isArray(rules)) throw new TypeError('Cannot use rules: wanted an array of them');
  const checked = rules.map(checkRule);
  const names = new Set<string>();
  for (const { name } of checked) {
    if (names.has(name)) throw ruleError(name, 'another rule has the same name');
    names.add(name);
  }
  assertNoConflict(checked);
  return checked;
}

function checkRule(rule: Rule, index: number): CheckedRule {
  const given = (rule as { readonly name?: unknown } | null)?.name;
  const name = typeof given === 'string' && given !== '' ? given : `#${index + 1}`;
  const copy = jsonCopy(rule, name);
  const violations = schemaValidator(RULE_SCHEMA, '2020-12')(copy, 'rule');
  if (violations.length > 0) throw ruleError(name, violations.join('; '));
  const { tool, source, kind, ...rest } = copy as unknown as Rule;
  return {
    ...rest,
    name,
    ...(tool === undefined ? {} : { tool: [tool].flat() }),
    ...(source === undefined ? {} : { source: [source].flat() }),
    ...(kind === undefined ? {} : { kind: [kind].flat() }),
  };
}

/** What JSON keeps of a rule: keys that are `undefined` are as good as absent, anything else that is no JSON is not. */
function jsonCopy(rule: unknown, name: string): JsonValue {
  try {
    return JSON.parse(
      JSON.stringify(rule, (_, value: unknown) => {
        const isJson = ['string', 'number', 'boolean', 'undefined', 'object'].includes(typeof value);
        if (isJson && !(value instanceof RegExp)) return value;
        throw new TypeError(`wanted JSON, received ${value instanceof RegExp ? 'a RegExp' : typeof value}`);
      }) ?? 'null',
    ) as JsonValue;
  } catch (cause) {
    throw ruleError(name, (cause as Error).message, cause);
  }
}
