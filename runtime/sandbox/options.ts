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
  /** Programs that may run in one process at once; above 1 they share a fate. @default 1 */
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

const KNOWN = Object.keys({
  engine: 0,
  placement: 0,
  computeMs: 0,
  wallMs: 0,
  pauseWallDuringApprovals: 0,
  memoryMb: 0,
  maxOutputBytes: 0,
  maxLogEntries: 0,
  maxMessageBytes: 0,
  maxQueuedBytes: 0,
  maxPendingCalls: 0,
  maxCalls: 0,
  maxTimers: 0,
  maxSourceBytes: 0,
  maxDepth: 0,
  runsPerProcess: 0,
  minIdle: 0,
  maxProcesses: 0,
  maxWaitingProcesses: 0,
  maxQueue: 0,
  recycleAfter: 0,
  graceMs: 0,
  onWarning: 0,
} satisfies Record<keyof SandboxOptions, 0>) as (keyof SandboxOptions)[];

/**
 * Applies the defaults and checks every option.
 *
 * @throws {TypeError} when an option is unknown or out of range; the message names it, what was wanted and what came
 * @example
 * resolveSandboxOptions({ computeMs: 500 }).limits.computeMs // 500
 */
export function resolveSandboxOptions(options: SandboxOptions = {}): ResolvedSandboxOptions {
  knownOptions('sandboxRuntime', options, KNOWN);
  const limits: GuestLimits = {
    computeMs: timerMs('computeMs', options.computeMs ?? 10_000),
    memoryMb: integerFrom('memoryMb', options.memoryMb ?? 128, MIN_MEMORY_MB),
    maxMessageBytes: positiveInteger('maxMessageBytes', options.maxMessageBytes ?? 16 * MIB),
    maxQueuedBytes: positiveInteger('maxQueuedBytes', options.maxQueuedBytes ?? 32 * MIB),
    maxPendingCalls: positiveInteger('maxPendingCalls', options.maxPendingCalls ?? 128),
    maxCalls: positiveInteger('maxCalls', options.maxCalls ?? 10_000),
    maxTimers: positiveInteger('maxTimers', options.maxTimers ?? 10_000),
    maxSourceBytes: positiveInteger('maxSourceBytes', options.maxSourceBytes ?? MIB),
    maxDepth: positiveInteger('maxDepth', options.maxDepth ?? 2000),
    maxOutputBytes: integerFrom('maxOutputBytes', options.maxOutputBytes ?? 8 * MIB, MIN_OUTPUT_BYTES),
    maxLogEntries: positiveInteger('maxLogEntries', options.maxLogEntries ?? 100_000),
  };
  return {
    ...limits,
    limits,
    engine: oneOf('engine', options.engine ?? 'auto', ['auto', 'isolated-vm', 'quickjs']),
    placement: oneOf('placement', options.placement ?? 'process', ['process', 'in-process']),
    wallMs: timerMs('wallMs', options.wallMs ?? 120_000),
    pauseWallDuringApprovals: flag('pauseWallDuringApprovals', options.pauseWallDuringApprovals ?? false),
    runsPerProcess: positiveInteger('runsPerProcess', options.runsPerProcess ?? 1),
    minIdle: nonNegativeInteger('minIdle', options.minIdle ?? 1),
    maxProcesses: positiveInteger('maxProcesses', options.maxProcesses ?? availableParallelism()),
    maxWaitingProcesses: nonNegativeInteger('maxWaitingProcesses', options.maxWaitingProcesses ?? 32),
    maxQueue: nonNegativeInteger('maxQueue', options.maxQueue ?? 1000),
    recycleAfter: positiveInteger('recycleAfter', options.recycleAfter ?? 500),
    graceMs: timerMs('graceMs', options.graceMs ?? 100),
    onWarning: functionOption('onWarning', options.onWarning ?? printWarning),
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

function integerFrom(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw optionError(name, `an integer of at least ${least}`, value);
}

function printWarning(message: string): void {
  process.emitWarning(message, 'SandboxWarning');
}
