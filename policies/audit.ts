import type { PreToolDecision } from '../runtime/contract/decisions.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { functionOption, knownOptions } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { inPolicy } from './in-policy.js';
import { closeVerdicts, openVerdicts, takeVerdicts, type Verdict } from './verdicts.js';

/** What can be set of `audit`. */
export interface AuditOptions {
  /** Takes one line, without its end. What it throws fails the call. */
  readonly write: (line: string) => void;
  /** The clock, ms. @default Date.now */
  readonly now?: () => number;
}

const POLICY = 'audit';

/**
 * Writes one line of JSON per decision, with the policy and the rule that made it.
 *
 * Hooks: a `tools/pre-execute` listener, outermost, and `tools/result` for what was decided later (guards, answers of people,
 * replacements). Default: none; where lines go has to be said. A decision of a listener that is no policy of this package is
 * noted as `listener`; a call about which nobody decided anything has no line. A line that cannot be written before the body
 * runs keeps it from running.
 *
 * What it does not do: it writes no arguments and no results, and it does not see the guards of a host.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = audit(tools, { write: (line) => appendFileSync('audit.jsonl', `${line}\n`) });
 */
export function audit(tools: ToolsService, options: AuditOptions): Disposer {
  attachedTo('audit', tools);
  knownOptions(POLICY, options, ['write', 'now']);
  const write = functionOption('write', options.write);
  const now = functionOption('now', options.now ?? Date.now);
  const writeLine = (exec: Readonly<ToolExecution>, verdict: Verdict): void => {
    const { policy, rule, decision, reason } = verdict;
    const { agent, callId, rootCallId, name, position } = exec;
    const at = new Date(now()).toISOString();
    const line = {
      at,
      agent: agent?.id,
      callId,
      rootCallId,
      tool: name,
      line: position?.line,
      policy,
      rule,
      decision,
      reason,
    };
    inPolicy(POLICY, () => write(JSON.stringify(line)));
  };
  const listener = tools.on(
    'tools/pre-execute',
    async (exec, next) => {
      openVerdicts(exec);
      const decision = await next();
      const verdicts = takeVerdicts(exec);
      for (const verdict of verdicts) writeLine(exec, verdict);
      const foreign = foreignVerdict(decision, verdicts);
      if (foreign !== undefined) writeLine(exec, foreign);
      return decision;
    },
    { prepend: true },
  );
  const rest = tools.on('tools/result', (exec) => {
    try {
      for (const verdict of takeVerdicts(exec)) writeLine(exec, verdict);
    } finally {
      closeVerdicts(exec);
    }
  });
  return () => {
    listener();
    rest();
  };
}

/** The decision of somebody who has noted nothing. */
function foreignVerdict(decision: PreToolDecision, verdicts: readonly Verdict[]): Verdict | undefined {
  const { kind } = decision ?? {};
  if (kind === undefined || kind === 'allow' || verdicts.some((verdict) => verdict.decision === kind))
    return undefined;
  const reason = 'reason' in decision ? decision.reason : undefined;
  return { policy: 'listener', decision: kind, ...(reason === undefined ? {} : { reason }) };
}
