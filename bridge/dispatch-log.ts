import type { ContentBlock } from '../runtime/contract/content.js';
import type { SourcePosition, ToolCallId, ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutorHost } from '../runtime/contract/executor.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import type { AgentSession } from '../runtime/contract/scope.js';
import { snapshotJsonValue } from '../runtime/core/json.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { appendEvent } from '../runtime/executor/append-event.js';
import { durableOutcome } from '../runtime/pipeline/durable-outcome.js';

/** What both events of one sub-call say of it. */
export interface LoggedCall {
  readonly id: ToolCallId;
  readonly name: string;
  readonly position?: SourcePosition | undefined;
}

interface Task {
  readonly call: LoggedCall;
  readonly result: ToolExecutionResult;
}

/**
 * The durable events of one run's sub-calls: a start when one starts, its outcome once the listeners have shaped the
 * copy. Without an agent's session it records nothing.
 */
export class DispatchLog {
  readonly #host: ToolExecutorHost;
  readonly #exec: ToolExecution;
  readonly #session: AgentSession | undefined;
  readonly #onSettled: () => void;
  readonly #tasks = new Set<Task>();
  #waiters: (() => void)[] = [];

  /**
   * @param exec the outer call
   * @param onSettled called whenever an outcome has been recorded
   */
  constructor(host: ToolExecutorHost, exec: ToolExecution, onSettled: () => void) {
    this.#host = host;
    this.#exec = exec;
    this.#session = exec.agent?.session;
    this.#onSettled = onSettled;
  }

  /** Outcomes that are not yet recorded. */
  get pending(): number {
    return this.#tasks.size;
  }

  /**
   * Records that a sub-call starts, with arguments of its own that nobody else holds.
   *
   * @throws whatever the session throws: nothing was recorded, so the call must not start
   */
  started(call: LoggedCall, args: JsonValue): void {
    if (this.#session === undefined) return;
    this.#append('tool/ptc-dispatch-start', call, { arguments: snapshotJsonValue(args) ?? null });
  }

  /** Records the outcome of a sub-call that has started, after the `tools/ptc-dispatch-log` listeners. Never throws. */
  settled(call: LoggedCall, result: ToolExecutionResult): void {
    if (this.#session === undefined) return;
    const task = { call, result };
    try {
      const shaped = this.#host.dispatchLog({
        exec: this.#exec,
        agent: this.#exec.agent,
        subCallId: call.id,
        name: call.name,
        isError: result.isError,
        content: result.content,
      });
      if (!('then' in shaped)) {
        this.#write(task, shaped);
        return;
      }
      this.#tasks.add(task);
      shaped.then(
        (content) => this.#record(task, content),
        (error: unknown) => this.#unshaped(task, error),
      );
    } catch (error) {
      this.#tasks.add(task);
      this.#unshaped(task, error);
    }
  }

  /** Records the outcome of a call whose own text is all there is to record. Never throws. */
  gaveUp(call: LoggedCall, result: ToolExecutionResult): void {
    if (this.#session !== undefined) this.#write({ call, result }, result.content);
  }

  /** Resolves once every outcome is recorded. */
  async idle(): Promise<void> {
    if (this.#tasks.size > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Records what is still being shaped as it is; what its listeners say later counts no more. */
  giveUp(): void {
    for (const task of [...this.#tasks]) {
      this.#host.warn(
        `The log listeners of sub-call "${task.call.id}" did not settle in time: its content is logged as it is`,
      );
      this.#record(task, task.result.content);
    }
  }

  #unshaped(task: Task, error: unknown): void {
    this.#host.warn(
      `The log listeners of sub-call "${task.call.id}" failed: its content is logged as it is`,
      error,
    );
    this.#record(task, task.result.content);
  }

  #record(task: Task, content: readonly ContentBlock[]): void {
    if (!this.#tasks.delete(task)) return;
    this.#write(task, content);
    this.#onSettled();
    if (this.#tasks.size > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #write({ call, result }: Task, content: readonly ContentBlock[]): void {
    try {
      this.#append('tool/ptc-dispatch', call, { ...durableOutcome(result), content });
    } catch (error) {
      this.#host.warn(`Cannot record the outcome of sub-call "${call.id}"`, error);
    }
  }

  #append(type: string, { id, name, position }: LoggedCall, rest: object): void {
    const { rootCallId, callId } = this.#exec;
    const ids = { rootCallId, parentCallId: callId, subCallId: id, name };
    // Ids, texts and frozen JSON only.
    appendEvent(this.#session!, type, {
      ...ids,
      ...rest,
      ...(position !== undefined && { position: { ...position } }),
    } as JsonValue);
  }
}
