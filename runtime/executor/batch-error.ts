import type { ToolCallResult } from '../contract/batch.js';
import type { UserMessage } from '../contract/content.js';
import { errorMessage } from '../core/error-text.js';

/**
 * A batch that broke down in its own work, not in a tool: e.g. the session's log refused an event.
 *
 * Everything that had started has come to rest. Calls without an entry in `results` have no outcome: the caller stops
 * what depends on them and repairs their log entries.
 */
export class ToolBatchExecutionError extends Error {
  override readonly name = 'ToolBatchExecutionError';
  /** The committed outcomes, in the order of the calls. */
  readonly results: readonly ToolCallResult[];
  /** The contexts of the committed calls. */
  readonly additionalContexts: readonly UserMessage[];

  constructor(
    results: readonly ToolCallResult[],
    additionalContexts: readonly UserMessage[],
    cause: unknown,
  ) {
    super(`Cannot finish the batch: ${errorMessage(cause)}`, { cause });
    this.results = results;
    this.additionalContexts = additionalContexts;
  }
}
