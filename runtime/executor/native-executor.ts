import type { ToolBatchInput, ToolBatchResult } from '../contract/batch.js';
import type { ToolDefinition } from '../contract/definition.js';
import type { ToolDispatch } from '../contract/execution.js';
import type { ToolExecutor, ToolExecutorHost, ToolModelInput } from '../contract/executor.js';
import { knownOptions, positiveInteger } from '../core/options.js';
import { modelInput } from './model-input.js';
import { runBatch } from './run-batch.js';

/** Overlap cap of a batch that names none. */
export const DEFAULT_PARALLEL_TOOL_CALLS = 10;

/** What can be set of {@link nativeExecutor}. */
export interface NativeExecutorOptions {
  /**
   * At most so many concurrency-safe calls of one batch run at once; 1 is fully serial.
   *
   * @default 10
   */
  readonly maxParallelToolCalls?: number | undefined;
}

const DIRECT: ToolDispatch = Object.freeze({ direct: 'any' });

/**
 * Makes an executor that lets a model call the tools themselves, one native tool call each.
 *
 * @throws {TypeError} when an option is unknown or no positive integer
 * @example
 * tools.setExecutor(nativeExecutor({ maxParallelToolCalls: 4 }));
 */
export function nativeExecutor(options: NativeExecutorOptions = {}): ToolExecutor {
  knownOptions('nativeExecutor', options, ['maxParallelToolCalls']);
  const { maxParallelToolCalls = DEFAULT_PARALLEL_TOOL_CALLS } = options;
  const maxParallel = positiveInteger('maxParallelToolCalls', maxParallelToolCalls);
  return {
    describe(tools: readonly ToolDefinition[]): ToolModelInput {
      return modelInput(tools);
    },
    execute(input: ToolBatchInput, host: ToolExecutorHost): Promise<ToolBatchResult> {
      return runBatch(input, host, { maxParallel, dispatch: DIRECT });
    },
  };
}
