import type { LocalizedText, PreToolDecision } from '../contract/decisions.js';
import type { ToolEvents } from '../contract/events.js';
import type { ToolExecutionFailure } from '../contract/result.js';
import { received } from '../core/option-error.js';
import { runWaterfall } from '../core/waterfall.js';
import { settleAsk } from './approval.js';
import type { Call } from './call.js';
import { cancellation } from './cancellation.js';
import { containRejection, takeErrorInfo } from './materialise.js';
import { failureOf, failureResult } from './outcome.js';

const ALLOW = Object.freeze({ kind: 'allow' } as const);

/**
 * Policy, approval and guards.
 *
 * @returns what ends the call, or `undefined` when a body is to be launched; synchronous when no listener is registered
 * @throws whatever a listener or a guard throws, or rejects with
 */
export function admit(
  call: Call,
): ToolExecutionFailure | undefined | Promise<ToolExecutionFailure | undefined> {
  const listeners = call.host.listeners('tools/pre-execute', call.execution.agent);
  return listeners.length === 0 ? applyDecision(call, ALLOW) : decide(call, listeners);
}

async function decide(
  call: Call,
  listeners: readonly ToolEvents['tools/pre-execute'][],
): Promise<ToolExecutionFailure | undefined> {
  const raw: unknown = await runWaterfall(listeners, [call.execution], async () => ALLOW);
  const decision = readDecision(raw);
  return applyDecision(call, decision.kind === 'ask' ? await settleAsk(call, decision) : decision);
}

function applyDecision(
  call: Call,
  decision: Exclude<PreToolDecision, { kind: 'ask' }>,
): ToolExecutionFailure | undefined {
  if (decision.kind === 'cancel') return cancellation('ABORTED_BEFORE_DISPATCH');
  if (decision.kind === 'deny') return denial(decision.reason, decision.info);
  const reason: unknown = call.host.checkGuards(call.execution);
  if (typeof reason === 'string') return failureResult(reason);
  // Anything but a string or nothing is a guard that was not understood, so it must not open the way.
  if (reason !== undefined) {
    containRejection(reason);
    throw new TypeError(
      `Cannot read a guard's answer: wanted a string or undefined, received ${received(reason)}`,
    );
  }
  return call.signal.aborted ? cancellation('ABORTED_BEFORE_DISPATCH') : undefined;
}

function denial(reason: string, info: unknown): ToolExecutionFailure {
  try {
    return failureResult(reason, takeErrorInfo(info, 'the info of a denial'));
  } catch (error) {
    return failureOf(error);
  }
}

/** Reads each field of a decision once; anything that is no decision fails the listener that made it. */
function readDecision(raw: unknown): PreToolDecision {
  if (typeof raw !== 'object' || raw === null) throw notADecision(raw);
  const { kind } = raw as { readonly kind?: unknown };
  switch (kind) {
    case 'allow':
    case 'cancel':
      return { kind };
    case 'deny': {
      const { reason, info } = raw as Extract<PreToolDecision, { kind: 'deny' }>;
      if (typeof reason !== 'string') throw notADecision(reason, 'a string "reason" for "deny"');
      return info === undefined ? { kind, reason } : { kind, reason, info };
    }
    case 'ask': {
      const { reason, displayReason } = raw as {
        readonly reason?: unknown;
        readonly displayReason?: unknown;
      };
      if (reason !== undefined && typeof reason !== 'string') {
        throw notADecision(reason, 'a string "reason" for "ask"');
      }
      return {
        kind,
        ...(reason !== undefined && { reason }),
        ...(displayReason !== undefined && { displayReason: displayReason as LocalizedText }),
      };
    }
    default:
      throw notADecision(kind, 'the kind "allow", "deny", "cancel" or "ask"');
  }
}

function notADecision(raw: unknown, wanted = 'a decision'): TypeError {
  return new TypeError(
    `Cannot read the decision of "tools/pre-execute": wanted ${wanted}, received ${received(raw)}`,
  );
}
