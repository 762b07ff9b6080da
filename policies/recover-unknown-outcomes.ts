import type { AgentSession } from '../runtime/contract/scope.js';
import { ToolOutcomeUnknownError } from '../runtime/core/errors.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { optionError } from '../runtime/core/option-error.js';
import { appendEvent } from '../runtime/executor/append-event.js';

/** One call whose outcome nobody can tell. */
export interface RecoveredCall {
  /** The call, or the sub-call of a program. */
  readonly callId: string;
  readonly name: string;
}

type Payload = { readonly [key: string]: JsonValue };

/**
 * Ends in the session what a crash left open: a call that was recorded, and whose result was not, may have acted.
 *
 * Each `tool/call` without its `tool/result` gets one, and each started sub-call of a program its outcome, with the code
 * TOOL_OUTCOME_UNKNOWN and the advice to look at the effects. To be run when a session is opened again, before anything
 * else calls tools in it. Running it twice adds nothing.
 *
 * @param session it must be able to read its events
 * @returns what was ended, in the order of the events
 * @throws {TypeError} when the session cannot read its events
 * @throws whatever the session throws
 * @example
 * for (const { name } of recoverUnknownOutcomes(agent.session)) console.warn(`${name} may have run`);
 */
export function recoverUnknownOutcomes(session: AgentSession): readonly RecoveredCall[] {
  if (typeof session?.events !== 'function') {
    throw optionError('session', 'a session that can read its "events"', session?.events);
  }
  const read = (type: string): Payload[] => [...(session.events?.(type) ?? [])] as Payload[];
  const recovered: RecoveredCall[] = [];
  const end = (
    type: string,
    callId: JsonValue | undefined,
    name: JsonValue | undefined,
    ids: Payload,
  ): void => {
    const call = { callId: String(callId), name: String(name) };
    appendEvent(session, type, { ...ids, ...outcomeOf(call.name) });
    recovered.push(call);
  };
  for (const start of unmatched(read('tool/ptc-dispatch-start'), read('tool/ptc-dispatch'), subCallKey)) {
    const { rootCallId, parentCallId, subCallId, name, position } = start;
    end('tool/ptc-dispatch', subCallId, name, {
      rootCallId: rootCallId ?? null,
      parentCallId: parentCallId ?? null,
      subCallId: subCallId ?? null,
      name: name ?? null,
      ...(position === undefined ? {} : { position }),
    });
  }
  for (const call of unmatched(read('tool/call'), read('tool/result'), callKey)) {
    const { turn, step, callId, name, seq } = call;
    end('tool/result', callId, name, {
      turn: turn ?? 0,
      step: step ?? 0,
      callId: callId ?? null,
      // Only a session that keeps its numbers in the payloads can tell.
      callSeq: typeof seq === 'number' ? seq : 0,
    });
  }
  return recovered;
}

/** Those of the openings that no closing belongs to; a key that was used twice needs two. */
function unmatched(
  openings: readonly Payload[],
  closings: readonly Payload[],
  keyOf: (payload: Payload) => string,
): readonly Payload[] {
  const closed = new Map<string, number>();
  for (const closing of closings) closed.set(keyOf(closing), (closed.get(keyOf(closing)) ?? 0) + 1);
  return openings.filter((opening) => {
    const left = closed.get(keyOf(opening)) ?? 0;
    if (left > 0) closed.set(keyOf(opening), left - 1);
    return left === 0;
  });
}

function callKey({ turn, step, callId }: Payload): string {
  return JSON.stringify([turn, step, callId]);
}

function subCallKey({ rootCallId, subCallId }: Payload): string {
  return JSON.stringify([rootCallId, subCallId]);
}

function outcomeOf(name: string): Payload {
  const {
    message,
    code,
    name: errorName,
  } = new ToolOutcomeUnknownError(
    `The host stopped while "${name}" was running, so its outcome is unknown: it may have taken effect. Verify its side effects before calling it again`,
  );
  return {
    content: [{ type: 'text', text: `Error: ${message}` }],
    isError: true,
    error: { name: errorName, code },
  };
}
