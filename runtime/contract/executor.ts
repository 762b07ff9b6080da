import type { ToolBatchInput, ToolBatchResult } from './batch.js';
import type { ContentBlock } from './content.js';
import type { ToolDefinition, ToolSchema } from './definition.js';
import type { PtcDispatchLog } from './events.js';
import type { ToolExecutionPipeline } from './execution.js';
import type { ResolvedToolSet, ScopeKey, ToolRegistrationOptions } from './scope.js';

/** The model's side of an executor: what it may call directly. */
export interface ToolModelInput {
  readonly schemas: readonly ToolSchema[];
  /** The names against which a host's configured tool order is validated. */
  readonly knownNames: readonly string[];
  /** Prompt sections of the selected executor, in order; filled by the service. */
  readonly sections?: readonly RenderedPromptSection[];
}

/** A prompt section's text, ready to be placed. */
export interface RenderedPromptSection {
  readonly id: string;
  readonly order: number;
  readonly text: string;
}

/** What a prompt section may look at. */
export interface ToolPromptContext {
  readonly scope: ScopeKey | undefined;
  readonly tools: readonly ToolDefinition[];
}

/** A piece of the prompt that belongs to an executor. Lower `order` comes first. */
export interface ToolPromptSection {
  readonly id: string;
  readonly order: number;
  render(context: ToolPromptContext): string | undefined;
}

/** The part of the service that a built-in executor works with. A custom executor may ignore it. */
export interface ToolExecutorHost {
  readonly pipeline: ToolExecutionPipeline;
  /** The definition a call may execute now: with a set the set decides, without one only unconditional tools. */
  executable(name: string, scope?: ScopeKey, toolSet?: ResolvedToolSet): ToolDefinition | undefined;
  /** All visible (and admitted) definitions in listing order. */
  definitions(scope?: ScopeKey, toolSet?: ResolvedToolSet): readonly ToolDefinition[];
  /** The options a visible tool was registered with. */
  registration(name: string, scope?: ScopeKey): Readonly<ToolRegistrationOptions> | undefined;
  /**
   * Runs the `tools/ptc-dispatch-log` waterfall over the durable copy of a sub-call's content; without a promise where
   * nobody listens.
   */
  dispatchLog(dispatch: PtcDispatchLog): readonly ContentBlock[] | Promise<readonly ContentBlock[]>;
  /** Reports something that went wrong beside a result. Never throws. */
  warn(message: string, cause?: unknown): void;
}

/** Presents tools to a model and carries out the calls it makes. */
export interface ToolExecutor {
  readonly sections?: readonly ToolPromptSection[];
  describe(tools: readonly ToolDefinition[]): ToolModelInput;
  execute(input: ToolBatchInput, host: ToolExecutorHost): Promise<ToolBatchResult>;
}
