import type { CodeRunFailure } from '../../runtime/contract/code-runtime.js';
import type { SubCallNote } from '../sub-call-note.js';
import { failureText } from './failure-text.js';
import { type RunOutcome, successText } from './success-text.js';

/** What the pipeline puts in front of the message of a failed call. */
const ERROR_PREFIX = 'Error: ';

/**
 * Makes the text that the model reads of a run.
 *
 * Never longer than the limit: of a failed run the front of the message stays, of a successful one the text is then a
 * summary that is valid JSON. The canonical value is not touched.
 *
 * @param calls - What the program called, in the order in which it did.
 * @param limits - `maxContentBytes`: UTF-8 bytes, with the `Error: ` that stands in front of a failure.
 * @example
 * renderRun({ logs: ['two rows'], value: [1, 2] }, [], { maxContentBytes: 65_536 }).text;
 */
export const renderRun = (
  outcome: RunOutcome,
  calls: readonly SubCallNote[],
  limits: { readonly maxContentBytes: number },
): { readonly text: string } => {
  const { maxContentBytes } = limits;
  const { error, logs } = outcome;
  return {
    text: error
      ? failureText(error, logs, withNotStarted(calls, error), maxContentBytes - ERROR_PREFIX.length)
      : successText(outcome, calls, maxContentBytes),
  };
};

/** Calls that never left the sandbox are known to the runtime alone. */
const withNotStarted = (
  calls: readonly SubCallNote[],
  { calls: seen }: CodeRunFailure,
): readonly SubCallNote[] => {
  const known = new Set(calls.map(({ n }) => n));
  const added = (seen?.notStarted ?? []).filter(({ n }) => !known.has(n));
  if (added.length === 0) return calls;
  return [
    ...calls,
    ...added.map(
      (call): SubCallNote => ({ ...call, args: '', state: 'not-started', ok: false, outcome: '' }),
    ),
  ];
};
