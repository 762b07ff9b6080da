import type { CodeRunResult } from '../runtime/contract/code-runtime.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import type { CallLine } from './call-log.js';

/** The one JSON object that `ptc run --json` prints. */
export interface RunReport {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly logs: readonly string[];
  readonly error?: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly calls: readonly CallLine[];
  readonly stats: Readonly<Record<string, unknown>>;
}

/**
 * Puts together what happened. A failure without a run (the outer call was denied or invalid) has kind `rejected`.
 *
 * @example
 * process.stdout.write(`${JSON.stringify(runReport(result, run, calls))}\n`);
 */
export function runReport(
  result: ToolExecutionResult,
  run: CodeRunResult | undefined,
  calls: readonly CallLine[],
): RunReport {
  return {
    ok: !result.isError,
    ...(run && !result.isError && 'value' in run ? { value: run.value } : {}),
    logs: run?.logs ?? [],
    ...(result.isError ? { error: failureOf(result, run) } : {}),
    content: contentText(result),
    calls,
    stats: { ...run?.stats, calls: run?.stats.calls ?? calls.length },
  };
}

/**
 * What the model reads of a result, as text.
 *
 * @example
 * contentText({ isError: false, value: null, content: [{ type: 'text', text: 'null' }] }) // 'null'
 */
export function contentText(result: ToolExecutionResult): string {
  return result.content
    .map((block) => (block.type === 'text' ? String((block as { text: string }).text) : `[${block.type}]`))
    .join('\n');
}

function failureOf(result: ToolExecutionResult, run: CodeRunResult | undefined): Record<string, unknown> {
  const code = result.error?.info?.code;
  if (run?.error) return { ...run.error };
  return { kind: 'rejected', message: result.error?.message ?? '', ...(code === undefined ? {} : { code }) };
}
