import { frozenSnapshot } from '../runtime/core/json.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { received } from '../runtime/core/option-error.js';
import { lossySpot } from './lossy-spot.js';
import { SubCallError } from './sub-call-error.js';

const NO_ARGUMENTS = frozenSnapshot({})!;

/**
 * Takes the arguments of a program's call: a frozen copy that nobody else holds.
 *
 * @param name the tool, for the message
 * @param raw what the runtime handed over; `undefined` means no arguments
 * @throws {SubCallError} INVALID_ARGS when it is no arguments object or no lossless JSON; the message names the place
 * @example
 * toolArguments('read', undefined) // {}
 */
export function toolArguments(name: string, raw: unknown): JsonValue {
  if (raw === undefined) return NO_ARGUMENTS;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw refusal(name, `wanted one arguments object such as { name: value }, received ${received(raw)}`);
  }
  let copy: JsonValue | undefined;
  try {
    copy = frozenSnapshot(raw);
  } catch {
    throw refusal(name, `wanted lossless JSON as arguments; ${lossySpot(raw, 'arguments')}`);
  }
  if (copy === undefined) {
    throw refusal(name, `wanted lossless JSON as arguments; ${lossySpot(raw, 'arguments')}`);
  }
  return copy;
}

function refusal(name: string, problem: string): SubCallError {
  return new SubCallError(`Cannot call "${name}": ${problem}`, 'INVALID_ARGS');
}
