import type { CodeRunFailure } from '../../runtime/contract/code-runtime.js';
import type { SubCallNote } from '../sub-call-note.js';
import { callReport, failedCall, failedCallLine } from './call-lines.js';
import { byteLength, clipWithMarker } from './clip.js';

const SHORT_REPORT = 4;
/** Bytes below which a part says nothing. */
const MIN_PART = 40;

/**
 * The text of a run that failed: what went wrong, where, what to write instead, what was printed, and what had already
 * been done. Above the limit the front of each part stays, the message first.
 */
export const failureText = (
  error: CodeRunFailure,
  logs: readonly string[],
  calls: readonly SubCallNote[],
  maxBytes: number,
): string => {
  const message = `code run failed (${error.kind}): ${error.message}`;
  const failed = failedCall(calls, error.position);
  const place = [placeOf(error), failed === undefined ? '' : failedCallLine(failed), hintOf(error)]
    .filter(Boolean)
    .join('\n');
  const output = logs.length === 0 ? '' : `Captured output:\n${logs.join('\n')}`;
  const whole = joined([message, place, output, callReport(calls, failed)]);
  if (whole.length <= maxBytes && byteLength(whole) <= maxBytes) return whole;
  return fitted([message, place, output, callReport(calls, failed, SHORT_REPORT)], maxBytes);
};

const placeOf = ({ position, frame }: CodeRunFailure): string => {
  const at = position ? `at line ${position.line}, column ${position.column}` : '';
  return [frame === undefined || at === '' ? at : `${at}:`, frame ?? ''].filter(Boolean).join('\n');
};

const hintOf = ({ hint }: CodeRunFailure): string => (hint === undefined ? '' : `Hint: ${hint}`);

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

/** Parts in the order of the text. The message has its share before all others, and what they leave. */
const fitted = (
  [message, place, output, report]: readonly [string, string, string, string],
  maxBytes: number,
) => {
  const needed = byteLength(message);
  const kept = Math.min(needed, Math.floor(maxBytes * 0.4));
  let room = maxBytes - kept;
  const take = (part: string, share: number): string => {
    const bytes = Math.floor(room * share) - 1;
    if (part === '' || bytes < MIN_PART) return '';
    const shown = clipWithMarker(part, bytes);
    room -= byteLength(shown) + 1;
    return shown;
  };
  const shownPlace = take(place, 0.5);
  const shownReport = take(report, 0.5);
  // A short message leaves the rest to the output, a long one shares it.
  const shownOutput = take(output, needed <= kept ? 1 : 0.4);
  return joined([clipWithMarker(message, room + kept), shownPlace, shownOutput, shownReport]);
};
