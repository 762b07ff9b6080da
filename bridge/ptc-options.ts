import type {
  CodeRunFailure,
  CodeRunResult,
  CodeRuntime,
  PreparedProgram,
} from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { ToolCallId, ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import { MAX_TIMER_DELAY_MS } from '../runtime/core/deadline.js';
import { optionError } from '../runtime/core/option-error.js';
import { functionOption, knownOptions, oneOf, positiveInteger } from '../runtime/core/options.js';
import { DEFAULT_PARALLEL_TOOL_CALLS } from '../runtime/executor/native-executor.js';
import type { SdkOptions } from '../sdk-gen/sdk-options.js';
import { sdkText } from '../sdk-gen/sdk-text.js';

/** An outcome that came after the bridge had stopped waiting for it. */
export interface LateOutcome {
  /** The outer `run_code` call. */
  readonly exec: ToolExecution;
  readonly subCallId: ToolCallId;
  readonly name: string;
  readonly result: ToolExecutionResult;
}

/** What a program is checked against. */
export interface CheckedProgram {
  /** The text that the model sent. */
  readonly program: string;
  /** The outer `run_code` call. */
  readonly exec: ToolExecution;
  /** The tools that the program may call. */
  readonly tools: readonly ToolDefinition[];
  /** Parts of the language's library that the engine lacks; see `CodeRuntime`. */
  readonly missingLibraries?: readonly string[] | undefined;
  /** Adds a line to what the model reads of the run; without effect when the check refuses the program. */
  note(text: string): void;
}

/**
 * Judges what the sandbox made of a program before its first statement runs.
 *
 * @returns the failure that ends the run, or nothing
 */
export type ProgramCheck = (
  prepared: PreparedProgram,
  run: CheckedProgram,
) => Promise<CodeRunFailure | undefined>;

/** What can be set of `ptcExecutor`. */
export interface PtcExecutorOptions {
  /** Runs the programs; its owner disposes it. Without one, prompts cannot be assembled and `run_code` fails. */
  readonly runtime: CodeRuntime | undefined;
  /**
   * `ptc`: a model sees `run_code` alone. `both`: it may also call the tools themselves.
   *
   * @default 'ptc'
   */
  readonly presents?: 'ptc' | 'both' | undefined;
  /**
   * At most so many bodies of one program's calls run at once; a positive integer, 1 is fully serial. Calls of tools that
   * are not concurrency-safe run alone, whatever it says.
   *
   * @default 10
   */
  readonly maxParallelSubCalls?: number | undefined;
  /** The same for the direct calls of one batch, where there are any. @default 10 */
  readonly maxParallelToolCalls?: number | undefined;
  /**
   * How long the calls that a program leaves behind may take to come to rest once they are aborted, in milliseconds; 0 is
   * not at all. One that takes longer is recorded with an unknown outcome and may still be running.
   *
   * @default 2000
   */
  readonly drainMs?: number | undefined;
  /** UTF-8 bytes of text that a model reads of one run; the canonical value stays whole. @default 65536 */
  readonly maxContentBytes?: number | undefined;
  /** Shapes the SDK text. */
  readonly sdk?: SdkOptions | undefined;
  /** Judges each program before it starts, e.g. by its types. A check that rejects fails the call. @default no check */
  readonly check?: ProgramCheck | undefined;
  /** Told of every program that ran, with the outer call; what it throws is reported and changes nothing. */
  readonly onRun?: ((exec: ToolExecution, result: CodeRunResult) => void) | undefined;
  /** Told of an outcome that came too late. @default a warning of the service */
  readonly onLateOutcome?: ((late: LateOutcome) => void) | undefined;
}

/** The same with its defaults, checked. */
export interface ResolvedPtcOptions {
  readonly runtime: CodeRuntime | undefined;
  readonly presents: 'ptc' | 'both';
  readonly maxParallelSubCalls: number;
  readonly maxParallelToolCalls: number;
  readonly drainMs: number;
  readonly maxContentBytes: number;
  readonly sdk: SdkOptions;
  readonly check: ProgramCheck | undefined;
  readonly onRun: PtcExecutorOptions['onRun'];
  readonly onLateOutcome: PtcExecutorOptions['onLateOutcome'];
}

const NAMES: readonly (keyof ResolvedPtcOptions)[] = [
  'runtime',
  'presents',
  'maxParallelSubCalls',
  'maxParallelToolCalls',
  'drainMs',
  'maxContentBytes',
  'sdk',
  'check',
  'onRun',
  'onLateOutcome',
];

/** @throws {TypeError} when an option is unknown or has no meaning */
export function resolvePtcOptions(options: PtcExecutorOptions): ResolvedPtcOptions {
  knownOptions('ptcExecutor', options, NAMES);
  const { runtime, sdk = {}, check, onRun, onLateOutcome } = options;
  const { presents = 'ptc', maxParallelSubCalls = 10, drainMs = 2000, maxContentBytes = 65_536 } = options;
  const { maxParallelToolCalls = DEFAULT_PARALLEL_TOOL_CALLS } = options;
  if (runtime !== undefined && typeof runtime?.run !== 'function') {
    throw optionError('runtime', 'a code runtime', runtime);
  }
  if (check !== undefined) functionOption('check', check);
  if (onRun !== undefined) functionOption('onRun', onRun);
  if (onLateOutcome !== undefined) functionOption('onLateOutcome', onLateOutcome);
  // A bad option of the text fails here, not the first prompt.
  sdkText([], sdk);
  return {
    runtime,
    presents: oneOf('presents', presents, ['ptc', 'both']),
    maxParallelSubCalls: positiveInteger('maxParallelSubCalls', maxParallelSubCalls),
    maxParallelToolCalls: positiveInteger('maxParallelToolCalls', maxParallelToolCalls),
    drainMs: drainTime(drainMs),
    maxContentBytes: positiveInteger('maxContentBytes', maxContentBytes),
    sdk,
    check,
    onRun,
    onLateOutcome,
  };
}

function drainTime(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= MAX_TIMER_DELAY_MS) return value;
  throw optionError('drainMs', `0 or a number of milliseconds up to ${MAX_TIMER_DELAY_MS}`, value);
}
