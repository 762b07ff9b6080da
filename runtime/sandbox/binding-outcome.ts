import { errorMessage } from '../core/error-text.js';
import { isFrozenSnapshot, snapshotJsonValue } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
import { received } from '../core/option-error.js';
import { ownCode } from '../core/own-codes.js';
import { snapshotDepth } from '../core/snapshot-mark.js';
import type { OpenCall } from './call-table.js';
import { isDeeperThan, jsonStringPrefix } from './json-bytes.js';
import type { GuestLimits } from './wire.js';

/** UTF-8 bytes of JSON that the message of a failed call may take. */
const MAX_FAILURE_BYTES = 64 * 1024;

/** Told once how a binding ended. */
export type OnSettled = (id: number, outcome: BindingOutcome) => void;

/**
 * Calls a binding; tells when it settles, at once where it does not return a promise. Never throws.
 *
 * @example
 * callBinding(opened, args, limits, (id, { text, ok }) => queue.add(text, !ok));
 */
export function callBinding(
  { n, member, call }: OpenCall,
  args: JsonValue,
  limits: GuestLimits,
  onSettled: OnSettled,
): void {
  try {
    const returned = member.call(args, call);
    if (typeof returned === 'object' && returned !== null && 'then' in returned) {
      Promise.resolve(returned).then(
        (value) => onSettled(n, resolvedOutcome(n, value, limits)),
        (cause) => onSettled(n, rejectedOutcome(n, cause)),
      );
    } else onSettled(n, resolvedOutcome(n, returned, limits));
  } catch (cause) {
    onSettled(n, rejectedOutcome(n, cause));
  }
}

/** What a settled binding sends to the guest: JSON text of a `Delivery`. */
export interface BindingOutcome {
  readonly text: string;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
  readonly ok: boolean;
}

/**
 * Turns what a binding resolved with into the text that crosses; a value that cannot cross becomes a failure of the call.
 *
 * @example
 * resolvedOutcome(3, { sum: 5 }, limits).text // '[3,0,{"sum":5}]'
 */
export function resolvedOutcome(id: number, value: unknown, limits: GuestLimits): BindingOutcome {
  let copy: JsonValue | undefined;
  try {
    copy = isFrozenSnapshot(value) ? value : snapshotJsonValue(value);
  } catch (cause) {
    return failed(id, `The resolution must be lossless JSON: ${errorMessage(cause)}`);
  }
  if (copy === undefined) {
    return failed(id, `The resolution must be lossless JSON, received ${received(value)}`);
  }
  const text = jsonText(copy, limits.maxDepth);
  if (text === undefined) {
    return failed(
      id,
      `The resolution is nested too deeply, wanted at most ${limits.maxDepth} levels (maxDepth)`,
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxMessageBytes) {
    return failed(
      id,
      `The resolution takes ${bytes} bytes, wanted at most ${limits.maxMessageBytes} (maxMessageBytes)`,
    );
  }
  const head = `[${id},0,`;
  return { text: `${head}${text}]`, bytes: head.length + bytes + 1, ok: true };
}

/**
 * Turns what a binding threw into the text that crosses. Total.
 *
 * @example
 * rejectedOutcome(3, new Error('no such file')).text // '[3,1,"no such file"]'
 */
export function rejectedOutcome(id: number, thrown: unknown): BindingOutcome {
  return failed(id, errorMessage(thrown), codeOf(thrown));
}

/** `undefined` when it is deeper than the bound. */
function jsonText(value: JsonValue, maxDepth: number): string | undefined {
  const depth = snapshotDepth(value);
  if (depth !== undefined && depth > maxDepth) return undefined;
  try {
    const text = JSON.stringify(value);
    return depth === undefined && isDeeperThan(text, maxDepth) ? undefined : text;
  } catch {
    // Plain data fails only where the nesting exhausts the stack, or the text exceeds what a string can hold.
    return undefined;
  }
}

function codeOf(thrown: unknown): string | undefined {
  try {
    return ownCode((thrown as { readonly code?: unknown } | null | undefined)?.code);
  } catch {
    return undefined;
  }
}

function failed(id: number, message: string, code?: string): BindingOutcome {
  const kept = jsonStringPrefix(message, MAX_FAILURE_BYTES);
  const words = JSON.stringify(kept === message ? message : `${kept}…`);
  const text = code === undefined ? `[${id},1,${words}]` : `[${id},1,${words},${JSON.stringify(code)}]`;
  return { text, bytes: Buffer.byteLength(text), ok: false };
}
