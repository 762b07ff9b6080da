import {
  createTools,
  nativeExecutor,
  type ToolBatchResult,
  type ToolsService,
  toolCallId,
} from 'ptc-runtime';

/** A service whose model calls the tools themselves. */
export function nativeTools(options: Parameters<typeof createTools>[0] = {}): ToolsService {
  const tools = createTools(options);
  tools.setExecutor(nativeExecutor());
  return tools;
}

/** Carries out one call. */
export async function callTool(
  tools: ToolsService,
  name: string,
  args: unknown,
  more: Partial<Parameters<ToolsService['execute']>[0]> = {},
): Promise<ToolBatchResult['results'][number]['result']> {
  const { results } = await tools.execute({
    calls: [{ callId: toolCallId('c1'), name, arguments: JSON.stringify(args) }],
    signal: new AbortController().signal,
    ...more,
  });
  return results[0]!.result;
}
