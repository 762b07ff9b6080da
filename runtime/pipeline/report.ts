import type { PipelineHost } from './host.js';

/** Reports something beside a result. Total: a reporter that throws takes no outcome away. */
export function report(host: PipelineHost, message: string, cause?: unknown): void {
  try {
    host.warn(message, cause);
  } catch {
    // Nobody is left to be told.
  }
}
