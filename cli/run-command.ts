import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { createTypeChecker, ptcExecutor, type TypeCheckMode } from '../bridge/index.js';
import type { CodeRunResult } from '../runtime/contract/code-runtime.js';
import { createTools, sandboxRuntime, TRANSPORT_NAME, toolCallId } from '../runtime/index.js';
import { followCalls } from './call-log.js';
import { EXIT } from './exit.js';
import { showProgress, silentProgress } from './progress.js';
import { useRunPolicies } from './run-policies.js';
import { contentText, runReport } from './run-report.js';
import { type SandboxFlags, sandboxBudgets } from './sandbox-options.js';
import { openToolSources, type ToolSources } from './tool-sources.js';
import { UsageError } from './usage-error.js';

/** The options of `ptc run`, parsed. */
export interface RunOptions extends ToolSources, SandboxFlags {
  readonly check: TypeCheckMode;
  /** A rules file. */
  readonly policy?: string;
  readonly description?: string;
  readonly json: boolean;
}

/**
 * Runs one program and prints its result.
 *
 * @param file - the program; `-` is standard input
 * @returns the exit code: 0 success, 1 failure, 130 interrupted
 * @throws {UsageError} when the program or a source of tools cannot be read
 * @example
 * process.exitCode = await runCommand('report.ts', { tools: [], mcp: [], allowMissing: false, check: 'off', json: false });
 */
export async function runCommand(file: string, options: RunOptions): Promise<number> {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt);
  const warn = (line: string): void => void process.stderr.write(`ptc: ${line}\n`);
  try {
    const code = await readProgram(file);
    const tools = createTools({ onWarning: warn });
    const terminal = { input: process.stdin, output: process.stderr };
    await useRunPolicies(tools, { policy: options.policy, program: code, terminal, warn });
    let run: CodeRunResult | undefined;
    const runtime = sandboxRuntime({
      ...sandboxBudgets(options),
      pauseWallDuringApprovals: true,
      onWarning: warn,
    });
    // It starts while the sources do; why it does not, if so, is what the run says.
    runtime.warm().catch(() => {});
    const sources = await openToolSources(tools, options, warn).catch(async (error: unknown) => {
      await runtime.dispose();
      throw error;
    });
    const progress = options.json ? silentProgress : showProgress(process.stderr);
    const calls = followCalls(tools, progress);
    const checker = createTypeChecker({ mode: options.check, onUnavailable: warn });
    tools.setExecutor(
      ptcExecutor({
        runtime,
        check: checker.check,
        onRun: (_, result) => {
          run = result;
        },
        ...(options.maxParallel === undefined ? {} : { maxParallelSubCalls: options.maxParallel }),
      }),
    );
    try {
      const description = options.description ?? (file === '-' ? 'program from standard input' : file);
      const { results } = await tools.execute({
        agent: { id: 'ptc' },
        signal: abort.signal,
        calls: [
          {
            callId: toolCallId('run'),
            name: TRANSPORT_NAME,
            arguments: JSON.stringify({ code, description }),
          },
        ],
      });
      progress.end();
      const result = results[0]?.result;
      if (!result) throw new Error('The run ended without a result');
      const output = options.json ? JSON.stringify(runReport(result, run, calls())) : contentText(result);
      await print(`${output}\n`);
      if (abort.signal.aborted) return EXIT.interrupted;
      return result.isError ? EXIT.failed : EXIT.ok;
    } finally {
      await Promise.all([runtime.dispose(), checker.dispose(), sources.close()]);
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function readProgram(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  return readFile(file, 'utf8').catch((cause: Error) => {
    throw new UsageError(`Cannot read program "${file}": ${cause.message}`, { cause });
  });
}

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
