import type { PreToolDecision } from '../runtime/contract/decisions.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { optionError } from '../runtime/core/option-error.js';
import { knownOptions, nonEmptyString, oneOf } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import type { Grants } from './grants.js';
import { awaitInPolicy, inPolicy } from './in-policy.js';
import { type PresetName, preset } from './presets.js';
import { checkRules } from './rules/check-rules.js';
import { compileRules, type RuleVerdict } from './rules/judge.js';
import type { CheckedRule, Rule, RuleDecision } from './rules/rule.js';
import { noteVerdict } from './verdicts.js';

/** What can be set of `rules`. */
export interface RulesOptions {
  /** In order. @default none */
  readonly rules?: readonly Rule[];
  /** Rules behind those above, and the word for the rest. @default none */
  readonly preset?: PresetName;
  /** For calls that no rule matches. @default that of the preset, else 'deny' */
  readonly otherwise?: RuleDecision;
  /** What relative paths in arguments and patterns start from; without it they are compared as they are written. */
  readonly root?: string;
  /** Permissions for the session and for single calls. @default nobody is granted anything */
  readonly grants?: Grants;
}

const POLICY = 'rules';

/**
 * Lets calls pass, asks about them or denies them, by an ordered list of rules.
 *
 * Hook: one `tools/pre-execute` listener, and a guard for what is denied. A rule that matches and denies is final, wherever it
 * stands; of the others the first that matches decides; what none matches is denied. A grant answers a question, it never
 * lifts a denial. What an inner listener decides counts where it is stricter. Since the guard has the last word, no other
 * listener turns a denial into a run.
 *
 * What it does not do: it does not judge the call that carries a program, unless a rule names it without a wildcard; it
 * trusts what registrations declare; it compares letters, not what a case-blind or linked file system makes of a path.
 *
 * @returns removes the policy
 * @throws {TypeError} that names the rule, when one is malformed, can never apply or contradicts another
 * @example
 * const dispose = rules(tools, { rules: [{ decision: 'allow', kind: 'read' }, { decision: 'ask', tool: 'write_*' }] });
 */
export function rules(tools: ToolsService, options: RulesOptions): Disposer {
  attachedTo('rules', tools);
  knownOptions(POLICY, options, ['rules', 'preset', 'otherwise', 'root', 'grants']);
  const base = options.preset === undefined ? undefined : preset(options.preset);
  const otherwise = oneOf('otherwise', options.otherwise ?? base?.otherwise ?? 'deny', [
    'allow',
    'ask',
    'deny',
  ]);
  const root = options.root === undefined ? undefined : nonEmptyString('root', options.root);
  const { grants } = options;
  if (grants !== undefined && typeof grants?.use !== 'function') {
    throw optionError('grants', 'a store made by createGrants', grants);
  }
  const own = checkRules(options.rules ?? []);
  const behind = (base?.rules ?? []).map((rule) => ({ ...rule, name: `${options.preset}: ${rule.name}` }));
  const judge = compileRules([...own, ...(behind as CheckedRule[])], otherwise, root);
  const judged = (exec: Readonly<ToolExecution>): RuleVerdict =>
    inPolicy(POLICY, () => judge(exec, tools.registration(exec.name, exec.agent) ?? {}));

  const listener = tools.on('tools/pre-execute', async (exec, next) => {
    const verdict = judged(exec);
    if (verdict.decision === 'deny') return { kind: 'deny', reason: noteDenial(exec, verdict) };
    const inner = await next();
    if (verdict.decision === 'allow' || inner?.kind === 'deny' || inner?.kind === 'cancel') {
      note(exec, verdict, verdict.decision);
      return inner;
    }
    const granted = await awaitInPolicy(POLICY, () => grants?.use(exec));
    if (granted !== undefined) {
      noteVerdict(exec, { policy: POLICY, rule: `grant: ${granted}`, decision: 'allow' });
      return inner;
    }
    note(exec, verdict, 'ask');
    return question(exec, verdict, inner);
  });
  const guard = tools.guard((exec) => {
    const verdict = judged(exec);
    return verdict.decision === 'deny' ? noteDenial(exec, verdict) : undefined;
  });
  return () => {
    listener();
    guard();
  };
}

function question(
  { name }: Readonly<ToolExecution>,
  { rule }: RuleVerdict,
  inner: PreToolDecision,
): PreToolDecision {
  const own =
    rule?.reason ??
    (rule === undefined ? `No rule allows "${name}"` : `Rule "${rule.name}" asks before "${name}"`);
  const reason = inner.kind === 'ask' && inner.reason !== undefined ? `${own}; ${inner.reason}` : own;
  const displayReason = rule?.displayReason ?? (inner.kind === 'ask' ? inner.displayReason : undefined);
  return { kind: 'ask', reason, ...(displayReason === undefined ? {} : { displayReason }) };
}

function note(
  exec: Readonly<ToolExecution>,
  { rule }: RuleVerdict,
  decision: RuleDecision,
  reason?: string,
): void {
  noteVerdict(exec, {
    policy: POLICY,
    decision,
    rule: rule?.name ?? 'otherwise',
    ...(reason === undefined ? {} : { reason }),
  });
}

/** @returns what the model reads */
function noteDenial(exec: Readonly<ToolExecution>, verdict: RuleVerdict): string {
  const { rule } = verdict;
  const said =
    rule === undefined
      ? `No rule allows the call of "${exec.name}"`
      : `Rule "${rule.name}" denies the call of "${exec.name}"`;
  const reason = rule?.reason ?? said;
  note(exec, verdict, 'deny', reason);
  return reason;
}
