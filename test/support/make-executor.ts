import type { ToolBatchInput, ToolBatchResult } from '#dist/runtime/contract/batch.js';
import type { ToolExecutor, ToolExecutorHost, ToolPromptSection } from '#dist/runtime/contract/executor.js';

export const emptyBatchResult: ToolBatchResult = { results: [], additionalContexts: [], concluded: false };

/** An executor that lists names only and records the batches it is given. */
export function makeExecutor(label: string, sections?: readonly ToolPromptSection[]) {
  const batches: ToolBatchInput[] = [];
  const hosts: ToolExecutorHost[] = [];
  const executor: ToolExecutor = {
    ...(sections === undefined ? {} : { sections }),
    describe: (tools) => ({
      schemas: [{ name: label, description: tools.map(({ name }) => name).join(' '), parameters: {} }],
      knownNames: [label],
    }),
    execute: async (batch, host) => {
      batches.push(batch);
      hosts.push(host);
      return emptyBatchResult;
    },
  };
  return { executor, batches, hosts };
}
