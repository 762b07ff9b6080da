import type { CodeRunResult } from '../../runtime/contract/code-runtime.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import type { SubCallNote } from '../sub-call-note.js';
import { abbreviate } from './abbreviate.js';
import { ranLine, unawaitedLine } from './call-lines.js';
import { byteLength } from './clip.js';
import { jsonSize } from './json-size.js';
import { compactJson, prettyJson } from './pretty-json.js';
import { shapeOf } from './shape.js';

/** Bytes up to which an output is measured: to be exact about more would hold the host up. */
const MAX_MEASURED = 1_048_576;

/** What the text for the model is made from; a part of `CodeRunResult`. */
export type RunOutcome = Pick<CodeRunResult, 'logs' | 'value' | 'error' | 'note'>;

/** The text of a run that succeeded: its logs, its value, and what there is to say of either. */
export const successText = (outcome: RunOutcome, calls: readonly SubCallNote[], maxBytes: number): string => {
  const { logs, value, note = '' } = outcome;
  const unawaited = unawaitedLine(calls);
  const rendered = value === undefined ? '' : typeof value === 'string' ? value : prettyJson(value, maxBytes);
  if (rendered === undefined || tooLong(logs, maxBytes)) return summary(outcome, unawaited, maxBytes);
  const output = [logs.join('\n'), rendered].filter((part) => part !== '');
  if (output.length === 0) output.push(withoutOutput(calls));
  const text = [...output, note, unawaited].filter((part) => part !== '').join('\n');
  return byteLength(text) <= maxBytes ? text : summary(outcome, unawaited, maxBytes);
};

const withoutOutput = (calls: readonly SubCallNote[]): string => {
  const ran = ranLine(calls);
  return `(completed with no output${ran === '' ? '' : `; ${ran}`})`;
};

const tooLong = (logs: readonly string[], limit: number): boolean => {
  let length = 0;
  for (const entry of logs) {
    length += entry.length + 1;
    if (length > limit + 1) return true;
  }
  return false;
};

/** Valid JSON within the limit, whatever was printed and returned. */
const summary = (outcome: RunOutcome, unawaited: string, maxBytes: number): string => {
  const { logs, value, note = '' } = outcome;
  const size = jsonSize([...logs], MAX_MEASURED) + (value === undefined ? 0 : jsonSize(value, MAX_MEASURED));
  const total = size > MAX_MEASURED ? `more than ${MAX_MEASURED}` : String(size);
  const fixed: Record<string, JsonValue> = {
    notice:
      `The output is ${total} bytes, ${maxBytes} can be shown. What stands between … marks was left out. ` +
      'To read more, return less (select, filter, slice or aggregate in the program) ' +
      'or read the spilled copy where one is named.',
    ...(note === '' ? {} : { note }),
    ...(unawaited === '' ? {} : { unawaited }),
    ...(value === undefined ? {} : { shape: shapeOf(value) }),
  };
  // Names, colons and commas of the two parts below.
  const room = maxBytes - jsonSize(fixed) - 32;
  if (room >= 64) {
    const forLogs = logs.length === 0 ? 0 : Math.floor(value === undefined ? room : room * 0.4);
    const shownLogs = abbreviate([...logs], forLogs);
    const left = room - (logs.length === 0 ? 0 : jsonSize(shownLogs));
    const shown: JsonValue = {
      ...fixed,
      ...(logs.length === 0 ? {} : { logs: shownLogs }),
      ...(value === undefined ? {} : { result: abbreviate(value, left) }),
    };
    const pretty = prettyJson(shown, maxBytes);
    if (pretty !== undefined && byteLength(pretty) <= maxBytes) return pretty;
    const compact = compactJson(shown);
    if (compact !== undefined && byteLength(compact) <= maxBytes) return compact;
  }
  const last = [`The output is ${total} bytes, ${maxBytes} can be shown: return less.`, '…', ''];
  return last.map((text) => JSON.stringify(text)).find((text) => byteLength(text) <= maxBytes) ?? '0';
};
