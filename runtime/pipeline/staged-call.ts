import type { StagedToolCall, ToolExecution } from '../contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { launchBody } from './body.js';
import type { Call } from './call.js';
import { cancellation } from './cancellation.js';
import { dispatched, runWrapped, type Wrapper } from './dispatch.js';
import { finalize } from './finalize.js';
import { failureOf } from './outcome.js';
import { review } from './post-execute.js';
import { admit } from './pre-execute.js';
import { refuse } from './refusal.js';

type Step = 'prepare' | 'dispatch' | 'finish';

/**
 * The stages of one call in their only order.
 *
 * A failure of the pipeline itself (a listener, guard or projector that throws) skips post-execute; every other outcome
 * goes through it; both are finalised. A call that is finished without having been dispatched counts as aborted.
 */
export class StagedCall implements StagedToolCall {
  readonly #call: Call;
  #awaits: Step | undefined = 'prepare';
  #outcome: ToolExecutionResult | undefined;
  #isReviewed = true;

  constructor(call: Call) {
    this.#call = call;
  }

  get execution(): ToolExecution {
    return this.#call.execution;
  }

  async prepare(): Promise<boolean> {
    return this.start();
  }

  async finish(): Promise<ToolExecutionResult> {
    return this.end();
  }

  /** `prepare` without a promise where nothing has to be waited for. */
  start(): boolean | Promise<boolean> {
    this.#enter('prepare');
    try {
      const refusal = refuse(this.#call);
      if (refusal !== undefined) return this.#prepared(this.#skipReview(refusal));
      const denial = admit(this.#call);
      return denial instanceof Promise ? this.#admitted(denial) : this.#prepared(denial);
    } catch (error) {
      return this.#prepared(this.#skipReview(failureOf(error)));
    }
  }

  dispatch(): Promise<void> {
    return new Promise((resolve) => this.launch(resolve));
  }

  launch(settled: () => void): void {
    this.#enter('dispatch');
    const call = this.#call;
    if (this.#outcome !== undefined) {
      this.#dispatched(this.#outcome, settled);
      return;
    }
    const succeed = (result: ToolExecutionResult) => this.#dispatched(dispatched(call, result), settled);
    const fail = (error: unknown) => this.#dispatched(this.#skipReview(failureOf(error)), settled);
    let wrappers: readonly Wrapper[];
    try {
      wrappers = call.host.listeners('tools/execute', call.execution.agent);
    } catch (error) {
      fail(error);
      return;
    }
    if (wrappers.length === 0) launchBody(call, call.signal, succeed);
    else runWrapped(call, wrappers).then(succeed, fail);
  }

  /** `finish` without a promise where nothing has to be waited for. */
  end(): ToolExecutionResult | Promise<ToolExecutionResult> {
    this.#enter('finish');
    const outcome = this.#outcome ?? cancellation('ABORTED_BEFORE_DISPATCH');
    if (!this.#isReviewed) return finalize(this.#call, outcome);
    try {
      const reviewed = review(this.#call, outcome);
      return reviewed instanceof Promise ? this.#finalized(reviewed) : finalize(this.#call, reviewed);
    } catch (error) {
      return finalize(this.#call, failureOf(error));
    }
  }

  async #admitted(pending: Promise<ToolExecutionFailure | undefined>): Promise<boolean> {
    try {
      return this.#prepared(await pending);
    } catch (error) {
      return this.#prepared(this.#skipReview(failureOf(error)));
    }
  }

  async #finalized(pending: Promise<ToolExecutionResult>): Promise<ToolExecutionResult> {
    let reviewed: ToolExecutionResult;
    try {
      reviewed = await pending;
    } catch (error) {
      reviewed = failureOf(error);
    }
    return finalize(this.#call, reviewed);
  }

  #dispatched(outcome: ToolExecutionResult, settled: () => void): void {
    this.#outcome = outcome;
    this.#awaits = 'finish';
    settled();
  }

  #prepared(outcome: ToolExecutionFailure | undefined): boolean {
    this.#outcome = outcome;
    this.#awaits = 'dispatch';
    return outcome === undefined;
  }

  #skipReview(failure: ToolExecutionFailure): ToolExecutionFailure {
    this.#isReviewed = false;
    return failure;
  }

  /** `finish` may follow `prepare` at once; a step that is running, or is over, cannot be entered. */
  #enter(step: Step): void {
    const isInOrder = step === this.#awaits || (step === 'finish' && this.#awaits === 'dispatch');
    if (!isInOrder) {
      throw new Error(
        `Cannot ${step} "${this.#call.execution.name}": wanted ${this.#awaits ?? 'the running step to settle'} next`,
      );
    }
    this.#awaits = undefined;
  }
}
