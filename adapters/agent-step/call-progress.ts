import type { ToolCallId, ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../../runtime/contract/result.js';
import type { ResolvedToolSet } from '../../runtime/contract/scope.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import type { ToolCallView, ToolResultView } from '../../runtime/contract/views.js';
import { presentCall, presentResult } from '../../runtime/service/call-cards.js';

/** Which call a piece of progress is about. */
export interface ProgressedCall {
  readonly callId: ToolCallId;
  /** The call of the model that it belongs to; its own id when the model made it. */
  readonly rootCallId: ToolCallId;
  readonly name: string;
  /** A program made it. */
  readonly isSubCall: boolean;
}

/**
 * What becomes of a call: `requested` before policy and approval, `started` when its body starts, `finished` with its
 * outcome. A call that is refused never starts.
 */
export type CallProgress =
  | (ProgressedCall & { readonly kind: 'requested' | 'started'; readonly view: ToolCallView })
  | (ProgressedCall & {
      readonly kind: 'finished';
      readonly view: ToolResultView;
      readonly result: Readonly<ToolExecutionResult>;
    });

/**
 * Reports the calls that use one resolved set, as they run.
 *
 * @returns what stops it
 * @example
 * const stop = watchCalls(tools, toolSet, (progress) => ui.show(progress));
 */
export function watchCalls(
  tools: ToolsService,
  toolSet: ResolvedToolSet,
  onProgress: (progress: CallProgress) => void,
): () => void {
  const about = ({
    callId,
    rootCallId,
    name,
    parent,
  }: Readonly<Omit<ToolExecution, 'signal'>>): ProgressedCall => ({
    callId,
    rootCallId,
    name,
    isSubCall: parent !== undefined,
  });
  // A host's display must never become a call's failure.
  const tell = (progress: () => CallProgress): void => {
    try {
      onProgress(progress());
    } catch (error) {
      process.emitWarning(`A progress callback failed: ${String(error)}`, 'PtcWarning');
    }
  };
  const stops = [
    tools.on(
      'tools/pre-execute',
      (exec, next) => {
        if (exec.toolSet === toolSet) {
          tell(() => ({ ...about(exec), kind: 'requested', view: presentCall(tools, exec) }));
        }
        return next();
      },
      { prepend: true },
    ),
    tools.on('tools/execute', (exec, next) => {
      if (exec.toolSet === toolSet) {
        tell(() => ({ ...about(exec), kind: 'started', view: presentCall(tools, exec) }));
      }
      return next();
    }),
    tools.on('tools/result', (exec, result) => {
      if (exec.toolSet === toolSet) {
        tell(() => ({ ...about(exec), kind: 'finished', view: presentResult(tools, exec, result), result }));
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
