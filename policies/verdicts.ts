import type { ToolExecution, ToolExecutionToken } from '../runtime/contract/execution.js';

/** What one policy has said about one call. */
export interface Verdict {
  readonly policy: string;
  /** The rule that made it, where a policy has several. */
  readonly rule?: string;
  readonly decision: 'allow' | 'ask' | 'deny' | 'cancel' | 'replace' | 'answer';
  readonly reason?: string;
}

const verdicts = new WeakMap<ToolExecutionToken, Verdict[]>();

/** Notes a verdict beside its call, for whoever audits; it decides nothing. */
export function noteVerdict({ token }: Pick<ToolExecution, 'token'>, verdict: Verdict): void {
  const noted = verdicts.get(token);
  if (noted === undefined) verdicts.set(token, [verdict]);
  else noted.push(verdict);
}

/** Takes what was noted of a call since the last time. */
export function takeVerdicts({ token }: Pick<ToolExecution, 'token'>): readonly Verdict[] {
  const noted = verdicts.get(token) ?? [];
  verdicts.delete(token);
  return noted;
}
