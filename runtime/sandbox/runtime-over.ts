import type { CodeRunRequest, CodeRunResult, CodeRuntime } from '../contract/code-runtime.js';
import { positiveFinite } from '../core/options.js';
import { sharedSignal } from '../core/shared-signal.js';
import { bindingTable } from './bindings.js';
import { expectedLanguageLevel } from './expected-language.js';
import { sourceFailure } from './host-failures.js';
import { KeepAlive } from './keep-alive.js';
import type { ResolvedSandboxOptions } from './options.js';
import { type EngineInfo, type Placement, SandboxUnavailableError } from './peer-line.js';
import { Session } from './session.js';

/** A {@link CodeRuntime} whose programs run in a sandbox. */
export interface SandboxRuntime extends CodeRuntime {
  /** Which engine serves, and why it is not the first choice; `undefined` until the first sandbox is ready. */
  readonly engineInfo: EngineInfo | undefined;
  /**
   * Starts the sandbox that the first run would start.
   *
   * @returns which engine serves, and why it is not the first choice
   * @throws {SandboxUnavailableError} when no sandbox can be had
   */
  warm(): Promise<EngineInfo>;
}

/**
 * A runtime over a placement of its own.
 *
 * @example
 * new RuntimeOver(options, new ProcessPool(options))
 */
export class RuntimeOver implements SandboxRuntime {
  readonly language = 'typescript';
  readonly isolation: string;
  readonly maxTimeoutMs: number;
  readonly #options: ResolvedSandboxOptions;
  readonly #placement: Placement;
  readonly #sessions = new Set<Session>();
  readonly #keepAlive = new KeepAlive();
  #disposal: Promise<void> | undefined;

  constructor(options: ResolvedSandboxOptions, placement: Placement) {
    this.isolation = options.placement;
    this.maxTimeoutMs = options.wallMs;
    this.#options = options;
    this.#placement = placement;
  }

  /** That of the sandbox that serves; before the first one is ready, the one to be expected. */
  get languageLevel(): string {
    const { info } = this.#placement;
    return info === undefined ? expectedLanguageLevel(this.#options.engine) : info.languageLevel;
  }

  get missingLibraries(): readonly string[] | undefined {
    return this.#placement.info?.missingLibraries;
  }

  get engineInfo(): EngineInfo | undefined {
    return this.#placement.info;
  }

  async warm(): Promise<EngineInfo> {
    this.#refuseDisposed();
    return this.#keepAlive.during(this.#placement.warm());
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    // A caller's mistake throws, whatever the state of the signal.
    this.#refuseDisposed();
    const session = this.#session(request);
    const { signal } = request;
    this.#refuseSource(session, request.program);
    if (signal?.aborted === true) session.abort(signal.reason);
    if (session.isOver) return session.result;
    const onAbort = () => {
      session.abort(signal?.reason);
      this.#placement.cancel(session);
    };
    if (signal !== undefined) sharedSignal(signal).addEventListener('abort', onAbort);
    this.#sessions.add(session);
    try {
      return await this.#keepAlive.during(this.#serve(session));
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#sessions.delete(session);
    }
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#keepAlive.during(this.#stop());
    return this.#disposal;
  }

  async #stop(): Promise<void> {
    const ending = [...this.#sessions].map((session) => {
      session.abort('runtime disposed');
      this.#placement.cancel(session);
      return session.result.catch(() => undefined);
    });
    await Promise.all(ending);
    await this.#placement.dispose();
  }

  #refuseDisposed(): void {
    if (this.#disposal !== undefined) throw new Error('Cannot run a program: the runtime is disposed');
  }

  #session({ program, bindings, timeoutMs, beforeStart }: CodeRunRequest): Session {
    if (typeof program !== 'string') {
      throw new TypeError(`Cannot run a program: wanted a string, received ${typeof program}`);
    }
    const { wallMs } = this.#options;
    return new Session({
      program,
      table: bindingTable(bindings),
      options: this.#options,
      wallMs: timeoutMs === undefined ? wallMs : Math.min(positiveFinite('timeoutMs', timeoutMs), wallMs),
      beforeStart,
    });
  }

  #refuseSource(session: Session, program: string): void {
    const { maxSourceBytes } = this.#options;
    // No text has more characters than bytes.
    const bytes = program.length > maxSourceBytes ? program.length : Buffer.byteLength(program);
    if (bytes > maxSourceBytes) session.fail(sourceFailure(bytes, maxSourceBytes));
  }

  async #serve(session: Session): Promise<CodeRunResult> {
    try {
      const opened = this.#placement.open(session);
      const line = opened instanceof Promise ? await opened : opened;
      if (session.isOver) line?.release();
      else if (line !== undefined) session.start(line);
    } catch (cause) {
      if (!(cause instanceof SandboxUnavailableError)) throw cause;
      const { message, hint } = cause;
      session.fail({ kind: 'sandbox-unavailable', message, ...(hint !== undefined && { hint }) });
    }
    return session.result;
  }
}
