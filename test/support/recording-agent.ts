import type { Agent } from '#dist/runtime/contract/scope.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';

/** One event of a session, as it was appended. */
export interface RecordedEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: Record<string, JsonValue>;
}

/** An agent whose session keeps its events in memory; `refuse` makes the next append of a type throw. */
export interface RecordingAgent extends Agent {
  readonly events: RecordedEvent[];
  refuse(type: string, error: unknown): void;
  /** Payloads of one type, oldest first. */
  of(type: string): Record<string, JsonValue>[];
}

export function recordingAgent(id = 'agent', parent?: Agent): RecordingAgent {
  const events: RecordedEvent[] = [];
  const refusals = new Map<string, unknown>();
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    events,
    refuse: (type, error) => void refusals.set(type, error),
    of: (type) => events.filter((event) => event.type === type).map(({ payload }) => payload),
    session: {
      id: `session of ${id}`,
      append(type, payload) {
        if (refusals.has(type)) {
          const error = refusals.get(type);
          refusals.delete(type);
          throw error;
        }
        events.push({ seq: events.length + 1, type, payload: payload as Record<string, JsonValue> });
        return { seq: events.length };
      },
    },
  };
}
