import type { ToolBatchInput } from '#dist/runtime/contract/batch.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { type NativeExecutorOptions, nativeExecutor } from '#dist/runtime/executor/native-executor.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { recordingAgent } from '../../support/recording-agent.ts';

/** A service with the native executor, an agent with a session, and batches of calls named like their tools. */
export function nativeHost(options?: NativeExecutorOptions) {
  const tools = createTools({ onWarning() {} });
  tools.setExecutor(nativeExecutor(options));
  const agent = recordingAgent();
  const controller = new AbortController();
  const batch = (names: readonly string[], overrides: Partial<ToolBatchInput> = {}): ToolBatchInput => ({
    calls: names.map((name, i) => ({ callId: toolCallId(`c${i + 1}`), name, arguments: '{}' })),
    signal: controller.signal,
    agent,
    log: { turn: 1, step: 2 },
    ...overrides,
  });
  return {
    tools,
    agent,
    controller,
    batch,
    run: (names: readonly string[], overrides?: Partial<ToolBatchInput>) =>
      tools.execute(batch(names, overrides)),
    /** `call c1`, `result c1 ok`, … as the session has them. */
    lines: () =>
      agent.events.map(({ type, payload }) => {
        const end = type === 'tool/call' ? '' : payload['isError'] === true ? ' failed' : ' ok';
        return `${type.slice(5)} ${payload['callId']}${end}`;
      }),
  };
}
