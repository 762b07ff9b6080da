import type { CodeRunFailure, CodeRuntime, PreparedProgram } from '../../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../../runtime/contract/definition.js';
import { notifyObservers } from '../../runtime/core/observers.js';
import { type CheckerText, checkerText } from '../../sdk-gen/checker/checker-text.js';
import { CheckerProcess } from './checker-process.js';
import { CheckerSession, type Finding } from './checker-session.js';
import { type FoundChecker, findChecker } from './find-checker.js';
import { type Libraries, librariesWithout, namedLibrary } from './libraries.js';
import { noteOf, refusal, reportOf, type TypeCheckReport, type UncheckedCause } from './report.js';
import { SentTexts } from './sent-texts.js';
import { tooLarge } from './size-limits.js';
import {
  type ResolvedTypeCheckerOptions,
  resolveTypeCheckerOptions,
  type TypeCheckerOptions,
} from './type-check-options.js';
import { VirtualFiles } from './virtual-files.js';

/** What a check needs to know of a program's run. */
export interface CheckedRun {
  /** What the program may call. */
  readonly tools: readonly ToolDefinition[];
  /** Parts of the language's library that its engine lacks, as a runtime names them; absent = not known. */
  readonly missingLibraries?: readonly string[] | undefined;
  /** Tells the model something beside the outcome of a program that runs. */
  note?(text: string): void;
}

/** Checks programs against the tools that they may call, before their first statement runs. */
export interface TypeChecker {
  /**
   * Checks one program; the `check` of `ptcExecutor`. Never rejects.
   *
   * @returns the refusal, or nothing when the program may run.
   */
  check(prepared: PreparedProgram, run: CheckedRun): Promise<CodeRunFailure | undefined>;
  /** The `beforeStart` of a run with these tools, on that runtime. */
  beforeStart(
    tools: readonly ToolDefinition[],
    runtime?: Pick<CodeRuntime, 'missingLibraries'>,
  ): (prepared: PreparedProgram) => Promise<CodeRunFailure | undefined>;
  /** Ends the checker's process and waits until it is gone; later programs run unchecked. */
  dispose(): Promise<void>;
}

/**
 * Makes a type checker over TypeScript's native one, which is looked for at the first program.
 *
 * Its process is started at the first program, serves one check at a time, does not keep the host alive, and is replaced
 * when a check takes too long. A check never fails a run by itself: without a checker, past a limit, or for a text that
 * was refused before, the program runs unchecked.
 *
 * @throws {TypeError} when an option has no meaning.
 * @example
 * const checker = createTypeChecker({ mode: 'warn' });
 * const executor = ptcExecutor({ runtime, check: checker.check });
 */
export function createTypeChecker(options: TypeCheckerOptions = {}): TypeChecker {
  return new NativeTypeChecker(resolveTypeCheckerOptions(options));
}

class DeadlineError extends Error {}

const emitWarning = (message: string): void => process.emitWarning(message);

function unchecked(cause: UncheckedCause, reason: string): TypeCheckReport {
  return { status: 'not-checked', cause, reason };
}

class NativeTypeChecker implements TypeChecker {
  readonly #options: ResolvedTypeCheckerOptions;
  readonly #refused = new SentTexts();
  readonly #texts = new WeakMap<ToolDefinition, { tools: readonly ToolDefinition[]; text: CheckerText }>();
  #found: FoundChecker | undefined;
  #running: { readonly process: CheckerProcess; readonly session: CheckerSession } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  constructor(options: ResolvedTypeCheckerOptions) {
    this.#options = options;
  }

  beforeStart(
    tools: readonly ToolDefinition[],
    runtime?: Pick<CodeRuntime, 'missingLibraries'>,
  ): (prepared: PreparedProgram) => Promise<CodeRunFailure | undefined> {
    return (prepared) => this.check(prepared, { tools, missingLibraries: runtime?.missingLibraries });
  }

  /** A property, so that it can be passed on its own. */
  readonly check = async (
    prepared: PreparedProgram,
    run: CheckedRun,
  ): Promise<CodeRunFailure | undefined> => {
    const { mode, onReport } = this.#options;
    if (mode === 'off') return undefined;
    const report = await this.#report(run, prepared);
    notifyObservers([onReport], [report], emitWarning);
    if (mode === 'enforce' && report.status === 'checked' && report.total > 0) {
      this.#refused.add(prepared.typedText);
      return refusal(report.errors, report.total, prepared);
    }
    const note = noteOf(report);
    if (note !== undefined) notifyObservers([(text: string) => run.note?.(text)], [note], emitWarning);
    return undefined;
  };

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#running?.process.stop('the checker was disposed');
  }

  async #report(run: CheckedRun, prepared: PreparedProgram): Promise<TypeCheckReport> {
    const program = prepared.typedText;
    if (this.#refused.has(program)) return unchecked('sent-again', 'it was sent a second time');
    const large = tooLarge(program);
    if (large !== undefined) return unchecked('too-large', large);
    const missing = this.#missing();
    if (missing !== undefined) return unchecked('unavailable', missing);
    try {
      const sdk = this.#textOf(run.tools);
      const { library } = this.#options;
      const libraries =
        library === undefined ? librariesWithout(run.missingLibraries) : namedLibrary(library);
      return reportOf(await this.#inTurn(program, sdk, libraries), prepared, sdk);
    } catch (error) {
      const isLate = error instanceof DeadlineError;
      return unchecked(
        isLate ? 'deadline' : 'failed',
        error instanceof Error ? error.message : String(error),
      );
    }
  }

  /** Why there is no checker. Looked for once. */
  #missing(): string | undefined {
    if (this.#isDisposed) return 'the checker was disposed';
    if (this.#found === undefined) {
      this.#found = findChecker(this.#options.path);
      if ('reason' in this.#found) {
        notifyObservers([this.#options.onUnavailable], [this.#found.reason], emitWarning);
      }
    }
    return 'reason' in this.#found ? this.#found.reason : undefined;
  }

  /** The declarations for some tools; the same tools have the same text. */
  #textOf(tools: readonly ToolDefinition[]): CheckerText {
    const [first] = tools;
    const known = first === undefined ? undefined : this.#texts.get(first);
    if (known?.tools.length === tools.length && tools.every((tool, i) => tool === known.tools[i])) {
      return known.text;
    }
    const text = checkerText(tools);
    if (first !== undefined) this.#texts.set(first, { tools: [...tools], text });
    return text;
  }

  /** One check at a time: the process knows one program. */
  #inTurn(program: string, sdk: CheckerText, libraries: Libraries): Promise<Finding[]> {
    const turn = this.#queue.then(() => this.#check(program, sdk, libraries));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #check(program: string, sdk: CheckerText, libraries: Libraries): Promise<Finding[]> {
    const { process, session } = this.#started();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const reason = `the check took longer than ${this.#options.deadlineMs} ms`;
        reject(new DeadlineError(reason));
        process.kill(reason);
      }, this.#options.deadlineMs);
    });
    try {
      return await Promise.race([session.check(program, sdk, libraries), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The process that serves: the one that runs, or a new one. */
  #started(): { process: CheckerProcess; session: CheckerSession } {
    const missing = this.#missing();
    if (missing !== undefined) throw new Error(missing);
    if (this.#running?.process.isAlive) return this.#running;
    const { memoryMb } = this.#options;
    const found = this.#found as Extract<FoundChecker, { executable: string }>;
    const files = new VirtualFiles(found.libraryFolder);
    const process = new CheckerProcess({ executable: found.executable, memoryMb, files });
    this.#running = { process, session: new CheckerSession(process, files) };
    return this.#running;
  }
}
