import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { isTransport } from '../is-transport.js';
import { wildcard } from '../wildcard.js';
import { isFallback } from './conflicts.js';
import { type ArgumentTest, argumentTest } from './match-arguments.js';
import type { CheckedRule, RuleDecision } from './rule.js';
import { ruleError } from './rule-error.js';

/** What the rules say of a call; without a rule it is the word for calls that none matches. */
export interface RuleVerdict {
  readonly decision: RuleDecision;
  readonly rule?: CheckedRule;
}

/** A call with what its tool was registered with. */
export type Judge = (
  exec: Readonly<ToolExecution>,
  registration: Readonly<ToolRegistrationOptions>,
) => RuleVerdict;

type Test = (exec: Readonly<ToolExecution>, registration: Readonly<ToolRegistrationOptions>) => boolean;

interface CompiledRule {
  readonly verdict: RuleVerdict;
  readonly test: Test;
}

/**
 * Compiles rules: a matching `deny` is final, of the others the first that matches decides, and `otherwise` has the last word.
 *
 * The call that carries a program is allowed unless a rule names it without a wildcard: the program's own calls are judged.
 *
 * @throws {TypeError} that names the rule whose pattern is malformed
 */
export function compileRules(
  rules: readonly CheckedRule[],
  otherwise: RuleDecision,
  root: string | undefined,
): Judge {
  const last = rules.at(-1);
  const fallback = last !== undefined && isFallback(last, rules.length - 1, rules) ? last : undefined;
  const compiled = rules.filter((rule) => rule !== fallback).map((rule) => compileRule(rule, root));
  const inOrder = [
    ...compiled.filter(({ verdict }) => verdict.decision === 'deny'),
    ...compiled.filter(({ verdict }) => verdict.decision !== 'deny'),
  ];
  const rest: RuleVerdict =
    fallback === undefined ? { decision: otherwise } : { decision: fallback.decision, rule: fallback };
  const carriesOn: RuleVerdict = { decision: 'allow' };
  return (exec, registration) => {
    const carries = isTransport(exec);
    for (const { verdict, test } of inOrder) {
      if (carries && verdict.rule?.tool?.includes(exec.name) !== true) continue;
      if (test(exec, registration)) return verdict;
    }
    return carries ? carriesOn : rest;
  };
}

function compileRule(rule: CheckedRule, root: string | undefined): CompiledRule {
  const { name, decision, tool, source, kind } = rule;
  const tests: Test[] = [];
  const add = (test: Test): void => void tests.push(test);
  if (tool !== undefined) {
    const isNamed = anyOf(tool);
    add((exec) => isNamed(exec.name));
  }
  if (source !== undefined) {
    const isFrom = anyOf(source);
    add((_, registration) => registration.source !== undefined && isFrom(registration.source));
  }
  if (kind !== undefined) add((_, registration) => kind.includes(registration.kind ?? 'other'));
  for (const flag of ['readOnly', 'destructive', 'idempotent'] as const) {
    const wanted = rule[flag];
    if (wanted !== undefined) add((_, registration) => (registration[flag] === true) === wanted);
  }
  for (const condition of rule.arguments ?? []) {
    let fits: ArgumentTest;
    try {
      fits = argumentTest(condition, decision, root);
    } catch (cause) {
      throw ruleError(name, `argument "${condition.at}": ${(cause as Error).message}`, cause);
    }
    add((exec) => fits(exec.arguments as JsonValue | undefined));
  }
  return {
    verdict: { decision, rule },
    test: (exec, registration) => tests.every((test) => test(exec, registration)),
  };
}

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const tests = patterns.map(wildcard);
  return (text) => tests.some((test) => test(text));
}
