import type { ToolDefinition, ToolResult } from '../contract/definition.js';
import type { ToolDispatch } from '../contract/execution.js';
import type { Agent, ResolvedToolSet } from '../contract/scope.js';
import type { ToolsService } from '../contract/service.js';
import type { ToolCallView, ToolResultView } from '../contract/views.js';
import { callCard, resultCard } from '../tools/cards.js';

/** Which call a card is for; an execution is one. */
export interface PresentedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly agent?: Agent | undefined;
  readonly toolSet?: ResolvedToolSet | undefined;
  readonly dispatch?: ToolDispatch | undefined;
}

/**
 * The card of a pending call, from the definition that the calling agent (and its step's set) executes.
 *
 * @example
 * tools.on('tools/execute', (exec, next) => {
 *   ui.show(exec.callId, presentCall(tools, exec));
 *   return next();
 * });
 */
export function presentCall(tools: Pick<ToolsService, 'get'>, call: PresentedCall): ToolCallView {
  return callCard(definitionOf(tools, call), call.name, call.arguments);
}

/**
 * The card of a finished call, looked up in the same way.
 *
 * @example
 * tools.on('tools/result', (exec, result) => ui.show(exec.callId, presentResult(tools, exec, result)));
 */
export function presentResult(
  tools: Pick<ToolsService, 'get'>,
  call: PresentedCall,
  { content, isError, meta }: ToolResult,
): ToolResultView {
  const seen: ToolResult = { content, isError, ...(meta === undefined ? {} : { meta }) };
  return resultCard(definitionOf(tools, call), call.name, call.arguments, seen);
}

function definitionOf(tools: Pick<ToolsService, 'get'>, call: PresentedCall): ToolDefinition | undefined {
  const { name, agent, toolSet, dispatch } = call;
  return dispatch?.definition?.name === name ? dispatch.definition : tools.get(name, agent, toolSet);
}
