import type { McpAnswerers } from './question.js';

/** Progress that a server reports about one call. */
export interface McpProgress {
  readonly server: string;
  /** The server's own name. */
  readonly tool: string;
  readonly callId: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A log message of a server. */
export interface McpLogMessage {
  readonly server: string;
  readonly level: string;
  readonly logger?: string;
  readonly data: unknown;
}

/** A place that servers are told of. */
export interface McpRoot {
  /** Starts with `file://`. */
  readonly uri: string;
  readonly name?: string;
}

/** What a host can hear of its servers, and what it tells them. What a listener (`on…`) throws is ignored. */
export interface McpEvents extends McpAnswerers {
  readonly onProgress?: (progress: McpProgress) => void;
  readonly onLog?: (message: McpLogMessage) => void;
  /** Told in one line of what was left out or went wrong beside a call. */
  readonly onWarning?: (message: string) => void;
  /** Asked whenever a server wants to know. A server is only told that there are roots when this is given. */
  readonly roots?: (server: string) => readonly McpRoot[];
}

/**
 * The same events with listeners that cannot throw.
 *
 * @example
 * contained({ onLog: () => { throw new Error() } }).onLog?.(message); // nothing happens
 */
export function contained(events: McpEvents): McpEvents {
  const quiet =
    <T>(listener: (event: T) => void) =>
    (event: T): void => {
      try {
        listener(event);
      } catch {
        // A host's listener must not break a connection.
      }
    };
  return {
    ...(events.onProgress && { onProgress: quiet(events.onProgress) }),
    ...(events.onLog && { onLog: quiet(events.onLog) }),
    ...(events.onWarning && { onWarning: quiet(events.onWarning) }),
    ...(events.roots && { roots: events.roots }),
    ...(events.elicit && { elicit: events.elicit }),
    ...(events.sample && { sample: events.sample }),
  };
}

type Reported = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/**
 * What listens to the progress of one call.
 *
 * @returns `undefined` when the host does not listen, so that no progress is asked for
 * @example
 * progressListener(events, { server, tool, callId }, hide)?.({ progress: 1 });
 */
export function progressListener(
  events: McpEvents,
  call: Pick<McpProgress, 'server' | 'tool' | 'callId'>,
  hide: (text: string) => string,
): ((reported: Reported) => void) | undefined {
  const { onProgress } = contained(events);
  return (
    onProgress &&
    (({ progress, total, message }) =>
      onProgress({
        ...call,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: hide(message) }),
      }))
  );
}
