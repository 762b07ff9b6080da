import type { AgentSession } from '../contract/scope.js';
import type { JsonValue } from '../core/json-value.js';

/**
 * Appends one durable event. What comes after it may rely on its place, so an answer that is not there at once is refused:
 * a session that writes to somewhere slow queues the event itself.
 *
 * @returns what the session answered
 * @throws {TypeError} when `append` answered a promise; whether that promise fulfils is not looked at
 * @throws whatever the session throws: nothing was recorded
 * @example
 * appendEvent(session, 'tool/call', { turn: 1, step: 1, callId, name, arguments: '{}' }).seq
 */
export function appendEvent(session: AgentSession, type: string, payload: JsonValue): { seq: number } {
  const answer: { seq: number } | PromiseLike<unknown> = session.append(type, payload);
  if (typeof (answer as Partial<PromiseLike<unknown>> | undefined)?.then !== 'function') return answer;
  // Its failure is told by the error below, not by an unhandled rejection that ends the host.
  Promise.resolve(answer).catch(() => {});
  throw new TypeError(
    `Cannot record "${type}": "append" of session "${session.id}" wants to answer { seq } at once, received a promise`,
  );
}
