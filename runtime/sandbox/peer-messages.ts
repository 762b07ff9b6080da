import type {
  CodeRunFailure,
  CodeRunFailureKind,
  ColumnShift,
  PreparedProgram,
} from '../contract/code-runtime.js';
import type { EngineInfo } from './peer-line.js';

/** What a peer may say of a run; every other kind is for the host to find. */
const PEER_KINDS: ReadonlySet<string> = new Set<CodeRunFailureKind>([
  'exception',
  'syntax',
  'timeout',
  'memory-limit',
  'sandbox-died',
  'invalid-output',
  'output-limit',
  'protocol',
  'deadlock',
]);

/** Characters of the code frame, the hint and the code of a failure; the message is measured by the ledger. */
const MAX_FRAME = 8192;
const MAX_HINT = 2048;
const MAX_CODE = 128;

/** A failure that a peer reported, and what the run had cost. */
export interface ParsedEnd {
  readonly failure: CodeRunFailure;
  readonly computeMs: number;
  readonly heapBytes: number;
}

/**
 * Reads why a peer cannot serve. Never throws.
 *
 * @returns what to tell whoever wanted to run a program
 */
export function parseRefusal(payload: string): { readonly message: string; readonly hint?: string } {
  const failure = parseObject(payload)?.['failure'];
  if (!isObject(failure) || typeof failure['message'] !== 'string') {
    return { message: 'The sandbox did not say that it is ready' };
  }
  const { message, hint } = failure as { readonly message: string; readonly hint?: unknown };
  return { message, ...(typeof hint === 'string' && { hint }) };
}

/**
 * Reads the payload of a terminal frame. Takes known fields of the right type only and never throws.
 *
 * @returns what is wrong with it, as text, or the failure
 */
export function parseEnd(payload: string): ParsedEnd | string {
  const end = parseObject(payload);
  if (end === undefined) return 'an end that is no JSON object';
  const { failure, computeMs, heapBytes } = end;
  if (!isAmount(computeMs) || !isAmount(heapBytes)) return 'an end without its costs';
  if (!isObject(failure)) return 'an end without a failure';
  const { kind, message } = failure;
  if (typeof kind !== 'string' || !PEER_KINDS.has(kind))
    return 'an end of a kind that is not for the sandbox to say';
  if (typeof message !== 'string') return 'an end without a message';
  if (Object.hasOwn(end, 'value')) return 'an end that carries a value';
  return {
    failure: { kind: kind as CodeRunFailureKind, message, ...details(failure) },
    computeMs,
    heapBytes,
  };
}

/**
 * Reads the payload of a log frame. Never throws.
 *
 * @returns what is wrong with it, as text, or the entries
 */
export function parseLog(payload: string): readonly string[] | string {
  let entries: unknown;
  try {
    entries = JSON.parse(payload);
  } catch {
    return 'a log that is no JSON';
  }
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === 'string')) {
    return 'a log that is no list of texts';
  }
  return entries;
}

/**
 * Reads the payload of a `prepared` frame. Never throws.
 *
 * @returns what is wrong with it, as text, or what the peer made of the program
 */
export function parsePrepared(payload: string): PreparedProgram | string {
  const prepared = parseObject(payload);
  if (prepared === undefined) return 'a preparation that is no JSON object';
  const { typedText, lineMap, form, source, columnShifts = [] } = prepared;
  const isWhole =
    typeof typedText === 'string' &&
    typeof form === 'string' &&
    Array.isArray(lineMap) &&
    lineMap.every((line) => Number.isSafeInteger(line)) &&
    (source === undefined || typeof source === 'string') &&
    Array.isArray(columnShifts) &&
    columnShifts.every(isColumnShift);
  if (!isWhole) return 'a malformed preparation';
  return {
    typedText,
    lineMap: lineMap as number[],
    form,
    ...(source === undefined ? {} : { source }),
    ...(columnShifts.length === 0 ? {} : { columnShifts: columnShifts as ColumnShift[] }),
  };
}

const isColumnShift = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const { line, column, by } = value as Record<string, unknown>;
  return [line, column, by].every((number) => Number.isSafeInteger(number));
};

/**
 * Reads the payload of a `ready` frame. Never throws.
 *
 * @returns `undefined` when it is malformed, or of another version of the wire
 */
export function parseReady(payload: string): EngineInfo | undefined {
  const ready = parseObject(payload);
  if (ready?.['wire'] !== 1) return undefined;
  const { engine, engineVersion, languageLevel, missingLibraries, fallback } = ready;
  const texts = [engine, engineVersion, languageLevel];
  if (!texts.every((text) => typeof text === 'string') || !Array.isArray(missingLibraries)) return undefined;
  if (!missingLibraries.every((name) => typeof name === 'string')) return undefined;
  return {
    engine: engine as string,
    engineVersion: engineVersion as string,
    languageLevel: languageLevel as string,
    missingLibraries,
    ...(typeof fallback === 'string' && { fallback }),
  };
}

/**
 * Parses a payload that must be one JSON object. Never throws.
 *
 * @returns `undefined` when it is anything else
 */
export function parseObject(payload: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function details(failure: { readonly [key: string]: unknown }): Partial<CodeRunFailure> {
  const { position, frame, hint, code, budget, limit, used } = failure;
  return {
    ...(isPosition(position) && { position: { line: position.line, column: position.column } }),
    ...(typeof frame === 'string' && { frame: frame.slice(0, MAX_FRAME) }),
    ...(typeof hint === 'string' && { hint: hint.slice(0, MAX_HINT) }),
    ...(typeof code === 'string' && { code: code.slice(0, MAX_CODE) }),
    ...((budget === 'compute' || budget === 'wall') && { budget }),
    ...(isAmount(limit) && { limit }),
    ...(isAmount(used) && { used }),
  };
}

function isPosition(value: unknown): value is { line: number; column: number } {
  return isObject(value) && isCount(value['line']) && isCount(value['column']);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
