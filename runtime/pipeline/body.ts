import type { ToolDefinition } from '../contract/definition.js';
import type { ToolRunContext } from '../contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { type FusedSignal, fuseSignals } from '../core/deadline.js';
import { type Call, resolveDefinition } from './call.js';
import { cancellation } from './cancellation.js';
import { takeContext } from './materialise.js';
import { failureOf } from './outcome.js';
import { report } from './report.js';
import { makeRunContext, type RunRights } from './run-context.js';
import { buildSuccess } from './success.js';
import { unknownTool } from './unknown-tool.js';

/** Kept from before anybody could replace it, for a promise may have a method of that name of its own. */
const { then } = Promise.prototype;

/**
 * The innermost stage, up to the body: resolves the tool again. Never throws.
 *
 * @param wrapperSignal the caller's own, or what a wrapper put in its place; it is listened to and never aborted
 * @returns why there is nothing to run, or the attempt to be run
 */
export function openBody(call: Call, wrapperSignal: AbortSignal): BodyAttempt | ToolExecutionFailure {
  if (call.signal.aborted || wrapperSignal.aborted) {
    return cancellation(call.bodyInvoked ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH');
  }
  try {
    const definition = resolveDefinition(call.host, call.execution);
    if (definition === undefined) return failureOf(unknownTool(call.execution.name));
    return new BodyAttempt(call, definition, wrapperSignal);
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Runs the body to its end. Never throws.
 *
 * @param onResult called once, at once where there is nothing to run
 */
export function launchBody(
  call: Call,
  wrapperSignal: AbortSignal,
  onResult: (result: ToolExecutionResult) => void,
): void {
  const body = openBody(call, wrapperSignal);
  if (!(body instanceof BodyAttempt)) {
    onResult(body);
    return;
  }
  then.call(
    body.run(),
    (value) => onResult(body.succeed(value)),
    (error: unknown) => onResult(body.fail(error)),
  );
}

/**
 * One run of a tool's body, from its context to the canonical result.
 *
 * A body that has started is waited for, even one that ignores its signal. A wrapper that may repeat makes another attempt:
 * then only what the last one deferred and concluded counts.
 */
export class BodyAttempt implements RunRights {
  readonly #call: Call;
  readonly #definition: ToolDefinition;
  readonly #fused: FusedSignal | undefined;
  readonly #context: ToolRunContext;
  #isOpen = true;

  constructor(call: Call, definition: ToolDefinition, wrapperSignal: AbortSignal) {
    this.#call = call;
    this.#definition = definition;
    this.#fused = wrapperSignal === call.signal ? undefined : fuseSignals(call.signal, wrapperSignal);
    this.#context = makeRunContext(call.execution, this.#fused?.signal ?? wrapperSignal, this);
    if (call.bodyInvoked) {
      call.deferred = [];
      call.concludesTurn = false;
    }
    call.bodyInvoked = true;
  }

  /** Calls the body, once. */
  run(): Promise<unknown> {
    try {
      // An ordinary promise stays the one that it is: another around it would make every call wait longer.
      return Promise.resolve(this.#definition.execute(this.#call.execution.arguments, this.#context));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Makes the result of the value that the body resolved with. Never throws.
   *
   * @returns deep-frozen
   */
  succeed(value: unknown): ToolExecutionResult {
    this.#close();
    try {
      const success = buildSuccess(this.#call, this.#definition, value);
      return this.#context.signal.aborted ? cancellation('ABORTED') : success;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Makes the result of what the body threw. */
  fail(error: unknown): ToolExecutionFailure {
    this.#close();
    return failureOf(error);
  }

  defer(message: unknown): void {
    const call = this.#call;
    if (!this.#isOpen) {
      this.#tooLate('deferContext');
      return;
    }
    const taken = takeContext(message, `a context of "${call.execution.name}"`);
    call.deferred = [...call.deferred, taken];
  }

  conclude(): void {
    if (!this.#isOpen) {
      this.#tooLate('concludeTurn');
      return;
    }
    this.#call.concludesTurn = true;
  }

  /** The result may be out from here on, so the body has no say any more. */
  #close(): void {
    this.#isOpen = false;
    this.#fused?.dispose();
  }

  #tooLate(member: string): void {
    const { host, execution } = this.#call;
    report(host, `Ignored "${member}" of "${execution.name}": the body had already settled`);
  }
}
