import type { UserMessage } from '../contract/content.js';
import type { ToolDefinition } from '../contract/definition.js';
import type { ToolExecutionInput } from '../contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import type { CallExecution } from './call-execution.js';
import type { CapturedHooks } from './captured-hooks.js';
import type { PipelineHost } from './host.js';

/** Everything that the stages of one call share. */
export interface Call {
  readonly host: PipelineHost;
  readonly execution: CallExecution;
  /** The caller's own. */
  readonly signal: AbortSignal;
  readonly hooks: CapturedHooks;
  /** Why the call ends before any policy, known when its input was read. */
  readonly refusal: ToolExecutionFailure | undefined;
  bodyInvoked: boolean;
  concludesTurn: boolean;
  /** Contexts that the body deferred, in order. */
  deferred: readonly UserMessage[];
  /** Results that this call made itself; only these are taken back from a wrapper as they are. */
  canonical: readonly ToolExecutionResult[];
}

/**
 * Looks up what a call may execute at this moment.
 *
 * The transport's definition comes with the call, from the executor that presents it; all others from the registry.
 */
export function resolveDefinition(
  host: Pick<PipelineHost, 'executable'>,
  { name, agent, toolSet, dispatch }: Pick<ToolExecutionInput, 'name' | 'agent' | 'toolSet' | 'dispatch'>,
): ToolDefinition | undefined {
  const transport = dispatch?.definition;
  return transport?.name === name ? transport : host.executable(name, agent, toolSet);
}
