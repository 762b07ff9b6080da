import type { ToolExecutionInput } from '../contract/execution.js';
import type { ToolExecutionFailure } from '../contract/result.js';
import type { Call } from './call.js';
import { cancellation } from './cancellation.js';
import type { PipelineHost } from './host.js';
import { failureOf } from './outcome.js';
import { collapsedTool } from './unknown-tool.js';

type CollapsibleCall = Pick<ToolExecutionInput, 'name' | 'agent' | 'toolSet' | 'dispatch' | 'parent'>;

/**
 * What ends a call before any policy sees it: input that cannot be taken, a caller that has aborted, or a direct call of a
 * visible tool where only programs may call tools; in this order.
 */
export function refuse(call: Call): ToolExecutionFailure | undefined {
  if (call.refusal !== undefined) return call.refusal;
  if (call.signal.aborted) return cancellation('ABORTED_BEFORE_DISPATCH');
  return isCollapsed(call.host, call.execution)
    ? failureOf(collapsedTool(call.execution.name, call.execution.dispatch?.definition?.name))
    : undefined;
}

/** Whether a call names a visible tool directly where only programs may call tools. */
export function isCollapsed(
  host: Pick<PipelineHost, 'visible'>,
  { name, agent, toolSet, dispatch, parent }: CollapsibleCall,
): boolean {
  return (
    dispatch?.direct === 'transport-only' &&
    parent === undefined &&
    name !== dispatch.definition?.name &&
    host.visible(name, agent, toolSet)
  );
}
