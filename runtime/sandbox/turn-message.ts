import { MAX_TIMER_DELAY_MS } from '../core/deadline.js';
import { isJsonValue } from '../core/json.js';
import { isDeeperThan } from './json-bytes.js';
import type { GuestTurn } from './wire.js';

/** Levels of a turn around a value: the turn, the list of calls, the call. */
const TURN_DEPTH = 3;

/** A turn whose shape is right; what its numbers mean is still to be judged. */
export interface ParsedTurn {
  readonly computeMs: number;
  readonly heapBytes: number;
  readonly turn: GuestTurn;
  /** Whether the completion carries a value; `null` is one. */
  readonly hasValue: boolean;
  /** Whether a number of it may take more bytes as JSON is written than it took here. */
  readonly mayGrow: boolean;
}

const HEADER = /^([\d.eE+-]{1,32}) (\d{1,16})\n/;

/** Numbers that JSON text can hold and JSON values cannot: `-0`, and what overflows to infinity. */
const SUSPICIOUS_NUMBER = /-0(?![.\d]*[1-9])|\d[eE]/;

/**
 * Reads the payload of a turn. Never throws: the guest is hostile, and so may its text be.
 *
 * @param maxDepth levels of any one value
 * @returns what is wrong with it, as text, or the turn
 */
export function parseTurn(payload: string, maxDepth: number): ParsedTurn | string {
  const header = HEADER.exec(payload);
  const computeMs = Number(header?.[1]);
  if (header === null || !(computeMs >= 0 && computeMs < Number.POSITIVE_INFINITY)) {
    return 'a turn without its costs';
  }
  const body = payload.slice(header[0].length);
  if (isDeeperThan(body, maxDepth + TURN_DEPTH)) return `a turn nested deeper than ${maxDepth} levels`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return 'a turn that is no JSON';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return 'a turn that is no object';
  const turn = parsed as { readonly [key in keyof GuestTurn]: unknown };
  const problem = turnProblem(turn);
  if (problem !== undefined) return problem;
  const mayGrow = SUSPICIOUS_NUMBER.test(body);
  if (mayGrow && !isJsonValue(parsed)) return 'a turn with a number that is no JSON value';
  return {
    computeMs,
    heapBytes: Number(header[2]),
    turn: parsed as unknown as GuestTurn,
    hasValue: Object.hasOwn(turn, 'value'),
    mayGrow,
  };
}

function turnProblem(turn: { readonly [key in keyof GuestTurn]: unknown }): string | undefined {
  const { state } = turn;
  if (state !== 'waiting' && state !== 'done') return 'a turn without a state';
  // One of these comes with every answer, so its keys are gone through once and in place.
  for (const key of Object.keys(turn)) {
    const problem = partProblem(key, turn[key as keyof GuestTurn], state);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function partProblem(key: string, part: unknown, state: 'waiting' | 'done'): string | undefined {
  switch (key) {
    case 'state':
      return undefined;
    case 'calls':
      return isListOf(part, isCall) ? undefined : 'a malformed call';
    case 'cancels':
      return isListOf(part, isCancel) ? undefined : 'a malformed cancellation';
    case 'timers':
      return isListOf(part, isTimer) ? undefined : 'a malformed timer';
    case 'clears':
      return isListOf(part, isCount) ? undefined : 'a malformed timer id';
    case 'value':
      return state === 'done' ? undefined : 'a completion in a turn that waits';
    case 'note':
      if (state !== 'done') return 'a completion in a turn that waits';
      return typeof part === 'string' ? undefined : 'a note that is no text';
    default:
      return `a turn with the unknown key ${JSON.stringify(key.slice(0, 40))}`;
  }
}

function isListOf(list: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(list)) return false;
  for (let index = 0; index < list.length; index += 1) if (!isItem(list[index])) return false;
  return true;
}

/** An index or an id; whether there is such a thing is for whoever owns the table to say. */
function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isCount(value: unknown): value is number {
  return isIndex(value) && value >= 1;
}

function isCall(call: unknown): boolean {
  if (!Array.isArray(call) || call.length < 4 || call.length > 5) return false;
  return isCount(call[0]) && isIndex(call[1]) && isIndex(call[2]) && (call.length === 4 || isExtra(call[4]));
}

function isExtra(extra: unknown): boolean {
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) return false;
  const fields = extra as { readonly [field: string]: unknown };
  // Faster than entries, and one of these is read with every call.
  for (const field in fields) if (!isExtraField(field, fields[field])) return false;
  return true;
}

function isExtraField(field: string, value: unknown): boolean {
  if (field === 'position') {
    return Array.isArray(value) && value.length === 2 && isCount(value[0]) && isCount(value[1]);
  }
  if (field === 'timeoutMs') return typeof value === 'number' && value > 0 && Number.isFinite(value);
  return field === 'at' ? typeof value === 'string' : field === 'signal' && value === 1;
}

function isCancel(cancel: unknown): boolean {
  return Array.isArray(cancel) && cancel.length === 2 && isCount(cancel[0]) && typeof cancel[1] === 'string';
}

function isTimer(timer: unknown): boolean {
  if (!Array.isArray(timer) || timer.length !== 2) return false;
  const [id, delay] = timer as unknown[];
  return isCount(id) && typeof delay === 'number' && delay >= 0 && delay <= MAX_TIMER_DELAY_MS;
}
