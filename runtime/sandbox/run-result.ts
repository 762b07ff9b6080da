import type {
  CodeRunCallNote,
  CodeRunFailure,
  CodeRunResult,
  CodeRunStats,
} from '../contract/code-runtime.js';
import type { JsonValue } from '../core/json-value.js';
import type { OutputLedger } from './ledger.js';

/** The one outcome of a run before its output is measured: a failure, or a success that may have a value. */
export interface RunOutcome {
  readonly value?: JsonValue;
  readonly note?: string;
  readonly unawaited?: readonly CodeRunCallNote[];
  readonly failure?: CodeRunFailure;
}

/** The failure of a run whose output the ledger refused. */
export function overflowFailure(ledger: OutputLedger): CodeRunFailure {
  return { kind: 'output-limit', ...ledger.refuse() };
}

/**
 * Puts a run's result together; a failure that does not fit beside the logs becomes one of the output limit.
 *
 * @example
 * composeResult({ value: 1 }, ledger, stats) // { logs: [], value: 1, stats }
 */
export function composeResult(outcome: RunOutcome, ledger: OutputLedger, stats: CodeRunStats): CodeRunResult {
  const { failure, ...success } = outcome;
  if (failure === undefined) return { logs: ledger.logs, ...success, stats };
  const { message, logs, overflow } = ledger.fitFailure(failure.message, failure.kind === 'output-limit');
  if (overflow === undefined) return { logs, error: failure, stats };
  const { budget: _budget, used: _used, ...rest } = failure;
  return { logs, error: { ...rest, kind: 'output-limit', message, limit: overflow.limit }, stats };
}
