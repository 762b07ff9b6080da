import { createRequire } from 'node:module';
import type IsolatedVm from 'isolated-vm';
import { EntryOp, PROGRAM_FILE } from '../guest/prelude.js';
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
import { HostCalls } from './host-calls.js';
import { PreludeScript } from './prelude-script.js';
import { REHEARSAL } from './rehearsal.js';
import { UnhandledRejections } from './unhandled-rejections.js';

const IDLE: GuestStop = { kind: 'idle' };
/** Entries shorter than this are charged as they are: asking for CPU time costs more than it could spare them, ms. */
const LONG_MS = 5;
/** How long the guest may take to hand over what it printed last, ms. */
const FLUSH_MS = 50;

const nodeRequire = createRequire(import.meta.url);

/**
 * Loads isolated-vm: one isolate per guest, entered on the calling thread.
 *
 * @throws {Error} when the addon is not there or does not load
 */
export function loadIsolatedVm(): GuestEngine {
  const ivm = nodeRequire('isolated-vm') as typeof IsolatedVm;
  const { version } = nodeRequire('isolated-vm/package.json') as { version: string };
  let opaqueMessage: string | undefined;
  const learnOpaque = (context: IsolatedVm.Context): string => {
    opaqueMessage ??= messageOfOpaque(context);
    return opaqueMessage;
  };
  const prelude = new PreludeScript();
  let language: EngineLanguage | undefined;
  return {
    name: 'isolated-vm',
    version,
    countsFromColumnOffset: true,
    get language() {
      return language;
    },
    create(memoryMb) {
      const guest = new IsolateGuest(ivm, memoryMb, prelude, learnOpaque);
      language ??= guest.language();
      return guest;
    },
  };
}

type Entry = IsolatedVm.Reference<(op: number, value?: unknown) => unknown>;
type Install = IsolatedVm.Reference<(host: unknown) => unknown>;

class IsolateGuest implements Guest {
  readonly memoryMb: number;
  readonly #isolate: IsolatedVm.Isolate;
  readonly #context: IsolatedVm.Context;
  readonly #entry: Entry;
  readonly #calls: HostCalls;
  readonly #unhandled: UnhandledRejections;
  #hostMs = 0;
  #computeMs = 0;
  /** CPU time of the process when it was last asked, ms. */
  #cpuMs = 0;
  #heapBytes = 0;
  #disposed = false;
  #isStopped = false;

  constructor(
    ivm: typeof IsolatedVm,
    memoryMb: number,
    prelude: PreludeScript,
    opaqueMessage: (fresh: IsolatedVm.Context) => string,
  ) {
    this.memoryMb = memoryMb;
    this.#isolate = new ivm.Isolate({ memoryLimit: memoryMb });
    this.#context = this.#isolate.createContextSync();
    this.#unhandled = new UnhandledRejections(opaqueMessage(this.#context));
    this.#calls = new HostCalls(() => this.#isolate.dispose());
    const host = new ivm.Callback((op: unknown, text: unknown) => {
      const before = performance.now();
      const answer = this.#calls.answer(op, text);
      this.#hostMs += performance.now() - before;
      return answer;
    });
    const install = prelude.compile(this.#isolate).runSync(this.#context, { reference: true }) as Install;
    this.#entry = install.applySync(undefined, [host], { result: { reference: true } }) as Entry;
    install.release();
    this.#rehearse();
  }

  /** Asked of a guest that nothing of a program has touched. */
  language(): EngineLanguage {
    return languageOf(String(this.#context.evalSync(LANGUAGE_PROBE)));
  }

  /** The engine compiles a function when it is first called: a whole run of nothing, so that the real one need not wait. */
  #rehearse(): void {
    this.#entry.applySync(undefined, [EntryOp.setup, REHEARSAL]);
    this.#entry.applySync(undefined, [EntryOp.rehearse]);
    this.#entry.applySync(undefined, [EntryOp.collect]);
    this.#entry.applySync(undefined, [EntryOp.deliver, '[[1,0,{"n":1}]]']);
    this.#entry.applySync(undefined, [EntryOp.collect]);
  }

  setup(setup: GuestSetup, hooks: GuestHooks): void {
    this.#calls.hooks = hooks;
    this.#entry.applySync(undefined, [EntryOp.setup, JSON.stringify(setup)]);
    this.#measureHeap();
    this.#cpuMs = processCpuMs();
  }

  enter(entry: GuestEntry, budgetMs: number): GuestStop {
    switch (entry.kind) {
      case 'start':
        return this.#start(entry.code, entry.columnOffset, budgetMs);
      case 'deliver':
        return this.#within(budgetMs, (timeout) =>
          this.#entry.applySync(undefined, [EntryOp.deliver, entry.text], { timeout }),
        );
      case 'fire':
        return this.#within(budgetMs, (timeout) =>
          this.#entry.applySync(undefined, [EntryOp.fire, entry.timer], { timeout }),
        );
    }
  }

  #start(code: string, columnOffset: number, budgetMs: number): GuestStop {
    let script: IsolatedVm.Script;
    const before = performance.now();
    try {
      script = this.#isolate.compileScriptSync(code, { filename: PROGRAM_FILE, columnOffset });
    } catch (error) {
      if (this.#isolate.isDisposed) return { kind: 'memory' };
      return compileError(error);
    } finally {
      this.#charge(performance.now() - before);
    }
    return this.#within(budgetMs, (timeout) => {
      const program = script.runSync(this.#context, { timeout, reference: true });
      this.#entry.applySync(undefined, [EntryOp.start, program.derefInto()], { timeout });
    });
  }

  collect(budgetMs: number): GuestOutcome {
    let text: unknown;
    const stop = this.#within(budgetMs, (timeout) => {
      text = this.#entry.applySync(undefined, [EntryOp.collect], { timeout });
    });
    if (stop.kind !== 'idle') return stop;
    if (typeof text !== 'string') return { kind: 'broken', message: 'the guest did not answer' };
    if (this.#unhandled.isEmpty || (text[0] !== 'D' && text[0] !== 'S')) return { kind: 'turn', text };
    return this.#judge(text, budgetMs);
  }

  /** A program that is at its end, or stuck, has failed when a rejection is left that nobody observed. */
  #judge(text: string, budgetMs: number): GuestOutcome {
    let notes: unknown;
    const stop = this.#within(budgetMs, (timeout) => {
      notes = this.#entry.applySync(undefined, [EntryOp.lateNotes], { timeout });
    });
    if (stop.kind !== 'idle') return stop;
    const failure = this.#unhandled.judge(typeof notes === 'string' ? notes : '[]');
    return { kind: 'turn', text: failure === undefined ? text : `F${JSON.stringify(failure)}` };
  }

  /** A throw that is neither the engine's own stop nor ours is a rejection that nobody handled in that entry. */
  #within(budgetMs: number, enter: (timeout: number) => void): GuestStop {
    const timeout = Math.max(1, Math.ceil(budgetMs));
    const hostBefore = this.#hostMs;
    const before = performance.now();
    let thrown: { readonly error: unknown } | undefined;
    try {
      enter(timeout);
    } catch (error) {
      thrown = { error };
    }
    // The engine's own clock stands still too while the guest is inside a host call.
    const busy = performance.now() - before - (this.#hostMs - hostBefore);
    this.#charge(busy);
    if (thrown === undefined) return IDLE;
    const isOver = busy >= timeout - 1;
    this.#isStopped = this.#isolate.isDisposed || isOver;
    if (this.#calls.overflowed) return { kind: 'output' };
    if (isOver) return { kind: 'timeout' };
    if (this.#isStopped) return { kind: 'memory' };
    const first = this.#unhandled.isEmpty;
    this.#unhandled.add(thrown.error);
    return first ? this.#watch(timeout - busy) : IDLE;
  }

  /** A loaded machine stretches an entry: what it gave to others meanwhile is not charged. */
  #charge(busyMs: number): void {
    let charged = busyMs;
    if (busyMs >= LONG_MS) {
      const cpuMs = processCpuMs();
      charged = Math.min(busyMs, cpuMs - this.#cpuMs);
      this.#cpuMs = cpuMs;
    }
    this.#computeMs += Math.max(0, charged);
  }

  #watch(budgetMs: number): GuestStop {
    return this.#within(budgetMs, (timeout) =>
      this.#entry.applySync(undefined, [EntryOp.lateNotes], { timeout }),
    );
  }

  flush(): void {
    if (this.#isolate.isDisposed || !this.#calls.mayHoldLogs) return;
    // Entering runs what the program left to do: nobody hears it, and it ends with the isolate.
    this.#calls.expectLastWords();
    this.#within(FLUSH_MS, (timeout) => this.#entry.applySync(undefined, [EntryOp.lastWords], { timeout }));
  }

  get computeMs(): number {
    return this.#computeMs;
  }

  get heapBytes(): number {
    // Asking enters the isolate and runs the jobs that are left, without any limit: only a guest that has none is asked.
    if (!this.#isStopped && !this.#isolate.isDisposed) this.#measureHeap();
    return this.#heapBytes;
  }

  #measureHeap(): void {
    try {
      const heap = this.#isolate.getHeapStatisticsSync();
      this.#heapBytes = Math.max(this.#heapBytes, heap.used_heap_size + heap.externally_allocated_size);
    } catch {
      // An isolate that is at its limit may end by being asked: what is known stays.
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#calls.close();
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}

/**
 * What the engine says of a reason that it cannot copy; asked of the engine itself, since it is nobody's contract, and of a
 * guest that is being built, since a process that has its memory limit may not be able to build another isolate.
 */
function messageOfOpaque(fresh: IsolatedVm.Context): string {
  try {
    fresh.evalSync('throw {}');
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The engine gives the place of a syntax error in its message only. */
function compileError(error: unknown): GuestStop {
  const text = error instanceof Error ? error.message : String(error);
  const place = /^(.*) \[[^[\]]*:(\d+):(\d+)\]$/s.exec(text);
  return {
    kind: 'compile-error',
    message: place?.[1] ?? text,
    line: Number(place?.[2] ?? 0),
    column: Number(place?.[3] ?? 0),
  };
}
