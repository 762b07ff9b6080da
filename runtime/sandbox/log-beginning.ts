import { parseLog } from './peer-messages.js';

/** What a cut may have left of a character: a mark for broken bytes, half a pair. */
const BROKEN_CHARACTER = /[\ufffd\ud800-\udbff]$/;
/** What a cut may have left of an escape; an even number of backslashes is none. */
const BROKEN_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$/i;

/**
 * The beginning of a log payload that is too large to be read as a whole: its first entries, the last of them cut. Never throws.
 *
 * @param maxBytes that are looked at
 * @returns nothing when it does not begin as a log does
 */
export function logBeginning(payload: Buffer | string, maxBytes: number): readonly string[] {
  const front =
    typeof payload === 'string' ? payload.slice(0, maxBytes) : payload.toString('utf8', 0, maxBytes);
  const text = front.replace(BROKEN_CHARACTER, '').replace(BROKEN_ESCAPE, '$1');
  // The cut lies within an entry, or behind one, or behind a comma.
  for (const end of ['"]', ']', '""]']) {
    const entries = parseLog(text + end);
    if (typeof entries !== 'string') return entries;
  }
  return [];
}
