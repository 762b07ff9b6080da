import type { ToolDefinition, ToolResult } from '../contract/definition.js';
import type { ToolCallView, ToolResultView } from '../contract/views.js';
import { isToolCallView, isToolResultView } from './view-shape.js';

/** The part of a definition that makes cards. */
export type Presenters = Pick<ToolDefinition, 'presentCall' | 'presentResult'>;

/**
 * The card of a pending call. Total and pure, so it may run again when a log is replayed.
 *
 * Without a presenter, or when the presenter gives nothing usable, it is the generic card: the tool's name and the raw
 * arguments.
 *
 * @param definition of the tool that the call names; absent when there is none
 * @param args as the model wrote them, parsed where they could be
 * @example
 * callCard(undefined, 'deploy', { target: 'staging' })
 * // { card: 'generic', title: 'deploy', rawInput: { target: 'staging' } }
 */
export function callCard(definition: Presenters | undefined, name: string, args: unknown): ToolCallView {
  try {
    const view = definition?.presentCall?.(args);
    if (isToolCallView(view)) return view;
  } catch {
    // A presenter meets arguments of old logs and of every model; a call without a card of its own still has one.
  }
  return { card: 'generic', title: name, rawInput: args };
}

/**
 * The card of a finished call, which takes the place of the pending one. Total and pure.
 *
 * Without a presenter, or when the presenter gives nothing usable, the pending card's title stays and the content that
 * the model read is shown.
 *
 * @example
 * resultCard(definition, 'deploy', args, { content, isError: false })
 */
export function resultCard(
  definition: Presenters | undefined,
  name: string,
  args: unknown,
  result: ToolResult,
): ToolResultView {
  try {
    const view = definition?.presentResult?.(args, result);
    if (isToolResultView(view)) return view;
  } catch {
    // As above.
  }
  return { card: 'generic', title: callCard(definition, name, args).title, content: result.content };
}
