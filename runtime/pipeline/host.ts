import type { ApprovalService } from '../contract/approval.js';
import type { ToolDefinition } from '../contract/definition.js';
import type { ToolEvents } from '../contract/events.js';
import type { ToolExecution } from '../contract/execution.js';
import type { ResolvedToolSet, ScopeKey } from '../contract/scope.js';

/** The events that the pipeline itself raises. */
export type PipelineEvent = 'tools/pre-execute' | 'tools/execute' | 'tools/post-execute' | 'tools/result';

/**
 * What the pipeline needs of whoever holds the tools.
 *
 * Lists of listeners are read when their stage begins and are not to change afterwards: a registration makes a new list.
 */
export interface PipelineHost {
  /** The definition a call may execute now: with a set the set decides, without one only unconditional tools. */
  executable(
    name: string,
    scope: ScopeKey | undefined,
    toolSet: ResolvedToolSet | undefined,
  ): ToolDefinition | undefined;
  /** Whether the scope sees a tool of that name; with a set, whether it is admitted. */
  visible(name: string, scope: ScopeKey | undefined, toolSet: ResolvedToolSet | undefined): boolean;
  /** Outermost first, only those whose scope covers this one; an empty array when there are none. */
  listeners<E extends PipelineEvent>(event: E, scope: ScopeKey | undefined): readonly ToolEvents[E][];
  /** The first guard's denial, or `undefined`. */
  checkGuards(execution: ToolExecution): string | undefined;
  /** Who answers `ask` decisions of this scope. */
  approval(scope: ScopeKey | undefined): ApprovalService | undefined;
  /** Reports something that went wrong beside a result. */
  warn(message: string, cause?: unknown): void;
}
