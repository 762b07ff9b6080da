import type { CodeRunResult } from '../runtime/contract/code-runtime.js';
import type { SubCallNote } from './sub-call-note.js';

export function renderRun(
  result: Pick<CodeRunResult, 'logs' | 'value' | 'error' | 'note' | 'unawaited'>,
  _calls: readonly SubCallNote[],
  _limits: { readonly maxContentBytes: number },
): { readonly text: string } {
  const { logs, value, error } = result;
  if (error !== undefined) {
    const output = logs.length > 0 ? `\nCaptured output:\n${logs.join('\n')}` : '';
    return { text: `code run failed (${error.kind}): ${error.message}${output}` };
  }
  const rendered =
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return {
    text: [...logs, rendered].filter((part) => part !== '').join('\n') || '(completed with no output)',
  };
}
