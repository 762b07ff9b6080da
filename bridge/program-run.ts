import type {
  CodeBindingCall,
  CodeRunCallNote,
  CodeRunResult,
  CodeRuntime,
} from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { QueuedToolCall, ToolRunContext } from '../runtime/contract/execution.js';
import type { ToolExecutorHost } from '../runtime/contract/executor.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import { ToolOutcomeUnknownError } from '../runtime/core/errors.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { sharedSignal } from '../runtime/core/shared-signal.js';
import { type ModeHost, modeHost } from '../runtime/executor/mode-host.js';
import { Scheduler } from '../runtime/executor/scheduler.js';
import { failureOf } from '../runtime/pipeline/outcome.js';
import { bindingSchema } from './binding-schemas.js';
import { toolsNamespace } from './bindings.js';
import { DispatchLog } from './dispatch-log.js';
import { ForwardedContexts } from './forwarded-contexts.js';
import type { ProgramCheck } from './ptc-options.js';
import { takeOutcome } from './run-outcome.js';
import { sdkNamespace } from './sdk-namespace.js';
import { SubCall, type SubCallRun } from './sub-call.js';
import { SubCallError } from './sub-call-error.js';
import type { SubCallNote } from './sub-call-note.js';
import { toolArguments } from './tool-arguments.js';

/** What a run of one program is made of. */
export interface ProgramRunSetup {
  readonly runtime: CodeRuntime;
  readonly host: ToolExecutorHost;
  /** The outer call. */
  readonly exec: ToolRunContext;
  readonly maxParallelSubCalls: number;
  /** How long started calls may take to come to rest after the abort, ms. */
  readonly drainMs: number;
  readonly check?: ProgramCheck | undefined;
  /** Told of an outcome that came after its call had been given up. */
  readonly onLateOutcome: (call: SubCall, result: ToolExecutionResult) => void;
}

/** What came of a program, once nothing of it runs any more. */
export interface ProgramOutcome {
  readonly result: CodeRunResult;
  /** In the order in which the program called. */
  readonly calls: readonly SubCallNote[];
}

/**
 * One program with its sub-calls, from the first statement to the moment when everything it started has come to rest.
 */
export class ProgramRun implements SubCallRun {
  readonly host: ToolExecutorHost;
  readonly modes: ModeHost;
  readonly exec: ToolRunContext;
  readonly signal: AbortSignal;
  readonly log: DispatchLog;
  readonly queued = (): readonly QueuedToolCall[] =>
    [...this.#open].map(({ queued }) => queued).filter((call) => call !== undefined);
  readonly #setup: ProgramRunSetup;
  readonly #controller = new AbortController();
  readonly #scheduler: Scheduler;
  readonly #contexts = new ForwardedContexts();
  /** Of the calls that are no longer open: what they carried may be large, so nothing else of them is kept. */
  readonly #notes: SubCallNote[] = [];
  #submitted = 0;
  /** Submitted and neither settled nor taken back. */
  readonly #open = new Set<SubCall>();
  #isOver = false;
  #abortedAt = 0;

  constructor(setup: ProgramRunSetup) {
    this.#setup = setup;
    this.host = setup.host;
    this.modes = modeHost(setup.host);
    this.signal = sharedSignal(this.#controller.signal);
    this.exec = setup.exec;
    this.log = new DispatchLog(setup.host, setup.exec, () => this.#scheduler.wake());
    this.#scheduler = new Scheduler({
      maxParallel: setup.maxParallelSubCalls,
      commitOrder: 'settled',
      mayStart: () => !this.signal.aborted && this.log.pending <= setup.maxParallelSubCalls,
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Runs the program and waits until its calls have come to rest.
   *
   * @param timeoutMs lowers the wall budget
   * @throws whatever the runtime rejects with: it was misused, or it is broken
   */
  async execute(program: string, timeoutMs: number | undefined): Promise<ProgramOutcome> {
    const { runtime, host, exec, check } = this.#setup;
    const follow = () => this.#abort(exec.signal.reason);
    if (exec.signal.aborted) follow();
    exec.signal.addEventListener('abort', follow);
    try {
      const definitions = host.definitions(exec.agent, exec.toolSet);
      const tools = toolsNamespace(definitions, (definition, args, call) =>
        this.#call(definition, args, call),
      );
      const notes: string[] = [];
      const note = (text: string): void => {
        notes.push(text);
      };
      const answer = await runtime.run({
        program,
        bindings: [tools, sdkNamespace(definitions)],
        signal: this.signal,
        timeoutMs,
        ...(check !== undefined && {
          beforeStart: (prepared) => {
            const { missingLibraries } = runtime;
            return check(prepared, { program, exec, tools: definitions, missingLibraries, note });
          },
        }),
      });
      const result = takeOutcome(answer);
      await this.#quiesce();
      return {
        result: noted(result, notes),
        calls: withUnsent(this.#notes, result.unawaited, definitions),
      };
    } finally {
      exec.signal.removeEventListener('abort', follow);
      await this.#quiesce();
      this.#contexts.handOver(exec);
    }
  }

  withdraw(call: SubCall): boolean {
    return call.ticket !== undefined && this.#scheduler.withdraw(call.ticket);
  }

  withdrawn(call: SubCall): void {
    this.#forget(call);
  }

  closed(call: SubCall, result: ToolExecutionResult, isRecorded: boolean): void {
    this.#forget(call, result);
    this.#contexts.take(call.n, result);
    if (isRecorded) this.log.settled(call, result);
  }

  closedLate(call: SubCall, result: ToolExecutionResult): void {
    this.#setup.onLateOutcome(call, result);
  }

  #call(definition: ToolDefinition, raw: unknown, info: CodeBindingCall): Promise<JsonValue> {
    const { name } = definition;
    if (this.#isOver) return Promise.reject(new SubCallError(`The run is over: "${name}" was not called`));
    let args: JsonValue;
    try {
      args = toolArguments(name, raw);
    } catch (error) {
      return Promise.reject(error);
    }
    if (info?.isCancellable !== false && info?.signal?.aborted) {
      return Promise.reject(new SubCallError(`The call of "${name}" was aborted`, 'ABORTED_BEFORE_DISPATCH'));
    }
    this.#submitted += 1;
    const n = this.#submitted;
    const call = new SubCall(this, n, { name, schema: bindingSchema(definition) }, args, info);
    this.#open.add(call);
    call.ticket = this.#scheduler.submit(call);
    return call.promise;
  }

  #abort(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#abortedAt = performance.now();
    this.#controller.abort(reason);
    for (const call of this.#open) call.abort(reason);
  }

  /** Ends everything that the program began; bounded by `drainMs`. Twice is harmless. */
  async #quiesce(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const call of this.#open) call.markOpen();
    this.#abort(new Error('The run is over'));
    for (const entry of this.#scheduler.stop()) (entry as SubCall).abandon();
    if (this.#open.size === 0 && this.log.pending === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bound = new Promise<'bound'>((resolve) => {
      const left = this.#setup.drainMs - (performance.now() - this.#abortedAt);
      timer = setTimeout(resolve, Math.max(left, 0), 'bound');
    });
    const ended = await Promise.race([this.#drain(), bound]);
    clearTimeout(timer);
    if (ended === 'bound') this.#giveUp();
  }

  async #drain(): Promise<void> {
    await this.#scheduler.idle();
    await this.log.idle();
  }

  #giveUp(): void {
    for (const call of this.#open) {
      const result = call.giveUp(outcomeUnknown);
      this.log.gaveUp(call, result);
      this.#forget(call, result);
    }
    this.log.giveUp();
  }

  #forget(call: SubCall, result?: ToolExecutionResult): void {
    this.#open.delete(call);
    this.#notes[call.n - 1] = call.note(result);
  }
}

/** Adds the calls that were still waiting inside the sandbox when the body returned. */
function withUnsent(
  notes: readonly SubCallNote[],
  unawaited: readonly CodeRunCallNote[] = [],
  definitions: readonly ToolDefinition[],
): readonly SubCallNote[] {
  if (unawaited.length === 0) return notes;
  const known = new Set(notes.map(({ n }) => n));
  // Questions to the catalogue are calls too, and without effect.
  const names = new Set(definitions.map(({ name }) => name));
  const unsent = unawaited.filter(({ n, name }) => !known.has(n) && names.has(name));
  const added = unsent.map((call): SubCallNote => {
    const { n, name, position } = call;
    const where = position === undefined ? {} : { position };
    return { n, name, args: '', state: 'not-started', ok: false, outcome: '', ...where };
  });
  return [...notes, ...added].sort((a, b) => a.n - b.n);
}

function outcomeUnknown(name: string): ToolExecutionResult {
  return failureOf(
    new ToolOutcomeUnknownError(
      `The call of "${name}" had not settled when its program was over: it may still be running, so check its effect`,
    ),
  );
}

/** A result with lines about it: beside a value, or with the hint of a failure. */
function noted(result: CodeRunResult, notes: readonly string[]): CodeRunResult {
  const { note, error } = result;
  if (notes.length === 0 || error?.kind === 'type-check') return result;
  const joined = (first: string | undefined): string =>
    [...(first === undefined ? [] : [first]), ...notes].join('\n');
  if (error === undefined) return { ...result, note: joined(note) };
  return { ...result, error: { ...error, hint: joined(error.hint) } };
}
