import { PtcError } from './errors.js';

/**
 * What is shown of a thrown value that cannot be turned into text.
 *
 * @example
 * errorMessage(Object.create(null)) === UNPRINTABLE_ERROR // true
 */
export const UNPRINTABLE_ERROR = '[unprintable error]';

/**
 * The message of whatever was thrown. Total: never throws, and always returns a string.
 *
 * An object's `message` when that is a string, else the value's own conversion to text.
 *
 * @param thrown may be hostile: a Proxy, an object whose getters throw
 * @returns the text, or {@link UNPRINTABLE_ERROR}
 * @example
 * errorMessage(new Error('disk full')) // 'disk full'
 * errorMessage({ code: 500 }) // '[object Object]'
 */
export function errorMessage(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const message: unknown = (thrown as { message?: unknown }).message;
      if (typeof message === 'string') return message;
    }
    return String(thrown);
  } catch {
    return UNPRINTABLE_ERROR;
  }
}

/**
 * The durable identity of a thrown value. Total.
 *
 * @returns `{name, code}` of a {@link PtcError}, `undefined` for everything else
 * @example
 * errorInfo(new ToolNotFoundError('no such tool')) // { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' }
 * errorInfo(new Error('boom')) // undefined
 */
export function errorInfo(thrown: unknown): { readonly name: string; readonly code: string } | undefined {
  try {
    if (!(thrown instanceof PtcError)) return undefined;
    const { name, code }: { name: unknown; code: unknown } = thrown;
    return typeof name === 'string' && typeof code === 'string' ? { name, code } : undefined;
  } catch {
    return undefined;
  }
}
