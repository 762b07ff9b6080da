import type { ToolExecution, ToolExecutionToken } from '../runtime/contract/execution.js';

/** What one policy has said about one call. */
export interface Verdict {
  readonly policy: string;
  /** The rule that made it, where a policy has several. */
  readonly rule?: string;
  readonly decision: 'allow' | 'ask' | 'deny' | 'cancel' | 'replace' | 'answer';
  readonly reason?: string;
}

type Noted = Pick<ToolExecution, 'token'>;

/** Of the calls that are audited, from their beginning to their result: a weak map would cost more than all policies. */
const open = new Map<ToolExecutionToken, Verdict[]>();

/** Keeps what is noted of a call from now on; whoever opens one closes it. */
export function openVerdicts({ token }: Noted): void {
  if (!open.has(token)) open.set(token, []);
}

/** Notes a verdict beside its call, for whoever audits; it decides nothing. */
export function noteVerdict({ token }: Noted, verdict: Verdict): void {
  open.get(token)?.push(verdict);
}

/** Takes what was noted of a call since the last time. */
export function takeVerdicts({ token }: Noted): readonly Verdict[] {
  return open.get(token)?.splice(0) ?? [];
}

/** Forgets a call. */
export function closeVerdicts({ token }: Noted): void {
  open.delete(token);
}
