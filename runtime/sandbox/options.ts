import { availableParallelism } from 'node:os';
import { optionError } from '../core/option-error.js';
import {
  flag,
  functionOption,
  knownOptions,
  nonNegativeInteger,
  oneOf,
  positiveInteger,
  timerMs,
} from '../core/options.js';
import type { GuestLimits } from './wire.js';

/** Which engine runs programs; `auto` takes isolated-vm where it loads, else QuickJS. */
export type SandboxEngine = 'auto' | 'isolated-vm' | 'quickjs';

/** Where programs run: in processes of their own, or in the host's (trusted programs only). */
export type SandboxPlacement = 'process' | 'in-process';

/** Options of `sandboxRuntime`. All are checked when the runtime is made. */
export interface SandboxOptions {
  /** @default 'auto' */
  readonly engine?: SandboxEngine;
  /** @default 'process' */
  readonly placement?: SandboxPlacement;
  /** Busy time of the program, ms; waiting costs nothing. @default 10000 */
  readonly computeMs?: number;
  /** Time from the start of a program to its end, ms; time in the queue does not count. @default 120000 */
  readonly wallMs?: number;
  /** Whether `wallMs` stands still while a call holds it (`CodeBindingCall.pauseWall`), e.g. for an approval. @default false */
  readonly pauseWallDuringApprovals?: boolean;
  /** Heap of the program, MiB, at least 8. The whole process may grow by 1.5 times as much. @default 128 */
  readonly memoryMb?: number;
  /** UTF-8 bytes of JSON of a run's logs and its value or failure message together, at least 4. @default 8388608 */
  readonly maxOutputBytes?: number;
  /** Log entries of a run. @default 100000 */
  readonly maxLogEntries?: number;
  /** UTF-8 bytes of JSON of one call's arguments, or of one result; a result over it rejects. @default 16777216 */
  readonly maxMessageBytes?: number;
  /** UTF-8 bytes that may be under way in one direction; what is over it waits. @default 33554432 */
  readonly maxQueuedBytes?: number;
  /** Calls that a program may have in flight; more wait inside it. @default 128 */
  readonly maxPendingCalls?: number;
  /** Calls of one run; the call over it rejects. @default 10000 */
  readonly maxCalls?: number;
  /** Timers that a program may have armed at once. @default 10000 */
  readonly maxTimers?: number;
  /** UTF-8 bytes of a program. @default 1048576 */
  readonly maxSourceBytes?: number;
  /** Levels of arrays and objects in any value that crosses. @default 2000 */
  readonly maxDepth?: number;
  /** Programs that may run in one process at once; above 1 they share a fate: for trusted programs only. @default 1 */
  readonly runsPerProcess?: number;
  /** Ready processes kept beside those at work, from the first run on. @default 1 */
  readonly minIdle?: number;
  /** Processes whose programs may compute at once. @default the number of cores */
  readonly maxProcesses?: number;
  /** Processes kept beyond that whose programs only wait, for calls or timers. @default 32 */
  readonly maxWaitingProcesses?: number;
  /** Runs that may wait for a process; one more is refused as `sandbox-unavailable`. @default 1000 */
  readonly maxQueue?: number;
  /** Runs after which a process is replaced. @default 500 */
  readonly recycleAfter?: number;
  /** What an engine may overrun its budget before its process is killed, ms. @default 100 */
  readonly graceMs?: number;
  /** Told of what a deployment should know, e.g. that the engine is not the first choice. @default writes to stderr */
  readonly onWarning?: (message: string, cause?: unknown) => void;
}

/** {@link SandboxOptions} with nothing left open. */
export interface ResolvedSandboxOptions extends Required<SandboxOptions> {
  readonly limits: GuestLimits;
}

const MIB = 1024 * 1024;

/** The smallest heap with which every engine starts. */
const MIN_MEMORY_MB = 8;

/** Brackets of an empty log and quotes of an empty message. */
const MIN_OUTPUT_BYTES = 4;

const DEFAULTS = {
  computeMs: 10_000,
  memoryMb: 128,
  maxMessageBytes: 16 * MIB,
  maxQueuedBytes: 32 * MIB,
  maxPendingCalls: 128,
  maxCalls: 10_000,
  maxTimers: 10_000,
  maxSourceBytes: MIB,
  maxDepth: 2000,
  maxOutputBytes: 8 * MIB,
  maxLogEntries: 100_000,
  engine: 'auto',
  placement: 'process',
  wallMs: 120_000,
  pauseWallDuringApprovals: false,
  runsPerProcess: 1,
  minIdle: 1,
  maxProcesses: availableParallelism(),
  maxWaitingProcesses: 32,
  maxQueue: 1000,
  recycleAfter: 500,
  graceMs: 100,
  onWarning: printWarning,
} satisfies Required<SandboxOptions>;

/**
 * Applies the defaults and checks every option.
 *
 * @throws {TypeError} when an option is unknown or out of range; the message names it, what was wanted and what came
 * @example
 * resolveSandboxOptions({ computeMs: 500 }).limits.computeMs // 500
 */
export function resolveSandboxOptions(options: SandboxOptions = {}): ResolvedSandboxOptions {
  knownOptions('sandboxRuntime', options, Object.keys(DEFAULTS) as (keyof SandboxOptions)[]);
  const given = { ...DEFAULTS, ...defined(options) };
  const limits: GuestLimits = {
    computeMs: timerMs('computeMs', given.computeMs),
    memoryMb: integerFrom('memoryMb', given.memoryMb, MIN_MEMORY_MB),
    maxMessageBytes: positiveInteger('maxMessageBytes', given.maxMessageBytes),
    maxQueuedBytes: positiveInteger('maxQueuedBytes', given.maxQueuedBytes),
    maxPendingCalls: positiveInteger('maxPendingCalls', given.maxPendingCalls),
    maxCalls: positiveInteger('maxCalls', given.maxCalls),
    maxTimers: positiveInteger('maxTimers', given.maxTimers),
    maxSourceBytes: positiveInteger('maxSourceBytes', given.maxSourceBytes),
    maxDepth: positiveInteger('maxDepth', given.maxDepth),
    maxOutputBytes: integerFrom('maxOutputBytes', given.maxOutputBytes, MIN_OUTPUT_BYTES),
    maxLogEntries: positiveInteger('maxLogEntries', given.maxLogEntries),
  };
  return {
    ...limits,
    limits,
    engine: oneOf('engine', given.engine, ['auto', 'isolated-vm', 'quickjs']),
    placement: oneOf('placement', given.placement, ['process', 'in-process']),
    wallMs: timerMs('wallMs', given.wallMs),
    pauseWallDuringApprovals: flag('pauseWallDuringApprovals', given.pauseWallDuringApprovals),
    runsPerProcess: positiveInteger('runsPerProcess', given.runsPerProcess),
    minIdle: nonNegativeInteger('minIdle', given.minIdle),
    maxProcesses: positiveInteger('maxProcesses', given.maxProcesses),
    maxWaitingProcesses: nonNegativeInteger('maxWaitingProcesses', given.maxWaitingProcesses),
    maxQueue: nonNegativeInteger('maxQueue', given.maxQueue),
    recycleAfter: positiveInteger('recycleAfter', given.recycleAfter),
    graceMs: timerMs('graceMs', given.graceMs),
    onWarning: functionOption('onWarning', given.onWarning),
  };
}

/** JSON of a program's typed text and line map, over the bytes of the program. */
const PREPARED_SHARE = 16;

/**
 * Bytes of the largest payload that a peer may send: the calls of one turn or one call alone, beside a value and its logs; or
 * what it made of a program.
 */
export function maxPeerFrameBytes(options: ResolvedSandboxOptions): number {
  const { maxQueuedBytes, maxMessageBytes, maxOutputBytes, maxSourceBytes } = options;
  return Math.max(maxQueuedBytes, maxMessageBytes) + maxOutputBytes + PREPARED_SHARE * maxSourceBytes + MIB;
}

/** Leaves out what is `undefined`, so that it does not hide a default. */
function defined(options: SandboxOptions): SandboxOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function integerFrom(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw optionError(name, `an integer of at least ${least}`, value);
}

function printWarning(message: string): void {
  process.emitWarning(message, 'SandboxWarning');
}
