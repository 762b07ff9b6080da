import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten';
import { errorMessage } from '../../core/error-text.js';
import { preludeText } from '../guest/guest-texts.js';
import { EntryOp, PRELUDE_FILE, PROGRAM_FILE } from '../guest/prelude.js';
import type { GuestFailure } from '../guest/run-types.js';
import { type EngineLanguage, LANGUAGE_PROBE, languageOf } from '../language.js';
import type {
  Guest,
  GuestEngine,
  GuestEntry,
  GuestHooks,
  GuestOutcome,
  GuestSetup,
  GuestStop,
} from '../peer-types.js';
import { BusyClock } from './busy-clock.js';
import { HostCalls } from './host-calls.js';
import { loadQuickjsBuild, type QuickjsInstance } from './quickjs-module.js';

const IDLE: GuestStop = { kind: 'idle' };
const DEFAULT_STACK_KB = 64;

/** Loads QuickJS: one WASM instance per guest, entered on the calling thread. */
export async function loadQuickjs(stackKb: number = DEFAULT_STACK_KB): Promise<GuestEngine> {
  const build = loadQuickjsBuild();
  const prelude = preludeText({ tellsRejections: false, capturesStacks: false });
  let language: EngineLanguage | undefined;
  return {
    name: 'quickjs',
    version: build.version,
    countsFromColumnOffset: false,
    get language() {
      return language;
    },
    async create(memoryMb) {
      const guest = new QuickjsGuest(await build.instantiate(memoryMb), memoryMb, stackKb, prelude);
      language ??= guest.language();
      return guest;
    },
  };
}

class QuickjsGuest implements Guest {
  readonly memoryMb: number;
  readonly #instance: QuickjsInstance;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #entry: QuickJSHandle;
  readonly #calls: HostCalls;
  readonly #clock = new BusyClock();
  #computeMs = 0;
  #stopped = false;

  constructor(instance: QuickjsInstance, memoryMb: number, stackKb: number, prelude: string) {
    this.memoryMb = memoryMb;
    this.#instance = instance;
    this.#runtime = instance.module.newRuntime();
    this.#runtime.setMaxStackSize(stackKb * 1024);
    this.#context = this.#runtime.newContext();
    this.#calls = new HostCalls(() => {
      this.#stopped = true;
    });
    this.#clock.start(Number.POSITIVE_INFINITY);
    this.#runtime.setInterruptHandler(() => this.#isOver());
    const host = this.#context.newFunction('host', (op, text) =>
      this.#context.newString(
        this.#clock.excluding(() =>
          this.#calls.answer(this.#context.getNumber(op), this.#context.getString(text)),
        ),
      ),
    );
    const made = this.#context.unwrapResult(this.#context.evalCode(prelude, PRELUDE_FILE));
    this.#entry = this.#context.unwrapResult(this.#context.callFunction(made, this.#context.undefined, host));
    made.dispose();
    host.dispose();
  }

  /** Asked of a guest that nothing of a program has touched. */
  language(): EngineLanguage {
    const answer = this.#context.unwrapResult(this.#context.evalCode(LANGUAGE_PROBE, PRELUDE_FILE));
    const language = languageOf(this.#context.getString(answer));
    answer.dispose();
    return language;
  }

  setup(setup: GuestSetup, hooks: GuestHooks): void {
    this.#calls.hooks = hooks;
    this.#within(Number.POSITIVE_INFINITY, () => this.#call(EntryOp.setup, JSON.stringify(setup)));
    this.#computeMs = 0;
  }

  enter(entry: GuestEntry, budgetMs: number): GuestStop {
    return this.#within(budgetMs, () => {
      switch (entry.kind) {
        case 'start':
          return this.#start(entry.code);
        case 'deliver':
          return this.#call(EntryOp.deliver, entry.text) ?? this.#runJobs();
        case 'fire':
          return this.#call(EntryOp.fire, entry.timer) ?? this.#runJobs();
      }
    });
  }

  #start(code: string): GuestStop | undefined {
    const evaluated = this.#context.evalCode(code, PROGRAM_FILE);
    if (evaluated.error) {
      const error = evaluated.error;
      const read = (key: string) => {
        const property = this.#context.getProp(error, key);
        const value: unknown = this.#context.dump(property);
        property.dispose();
        return value;
      };
      const line = read('lineNumber');
      const place = /:(\d+):(\d+)/.exec(String(read('stack')));
      const stop: GuestStop = {
        kind: 'compile-error',
        message: String(read('message')),
        line: Number(place?.[1] ?? line ?? 0),
        column: Number(place?.[2] ?? 0),
      };
      error.dispose();
      return stop;
    }
    const called = this.#context.callFunction(
      this.#entry,
      this.#context.undefined,
      this.#context.newNumber(EntryOp.start),
      evaluated.value,
    );
    evaluated.value.dispose();
    if (called.error) {
      called.error.dispose();
      return { kind: 'broken', message: 'the program could not be started' };
    }
    called.value.dispose();
    return this.#runJobs();
  }

  #call(op: number, value: string | number): GuestStop | undefined {
    const argument =
      typeof value === 'number' ? this.#context.newNumber(value) : this.#context.newString(value);
    const called = this.#context.callFunction(
      this.#entry,
      this.#context.undefined,
      this.#context.newNumber(op),
      argument,
    );
    argument.dispose();
    if (called.error) {
      called.error.dispose();
      return { kind: 'broken', message: 'the guest did not take an entry' };
    }
    called.value.dispose();
    return undefined;
  }

  /** One by one: a job that the engine interrupts must be the last one. A job itself never throws for what the program does. */
  #runJobs(): GuestStop | undefined {
    while (!this.#isOver()) {
      const ran = this.#runtime.executePendingJobs(1);
      if (ran.error) ran.error.dispose();
      else if (ran.value === 0) break;
    }
    return undefined;
  }

  #isOver(): boolean {
    return this.#stopped || this.#clock.isOver;
  }

  collect(budgetMs: number): GuestOutcome {
    let text: string | undefined;
    const stop = this.#within(budgetMs, () => {
      const called = this.#context.callFunction(
        this.#entry,
        this.#context.undefined,
        this.#context.newNumber(EntryOp.collect),
      );
      if (called.error) {
        called.error.dispose();
        return { kind: 'broken', message: 'the guest did not answer' };
      }
      text = this.#context.getString(called.value);
      called.value.dispose();
      return undefined;
    });
    if (stop.kind !== 'idle') return stop;
    return this.#diedOfMemory(text as string) ? { kind: 'memory' } : { kind: 'turn', text: text as string };
  }

  /**
   * Memory that was refused reaches the program as an error of the engine's own, or as `null` where there was none left for
   * an error: the program is the one that says whether it got over it.
   */
  #diedOfMemory(text: string): boolean {
    if (this.#instance.refusals() === 0) return false;
    if (text[0] === 'S') return true;
    return text[0] === 'F' && (JSON.parse(text.slice(1)) as GuestFailure).isEngineFault === true;
  }

  #within(budgetMs: number, enter: () => GuestStop | undefined): GuestStop {
    this.#clock.start(budgetMs);
    let stop: GuestStop | undefined;
    try {
      stop = enter();
    } catch (error) {
      // The native stack ran out below the engine, whose own count is of another stack: the instance cannot go on.
      stop =
        error instanceof RangeError ? { kind: 'overflow' } : { kind: 'broken', message: errorMessage(error) };
    }
    this.#computeMs += this.#clock.busyMs;
    if (this.#calls.overflowed) return { kind: 'output' };
    if (this.#isOver()) return { kind: 'timeout' };
    if (stop !== undefined && stop.kind === 'broken' && this.#instance.refusals() > 0)
      return { kind: 'memory' };
    return stop ?? IDLE;
  }

  flush(): void {
    if (this.#stopped || !this.#calls.mayHoldLogs) return;
    this.#calls.expectLastWords();
    this.#within(Number.POSITIVE_INFINITY, () => this.#call(EntryOp.lastWords, ''));
  }

  get computeMs(): number {
    return this.#computeMs;
  }

  get heapBytes(): number {
    return this.#instance.bytes();
  }

  /** The instance is dropped, not freed: after an out-of-memory its own clean-up cannot be trusted. */
  dispose(): void {
    this.#stopped = true;
    this.#calls.close();
  }
}
