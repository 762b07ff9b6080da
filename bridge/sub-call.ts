import type { CodeBindingCall } from '../runtime/contract/code-runtime.js';
import type { ToolSchema } from '../runtime/contract/definition.js';
import type {
  QueuedToolCall,
  SourcePosition,
  StagedToolCall,
  ToolCallId,
  ToolDispatch,
  ToolExecution,
} from '../runtime/contract/execution.js';
import type { ToolExecutorHost } from '../runtime/contract/executor.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import { errorMessage } from '../runtime/core/error-text.js';
import { ToolTimeoutError } from '../runtime/core/errors.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { ownCode } from '../runtime/core/own-codes.js';
import type { ModeHost } from '../runtime/executor/mode-host.js';
import type { LaneLimit, ScheduledEntry, Ticket } from '../runtime/executor/scheduled-entry.js';
import { executionMode } from '../runtime/pipeline/execution-mode.js';
import { failureResult } from '../runtime/pipeline/outcome.js';
import { CallNote } from './call-note.js';
import { CallSignal, endsAlone } from './call-signal.js';
import type { DispatchLog } from './dispatch-log.js';
import { SubCallError } from './sub-call-error.js';
import type { SubCallNote, SubCallState } from './sub-call-note.js';

/** What a sub-call needs of the run that it belongs to. */
export interface SubCallRun {
  readonly host: ToolExecutorHost;
  readonly modes: ModeHost;
  /** The outer call. */
  readonly exec: ToolExecution;
  /** Aborts with the run. */
  readonly signal: AbortSignal;
  readonly log: DispatchLog;
  readonly isOver: boolean;
  /** What waits in the run's lane. */
  readonly queued: () => readonly QueuedToolCall[];
  /** Takes a call back that has not started; `false` when it has. */
  withdraw(call: SubCall): boolean;
  /** A call has ended without a start. */
  withdrawn(call: SubCall): void;
  /** A call has its outcome; one that is not recorded has not started. */
  closed(call: SubCall, result: ToolExecutionResult, isRecorded: boolean): void;
  /** A call that had been given up has an outcome after all. */
  closedLate(call: SubCall, result: ToolExecutionResult): void;
}

/** A tool as a program was given it. */
export interface BoundTool {
  readonly name: string;
  readonly schema: ToolSchema | undefined;
}

type Stage = 'queued' | 'preparing' | 'running' | 'closed' | 'withdrawn' | 'given-up';

/**
 * One call of a program, from its submission to the value that the program gets.
 *
 * None of its parts throws or rejects: whatever goes wrong is the outcome of the call.
 */
export class SubCall implements ScheduledEntry {
  readonly id: ToolCallId;
  /** Counts from 1 within the run. */
  readonly n: number;
  readonly #run: SubCallRun;
  readonly #tool: BoundTool;
  readonly #call: CodeBindingCall | undefined;
  readonly #signal: CallSignal | undefined;
  /** What the program waits for. */
  readonly promise: Promise<JsonValue>;
  #resolve!: (value: JsonValue) => void;
  #reject!: (error: SubCallError) => void;
  readonly #args: JsonValue;
  #stage: Stage = 'queued';
  #staged: StagedToolCall | undefined;
  #refusal: string | undefined;
  #wasOpen = false;
  #wasGivenUp = false;
  /** Set by the run once it has submitted the call. */
  ticket: Ticket | undefined;

  constructor(
    run: SubCallRun,
    n: number,
    tool: BoundTool,
    args: JsonValue,
    call: CodeBindingCall | undefined,
  ) {
    this.#run = run;
    this.n = n;
    this.id = `${run.exec.callId}:ptc:${n}` as ToolCallId;
    this.#tool = tool;
    this.#args = args;
    this.#call = call;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (endsAlone(run.signal, call)) {
      this.#signal = new CallSignal(call, tool.name, (reason) => this.#cancelled(reason));
    }
  }

  get name(): string {
    return this.#tool.name;
  }

  get position(): SourcePosition | undefined {
    return this.#call?.position;
  }

  /** The call as others see it while it waits for its start. */
  get queued(): QueuedToolCall | undefined {
    if (this.ticket?.isQueued !== true) return undefined;
    const { id: callId, name, position } = this;
    const { rootCallId } = this.#run.exec;
    return { callId, rootCallId, name, arguments: this.#args, ...(position !== undefined && { position }) };
  }

  mode(): 'parallel' | 'exclusive' {
    const { agent, toolSet, token } = this.#run.exec;
    const call = { name: this.name, arguments: this.#args, agent, toolSet, parent: token };
    return executionMode(this.#run.modes, call).kind;
  }

  limit(): LaneLimit | undefined {
    const max = this.#run.host.registration(this.name, this.#run.exec.agent)?.maxParallel;
    return max === undefined ? undefined : { key: this.name, max };
  }

  start(): boolean | Promise<boolean> {
    const { host, exec, signal, log } = this.#run;
    this.#stage = 'preparing';
    try {
      log.started(this, this.#args);
    } catch (error) {
      // A call that cannot be recorded is not made.
      this.#refusal = `The call of "${this.name}" could not be recorded: ${errorMessage(error)}`;
      return false;
    }
    this.#staged = host.pipeline.stage({
      callId: this.id,
      rootCallId: exec.rootCallId,
      name: this.name,
      schema: this.#tool.schema,
      arguments: this.#args,
      agent: exec.agent,
      toolSet: exec.toolSet,
      dispatch: this.#dispatch(),
      parent: exec.token,
      position: this.position,
      signal: this.#signal?.signal ?? signal,
    });
    return this.#staged.start();
  }

  run(settled: () => void): undefined {
    if (this.#stage !== 'preparing') settled();
    else {
      this.#stage = 'running';
      this.#staged!.launch(settled);
    }
  }

  commit(): void | Promise<void> {
    if (this.#staged === undefined) return this.#close(failureResult(this.#refusal!));
    const result = this.#staged.end();
    if (result instanceof Promise) return result.then((ended) => this.#close(ended));
    this.#close(result);
  }

  /** Ends the call without a start: its run is over. */
  abandon(): void {
    this.#withdrawn(`The run is over: the call of "${this.name}" was abandoned before it started`);
  }

  /** Passes the end of the run on to a call with a signal of its own. */
  abort(reason: unknown): void {
    this.#signal?.abort(reason);
  }

  /** Notes that the call was still open when its run ended. */
  markOpen(): void {
    this.#wasOpen = true;
    this.#wasGivenUp = this.#signal?.signal.aborted === true;
  }

  /**
   * Ends a started call that does not come to rest; what it still brings is late.
   *
   * @returns what is to be recorded as its outcome
   */
  giveUp(failure: (name: string) => ToolExecutionResult): ToolExecutionResult {
    this.#stage = 'given-up';
    this.#signal?.dispose();
    const result = failure(this.name);
    this.#fail(`The run is over: the call of "${this.name}" had not settled`);
    return result;
  }

  /**
   * What a text may tell of the call, now that it is no longer open.
   *
   * @param result its outcome, if it has one
   */
  note(result?: ToolExecutionResult): SubCallNote {
    return new CallNote(
      this.#call?.n ?? this.n,
      this.name,
      this.position,
      this.#state(),
      this.#wasGivenUp,
      this.#args,
      result,
    );
  }

  /** Lets an approval stop the program's clock where it has one that can be stopped. */
  #dispatch(): ToolDispatch {
    const call = this.#call;
    const { queued } = this.#run;
    // Both written out: a spread costs more than the rest of a call's start.
    return call?.pauseWall === undefined
      ? { direct: 'any', queued }
      : { direct: 'any', queued, onApproval: () => call.pauseWall!() };
  }

  #state(): SubCallState {
    if (this.#stage === 'given-up') return 'unknown';
    if (this.#stage === 'withdrawn') return this.#wasOpen ? 'not-started' : 'taken-back';
    return this.#wasOpen ? 'in-flight' : 'completed';
  }

  #close(result: ToolExecutionResult): void {
    if (this.#stage === 'given-up') {
      this.#run.closedLate(this, result);
      return;
    }
    this.#stage = 'closed';
    this.#staged = undefined;
    this.#signal?.dispose();
    if (this.#run.isOver) this.#fail(`The run is over: the result of "${this.name}" was discarded`);
    else if (result.isError) this.#failWith(result);
    else this.#resolve(result.value);
    this.#run.closed(this, result, this.#refusal === undefined);
  }

  #failWith(result: ToolExecutionResult & { readonly isError: true }): void {
    const code = ownCode(result.error.info?.code);
    const reason: unknown = this.#signal?.signal.reason;
    // The program's own deadline reads as one, however the tool took the abort.
    if (reason instanceof ToolTimeoutError && code?.startsWith('ABORTED')) {
      this.#fail(reason.message, reason.code);
    } else this.#fail(result.error.message, code);
  }

  /** The program gave this call up; one that has started ends through its signal. */
  #cancelled(reason: unknown): void {
    if (!this.#run.withdraw(this)) return;
    const code = reason instanceof ToolTimeoutError ? reason.code : 'ABORTED_BEFORE_DISPATCH';
    this.#withdrawn(
      `The call of "${this.name}" was given up before it started: ${errorMessage(reason)}`,
      code,
    );
  }

  #withdrawn(message: string, code?: string): void {
    this.#stage = 'withdrawn';
    this.#signal?.dispose();
    this.#fail(message, code);
    this.#run.withdrawn(this);
  }

  #fail(message: string, code?: string): void {
    // A run that is over no longer listens.
    this.promise.catch(ignore);
    this.#reject(new SubCallError(message, code));
  }
}

function ignore(): void {}
