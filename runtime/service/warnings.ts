import { errorMessage } from '../core/error-text.js';

/** Says that something went wrong beside a result. */
export type Warn = (message: string, cause?: unknown) => void;

/**
 * Makes a reporter that never throws and never rejects, whatever the host's own does.
 *
 * @param onWarning the host's reporter. @default a process warning named `PtcWarning`
 * @example
 * const warn = createWarn((message) => log.warn(message));
 */
export function createWarn(onWarning: Warn = emitProcessWarning): Warn {
  return (message, cause) => {
    try {
      const returned: unknown = onWarning(message, cause);
      if (typeof returned === 'object' && returned !== null) Promise.resolve(returned).catch(() => {});
    } catch {
      // Nobody is left to be told.
    }
  };
}

function emitProcessWarning(message: string, cause?: unknown): void {
  const type = 'PtcWarning';
  process.emitWarning(message, cause === undefined ? { type } : { type, detail: errorMessage(cause) });
}
