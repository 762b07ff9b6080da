import { SdkHttpError } from '@modelcontextprotocol/client';
import { errorMessage } from '../../runtime/core/error-text.js';

const DEEPEST = 8;
const LONGEST_TEXT = 2_000;

/**
 * What an error says, in one line, with what the system said beneath it.
 *
 * @param hide - takes secrets out
 * @example
 * reasonText(new TypeError('fetch failed', { cause: refused }), hide) // 'fetch failed: connect ECONNREFUSED 127.0.0.1:9'
 */
export function reasonText(error: unknown, hide: (text: string) => string): string {
  const said: string[] = [];
  let beneath: unknown = error;
  for (let depth = 0; depth < DEEPEST && beneath instanceof Error; depth += 1) {
    const text =
      beneath.message === '' ? String((beneath as { code?: unknown }).code ?? '') : errorMessage(beneath);
    if (text !== '' && !said.some((one) => one.includes(text))) said.push(text);
    beneath = beneath.cause;
  }
  const status = error instanceof SdkHttpError ? ` (HTTP status ${error.status})` : '';
  const text = said.length === 0 ? errorMessage(error) : said.join(': ');
  // A secret that the cut would halve could no longer be found.
  const shown = hide(text)
    .trim()
    .split(/\s*\n\s*/)
    .join(' ')
    .slice(0, LONGEST_TEXT);
  return `${shown}${status}`;
}
