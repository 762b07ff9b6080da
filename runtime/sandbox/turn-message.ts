import { MAX_TIMER_DELAY_MS } from '../core/deadline.js';
import { isJsonValue } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
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

const TURN_KEYS = new Set(['state', 'calls', 'cancels', 'timers', 'clears', 'value', 'note']);

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
  const unknown = Object.keys(turn).find((key) => !TURN_KEYS.has(key));
  if (unknown !== undefined) return `a turn with the unknown key ${JSON.stringify(unknown.slice(0, 40))}`;
  const { state } = turn;
  if (state !== 'waiting' && state !== 'done') return 'a turn without a state';
  if (state !== 'done' && (Object.hasOwn(turn, 'value') || Object.hasOwn(turn, 'note'))) {
    return 'a completion in a turn that waits';
  }
  if (Object.hasOwn(turn, 'note') && typeof turn.note !== 'string') return 'a note that is no text';
  if (!isListOf(turn, 'calls', isCall)) return 'a malformed call';
  if (!isListOf(turn, 'cancels', isCancel)) return 'a malformed cancellation';
  if (!isListOf(turn, 'timers', isTimer)) return 'a malformed timer';
  return isListOf(turn, 'clears', isCount) ? undefined : 'a malformed timer id';
}

function isListOf(
  turn: { readonly [key in keyof GuestTurn]: unknown },
  key: keyof GuestTurn,
  isItem: (item: unknown) => boolean,
): boolean {
  if (!Object.hasOwn(turn, key)) return true;
  const list = turn[key];
  return Array.isArray(list) && list.every(isItem);
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
  const [id, namespace, member, , extra] = call as [unknown, unknown, unknown, JsonValue, unknown];
  return isCount(id) && isIndex(namespace) && isIndex(member) && (call.length === 4 || isExtra(extra));
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
