import type { ToolDefinition } from '../contract/definition.js';
import type { ToolExecution } from '../contract/execution.js';
import type { ToolExecutionResult } from '../contract/result.js';

type ContentHook = NonNullable<ToolDefinition['finalizeContent']>;

/** The definition-owned callbacks of a call, as they were when it began; a later change of the registry is no matter. */
export interface CapturedHooks {
  readonly definition: ToolDefinition | undefined;
  readonly projectContent: ContentHook | undefined;
  readonly finalizeContent: ContentHook | undefined;
}

/** Of a name that nothing answers to. */
export const NO_HOOKS: CapturedHooks = {
  definition: undefined,
  projectContent: undefined,
  finalizeContent: undefined,
};

/** Reads both callbacks once. */
export function captureHooks(definition: ToolDefinition | undefined): CapturedHooks {
  if (definition === undefined) return NO_HOOKS;
  const { projectContent, finalizeContent } = definition;
  return { definition, projectContent, finalizeContent };
}

/** Calls a captured callback as the method that it was. */
export function runHook(
  hooks: CapturedHooks,
  hook: ContentHook,
  execution: ToolExecution,
  result: ToolExecutionResult,
): unknown {
  return Reflect.apply(hook, hooks.definition, [execution, result]);
}
