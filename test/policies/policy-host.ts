import type { ToolExecutionInput } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { recordingAgent } from '../support/recording-agent.ts';

let ids = 0;

/** A service with one agent whose session keeps its events; `call` is a direct call through the pipeline. */
export function policyHost() {
  const warnings: string[] = [];
  const tools = createTools({ onWarning: (message) => void warnings.push(message) });
  const agent = recordingAgent();
  const controller = new AbortController();
  return {
    tools,
    agent,
    controller,
    warnings,
    call(
      name: string,
      args: unknown = {},
      overrides: Partial<ToolExecutionInput> = {},
    ): Promise<ToolExecutionResult> {
      ids += 1;
      return tools.pipeline.execute({
        callId: toolCallId(`call-${ids}`),
        name,
        arguments: args,
        agent,
        signal: controller.signal,
        ...overrides,
      });
    },
  };
}

/** What a model reads, as one text. */
export function textOf(result: ToolExecutionResult): string {
  return result.content.map((block) => ('text' in block ? String(block.text) : `[${block.type}]`)).join('\n');
}

/** The code of a failure, or its message where it has none; `ok` for a success. */
export function outcomeOf(result: ToolExecutionResult): string {
  if (!result.isError) return 'ok';
  return result.error.info?.code ?? result.error.message;
}
