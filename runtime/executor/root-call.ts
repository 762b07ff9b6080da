import type { ToolBatchInput, ToolCallBlock, ToolCallResult } from '../contract/batch.js';
import type { StagedToolCall, ToolDispatch } from '../contract/execution.js';
import type { ToolExecutorHost } from '../contract/executor.js';
import type { ToolExecutionResult } from '../contract/result.js';
import { cancellation } from '../pipeline/cancellation.js';
import { executionMode } from '../pipeline/execution-mode.js';
import type { BatchLog } from './batch-log.js';
import type { ModeHost } from './mode-host.js';
import { parseRawArguments } from './raw-arguments.js';
import type { LaneLimit, ScheduledEntry } from './scheduled-entry.js';

/** What all calls of a batch share. */
export interface RootCallContext {
  readonly input: ToolBatchInput;
  readonly host: ToolExecutorHost;
  readonly modes: ModeHost;
  readonly dispatch: ToolDispatch;
  readonly log: BatchLog;
  /** Called once per call that has an outcome, in the order of the commits. */
  committed(index: number, result: ToolCallResult): void;
}

/** One call of a model's message, from its raw text to its recorded result. */
export class RootCall implements ScheduledEntry {
  readonly #arguments: unknown;
  #staged: StagedToolCall | undefined;
  #callSeq = 0;

  constructor(
    readonly context: RootCallContext,
    readonly block: ToolCallBlock,
    readonly index: number,
  ) {
    this.#arguments = parseRawArguments(block.arguments);
  }

  mode(): 'parallel' | 'exclusive' {
    const { modes, input, dispatch } = this.context;
    const { name } = this.block;
    const call = { name, arguments: this.#arguments, agent: input.agent, toolSet: input.toolSet, dispatch };
    return executionMode(modes, call).kind;
  }

  limit(): LaneLimit | undefined {
    const { name } = this.block;
    const max = this.context.host.registration(name, this.context.input.agent)?.maxParallel;
    return max === undefined ? undefined : { key: name, max };
  }

  start(): Promise<boolean> {
    const { host, input, dispatch, log } = this.context;
    const { callId, name } = this.block;
    this.#callSeq = log.call(this.block);
    this.#staged = host.pipeline.stage({
      callId,
      name,
      arguments: this.#arguments,
      agent: input.agent,
      toolSet: input.toolSet,
      dispatch,
      signal: input.signal,
    });
    // Not at once, so that a caller who gives the batch up in the same breath keeps its bodies from starting.
    return this.#staged.prepare();
  }

  run(settled: () => void): undefined {
    this.#staged!.launch(settled);
  }

  commit(): void | Promise<void> {
    const result = this.#staged!.end();
    if (result instanceof Promise) return result.then((ended) => this.#close(ended));
    this.#close(result);
  }

  /** Records the call as aborted before it started. */
  skip(): void {
    this.#callSeq = this.context.log.call(this.block);
    this.#close(cancellation('ABORTED_BEFORE_DISPATCH'));
  }

  #close(result: ToolExecutionResult): void {
    this.context.log.result(this.block, result, this.#callSeq);
    this.context.committed(this.index, { callId: this.block.callId, result });
  }
}
