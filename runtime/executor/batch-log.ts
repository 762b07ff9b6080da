import type { ToolBatchInput, ToolCallBlock } from '../contract/batch.js';
import type { DurableEvents } from '../contract/events.js';
import type { ToolExecutionResult } from '../contract/result.js';
import type { AgentSession } from '../contract/scope.js';
import type { JsonValue } from '../core/json-value.js';
import { durableOutcome } from '../pipeline/durable-outcome.js';
import { appendEvent } from './append-event.js';

/** Writes the root calls of one batch into the agent's session; without `log` or without a session it writes nothing. */
export class BatchLog {
  readonly #session: AgentSession | undefined;
  readonly #place: { readonly turn: number; readonly step: number };

  constructor({ agent, log }: ToolBatchInput) {
    this.#session = log === undefined ? undefined : agent?.session;
    this.#place = { turn: log?.turn ?? 0, step: log?.step ?? 0 };
  }

  /**
   * @returns the sequence number that {@link result} refers to
   * @throws whatever the session throws: nothing was recorded
   */
  call({ callId, name, arguments: text }: ToolCallBlock): number {
    return this.#append('tool/call', { ...this.#place, callId, name, arguments: text });
  }

  /** @throws whatever the session throws: nothing was recorded */
  result({ callId }: ToolCallBlock, result: ToolExecutionResult, callSeq: number): void {
    this.#append('tool/result', {
      ...this.#place,
      callId,
      ...durableOutcome(result),
      callSeq,
    });
  }

  #append<T extends 'tool/call' | 'tool/result'>(type: T, payload: DurableEvents[T]): number {
    if (this.#session === undefined) return 0;
    // The payload is built of ids, texts and frozen JSON.
    return appendEvent(this.#session, type, payload as unknown as JsonValue).seq;
  }
}
