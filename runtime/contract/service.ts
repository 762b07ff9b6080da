import type { ApprovalService } from './approval.js';
import type { ToolBatchInput, ToolBatchResult } from './batch.js';
import type { ToolGuard } from './decisions.js';
import type { ToolDefinition, ToolSchema } from './definition.js';
import type { ToolEventName, ToolEvents } from './events.js';
import type { ToolExecution, ToolExecutionPipeline } from './execution.js';
import type { ToolExecutor, ToolModelInput } from './executor.js';
import type {
  ResolvedToolSet,
  ScopeKey,
  ToolActivationContext,
  ToolRegistrationOptions,
  ToolRestriction,
} from './scope.js';

/** Removes exactly one registration. Calling it twice is harmless. */
export type Disposer = () => void;

/** How an executor is set. */
export interface SetExecutorOptions {
  /**
   * Makes it the scope's one declaration: a second one throws, and the disposer restores what was there before instead of
   * leaving the slot empty.
   * @default false
   */
  readonly declare?: boolean;
}

/** How a listener is added. */
export interface ListenerOptions {
  /** Puts it outermost. @default false */
  readonly prepend?: boolean;
  /**
   * Only for `tools/execute`: the listener may call `next()` again once the call before it has settled, so that the body
   * runs once more. What an attempt deferred is dropped when it is repeated.
   * @default false
   */
  readonly repeats?: boolean;
}

/** One registry, one pipeline and the selected executors, seen from one scope. */
export interface ToolsService {
  register(definition: ToolDefinition, options?: ToolRegistrationOptions): Disposer;
  restrict(filter: ToolRestriction): Disposer;
  guard(guard: ToolGuard): Disposer;
  /** The deployment's default, or this scope's own. After its disposer has run, the scope's batches reject. */
  setExecutor(executor: ToolExecutor, options?: SetExecutorOptions): Disposer;
  /** Who answers `ask` decisions of this scope and its descendants; the nearest one is asked. */
  setApproval(approval: ApprovalService): Disposer;
  scoped<Scope extends ScopeKey>(scope: Scope): ScopedToolsService;
  get(name: string, scope?: ScopeKey, toolSet?: ResolvedToolSet): ToolDefinition | undefined;
  executable(name: string, scope?: ScopeKey, toolSet?: ResolvedToolSet): ToolDefinition | undefined;
  definitions(scope?: ScopeKey, toolSet?: ResolvedToolSet): readonly ToolDefinition[];
  schemas(scope?: ScopeKey, toolSet?: ResolvedToolSet): ToolSchema[];
  /** The options a visible tool was registered with. */
  registration(name: string, scope?: ScopeKey): Readonly<ToolRegistrationOptions> | undefined;
  resolve(context: ToolActivationContext): Promise<ResolvedToolSet>;
  describe(scope?: ScopeKey, toolSet?: ResolvedToolSet): ToolModelInput;
  execute(batch: ToolBatchInput): Promise<ToolBatchResult>;
  checkGuards(exec: ToolExecution): string | undefined;
  on<E extends ToolEventName>(event: E, listener: ToolEvents[E], options?: ListenerOptions): Disposer;
  readonly pipeline: ToolExecutionPipeline;
}

/** The same service, filing into one scope. */
export interface ScopedToolsService extends ToolsService {
  /** Removes all that the scope registered. */
  dispose(): void;
}
