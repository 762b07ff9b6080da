import type { ToolExecution, ToolRunContext } from '../contract/execution.js';

/** What a body may say for its call. */
export interface RunRights {
  defer(message: unknown): void;
  conclude(): void;
}

/**
 * Makes a body's view of a call.
 *
 * @param signal the body's own, which may be another than the call's
 * @returns frozen
 */
export function makeRunContext(
  execution: ToolExecution,
  signal: AbortSignal,
  rights: RunRights,
): ToolRunContext {
  // Field by field: a spread object is many times slower to freeze.
  return Object.freeze({
    callId: execution.callId,
    rootCallId: execution.rootCallId,
    name: execution.name,
    schema: execution.schema,
    arguments: execution.arguments,
    agent: execution.agent,
    toolSet: execution.toolSet,
    dispatch: execution.dispatch,
    parent: execution.parent,
    position: execution.position,
    signal,
    token: execution.token,
    deferContext: (message: unknown) => rights.defer(message),
    concludeTurn: () => rights.conclude(),
  });
}
