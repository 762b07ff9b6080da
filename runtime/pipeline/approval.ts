import type { ApprovalRequest, ApprovalService } from '../contract/approval.js';
import type { PreToolDecision } from '../contract/decisions.js';
import type { Agent } from '../contract/scope.js';
import { errorMessage } from '../core/error-text.js';
import type { Call } from './call.js';

type AskDecision = Extract<PreToolDecision, { kind: 'ask' }>;
type SettledDecision = Exclude<PreToolDecision, { kind: 'ask' }>;

/**
 * Puts an `ask` decision to the approver of the call's scope. Total: whatever goes wrong is a denial.
 *
 * Waits for the answer, however long it takes.
 *
 * @returns `cancel` only when the approver says so and the caller has aborted
 */
export async function settleAsk(call: Call, ask: AskDecision): Promise<SettledDecision> {
  const { name, agent } = call.execution;
  try {
    const service = call.host.approval(agent);
    if (service === undefined) {
      return deny(ask.reason || `The call of "${name}" requires approval and no approver is configured`);
    }
    if (agent === undefined) {
      return deny(ask.reason || `The call of "${name}" requires approval and has no agent to ask for it`);
    }
    const { outcome, note } = await request(call, service, agent, ask);
    if (outcome === 'allowed-once') return { kind: 'allow' };
    if (outcome === 'cancelled' && call.signal.aborted) return { kind: 'cancel' };
    const reason = denialText(name, outcome);
    return deny(note ? `${reason}: ${note}` : reason);
  } catch (error) {
    return deny(`The approval of "${name}" failed: ${errorMessage(error)}`);
  }
}

interface Answer {
  readonly outcome: unknown;
  readonly note: string | undefined;
}

async function request(
  call: Call,
  service: ApprovalService,
  agent: Agent,
  { reason, displayReason }: AskDecision,
): Promise<Answer> {
  const { name, callId, position } = call.execution;
  const question: ApprovalRequest = {
    agent,
    toolName: name,
    callId,
    ...(reason !== undefined && { reason }),
    ...(displayReason !== undefined && { displayReason }),
    ...(position !== undefined && { position }),
    signal: call.signal,
  };
  const answered = call.execution.dispatch?.onApproval?.();
  let answer: unknown;
  try {
    answer = await service.request(Object.freeze(question), call.execution);
  } finally {
    answered?.();
  }
  if (typeof answer !== 'object' || answer === null) return { outcome: answer, note: undefined };
  const { outcome, note } = answer as { readonly outcome?: unknown; readonly note?: unknown };
  return { outcome, note: typeof note === 'string' ? note : undefined };
}

function denialText(name: string, outcome: unknown): string {
  switch (outcome) {
    case 'rejected':
      return `The call of "${name}" was rejected by the approver`;
    case 'cancelled':
      return `The approval of "${name}" was cancelled before it was answered`;
    case 'unavailable':
      return `The call of "${name}" requires approval and no approver is available`;
    case 'deferred':
      return `The approval of "${name}" was deferred, so the call was not made`;
    default:
      return `The approval of "${name}" ended without a known outcome, so the call was not made`;
  }
}

function deny(reason: string): SettledDecision {
  return { kind: 'deny', reason };
}
