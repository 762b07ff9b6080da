import type { ToolRunContext } from '../contract/execution.js';
import type { Call } from './call.js';
import { takeContext } from './materialise.js';
import { report } from './report.js';

/** What a body is given, and the end of its right to speak for the call. */
export interface RunScope {
  /** Frozen; a copy of the execution with the body's own signal. */
  readonly context: ToolRunContext;
  /** Later contexts and conclusions are dropped with a warning: the result may be out already. */
  close(): void;
}

/**
 * Opens the body's view of a call.
 *
 * @param signal fused of the caller's and the wrapper's
 */
export function openRunScope(call: Call, signal: AbortSignal): RunScope {
  let isOpen = true;
  const tooLate = (member: string) =>
    report(call.host, `Ignored "${member}" of "${call.execution.name}": the body had already settled`);
  const { execution } = call;
  // Field by field: a spread object is many times slower to freeze.
  const context: ToolRunContext = Object.freeze({
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
    deferContext: (message: unknown) => {
      if (!isOpen) return tooLate('deferContext');
      const taken = takeContext(message, `a context of "${call.execution.name}"`);
      call.deferred = [...call.deferred, taken];
    },
    concludeTurn: () => {
      if (!isOpen) return tooLate('concludeTurn');
      call.concludesTurn = true;
    },
  });
  return {
    context,
    close: () => {
      isOpen = false;
    },
  };
}
