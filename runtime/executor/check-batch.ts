import type { ToolBatchInput } from '../contract/batch.js';
import { received } from '../core/option-error.js';

/**
 * Refuses a batch that could not be carried out to its end, so that a host's mistake is named before anything starts.
 *
 * What a model wrote is never refused here: any name and any arguments are taken, and answered by a result.
 *
 * @throws {TypeError} when a member is missing or has the wrong shape, or `log` comes without `agent`
 * @example
 * checkBatch({ calls: [], signal: new AbortController().signal });
 */
export function checkBatch(input: ToolBatchInput): void {
  assertBatchObject(input);
  const { calls, signal, agent, toolSet, log } = input;
  if (!Array.isArray(calls)) throw refusal('"calls" wants an array', calls);
  for (const [index, call] of calls.entries()) {
    if (typeof call !== 'object' || call === null) throw refusal(`"calls[${index}]" wants a call`, call);
    if (typeof call.callId !== 'string' || call.callId === '') {
      throw refusal(`"calls[${index}].callId" wants a non-empty string`, call.callId);
    }
  }
  if (typeof signal?.aborted !== 'boolean' || typeof signal.addEventListener !== 'function') {
    throw refusal('"signal" wants an AbortSignal', signal);
  }
  if (agent !== undefined && (typeof agent !== 'object' || agent === null)) {
    throw refusal('"agent" wants an object', agent);
  }
  if (toolSet !== undefined && typeof toolSet?.view !== 'function') {
    throw refusal('"toolSet" wants what resolve(…) gave', toolSet);
  }
  if (log === undefined) return;
  if (agent === undefined)
    throw new TypeError('Cannot record a batch: "log" wants an "agent", received none');
  for (const place of ['turn', 'step'] as const) {
    if (typeof log?.[place] !== 'number') throw refusal(`"log.${place}" wants a number`, log?.[place]);
  }
}

/**
 * The part of {@link checkBatch} that selecting an executor needs.
 *
 * @throws {TypeError} when it is no object
 * @example
 * assertBatchObject({ calls: [], signal });
 */
export function assertBatchObject(input: ToolBatchInput): void {
  if (typeof input !== 'object' || input === null) throw refusal('wanted { calls, signal }', input);
}

function refusal(wanted: string, value: unknown): TypeError {
  return new TypeError(`Cannot execute a batch: ${wanted}, received ${received(value)}`);
}
