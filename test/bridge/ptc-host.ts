import { type PtcExecutorOptions, ptcExecutor } from '#dist/bridge/index.js';
import type { ToolBatchInput, ToolBatchResult } from '#dist/runtime/contract/batch.js';
import type { CodeRunResult, CodeRuntime } from '#dist/runtime/contract/code-runtime.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { type FakeRuntime, fakeRuntime, type Play } from '../support/fake-runtime.ts';
import { recordingAgent } from '../support/recording-agent.ts';

export interface PtcHostOptions extends Partial<Omit<PtcExecutorOptions, 'runtime'>> {
  readonly plays?: Readonly<Record<string, Play>>;
  readonly runtime?: Partial<CodeRuntime>;
}

/** A service that presents programs, over a runtime that plays them. */
export function ptcHost({ plays = {}, runtime: overrides, ...options }: PtcHostOptions = {}) {
  const warnings: { readonly message: string; readonly cause: unknown }[] = [];
  const runs: { readonly exec: ToolExecution; readonly result: CodeRunResult }[] = [];
  const tools = createTools({ onWarning: (message, cause) => void warnings.push({ message, cause }) });
  const runtime: FakeRuntime = fakeRuntime(plays, overrides);
  tools.setExecutor(
    ptcExecutor({ runtime, onRun: (exec, result) => void runs.push({ exec, result }), ...options }),
  );
  const agent = recordingAgent();
  const controller = new AbortController();
  const execute = (
    args: Record<string, unknown>,
    overrides: Partial<ToolBatchInput> = {},
  ): Promise<ToolBatchResult> =>
    tools.execute({
      calls: [{ callId: toolCallId('outer'), name: 'run_code', arguments: JSON.stringify(args) }],
      signal: controller.signal,
      agent,
      ...overrides,
    });
  return {
    tools,
    runtime,
    agent,
    controller,
    warnings,
    runs,
    execute,
    /** Runs a play by its name. */
    async run(code: string, overrides?: Partial<ToolBatchInput>): Promise<ToolExecutionResult> {
      const { results } = await execute({ code, description: 'a test' }, overrides);
      return results[0]!.result;
    },
    /** `start 1 read`, `end 1 ok`, … as the session has them. */
    lines: () =>
      agent.events
        .filter(({ type }) => type.startsWith('tool/ptc'))
        .map(({ type, payload }) => {
          const n = String(payload['subCallId']).split(':ptc:')[1];
          if (type === 'tool/ptc-dispatch-start') return `start ${n} ${payload['name']}`;
          return `end ${n} ${payload['isError'] === true ? 'failed' : 'ok'}`;
        }),
  };
}

/** What a model reads, as one text. */
export function textOf(result: ToolExecutionResult): string {
  return result.content.map((block) => ('text' in block ? String(block.text) : `[${block.type}]`)).join('\n');
}
