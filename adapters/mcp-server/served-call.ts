import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ApprovalAnswer, ApprovalRequest } from '../../runtime/contract/approval.js';
import type { ContentBlock } from '../../runtime/contract/content.js';
import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../../runtime/contract/result.js';
import type { Agent } from '../../runtime/contract/scope.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import type { ToolNotFoundError } from '../../runtime/core/errors.js';
import { toolCallId } from '../../runtime/core/ids.js';
import { mcpBlocks } from './content.js';
import { structuredSchema } from './tool-list.js';

/** How many links and sounds of sub-calls are passed on beside a result. */
const MOST_BLOCKS = 50;
const UNKNOWN: ToolNotFoundError['code'] = 'UNKNOWN_TOOL';
const PASSED_ON: ReadonlySet<string> = new Set(['resource_link', 'audio']);

/** Whoever hears of a call while it runs. */
export interface CallListener {
  progress(message: string): void;
  log(line: string): void;
  /** The call itself and each call of its program, while their tools run: what a source reports of them is of interest. */
  started(exec: ToolExecution, label: string): void;
  ended(callId: string): void;
  /** Absent where nobody can be asked. */
  readonly ask?: (
    request: ApprovalRequest,
    execution: Readonly<ToolExecution> | undefined,
  ) => Promise<ApprovalAnswer>;
}

/** A call of a client, while it runs. */
export interface ServedCall {
  /** Rejects where there is no such tool, never for what a tool or a program did. */
  readonly result: Promise<CallToolResult>;
  abort(reason: unknown): void;
}

/**
 * Makes one call of a client, with a scope of its own for what it is told and asked.
 *
 * @param agent - the identity of this call; nothing else may use it
 * @example
 * const call = serveCall(tools, { id: 'mcp-1' }, 'run_code', { code, description }, listener);
 */
export function serveCall(
  tools: ToolsService,
  agent: Agent,
  name: string,
  args: unknown,
  listener: CallListener,
): ServedCall {
  const controller = new AbortController();
  const scoped = tools.scoped(agent);
  const passedOn: ContentBlock[] = [];
  let calls = 0;
  const numbers = new Map<symbol, number>();

  scoped.on(
    'tools/pre-execute',
    (exec, next) => {
      if (exec.parent !== undefined) {
        calls += 1;
        numbers.set(exec.token, calls);
        listener.progress(`-> ${calls} ${exec.name}`);
      }
      listener.started(exec, exec.parent === undefined ? '' : `${calls} ${exec.name}`);
      return next();
    },
    { prepend: true },
  );
  scoped.on('tools/result', (exec, result) => {
    listener.ended(exec.callId);
    const n = numbers.get(exec.token);
    if (n === undefined) return;
    numbers.delete(exec.token);
    listener.progress(`<- ${n} ${exec.name} ${result.isError ? 'failed' : 'ok'}`);
    if (!result.isError) keepBlocks(passedOn, result.content);
  });
  const { ask } = listener;
  if (ask !== undefined) scoped.setApproval({ request: (request, execution) => ask(request, execution) });

  const run = async (): Promise<CallToolResult> => {
    try {
      const { results, additionalContexts } = await scoped.execute({
        agent,
        signal: controller.signal,
        calls: [{ callId: toolCallId(agent.id), name, arguments: JSON.stringify(args ?? {}) }],
      });
      const result = results[0]?.result as ToolExecutionResult;
      // One that a program may call says in its own words that only programs may.
      if (result.error?.info?.code === UNKNOWN && tools.get(name) === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      }
      const blocks = [...result.content, ...additionalContexts.flatMap(({ content }) => content)];
      return {
        content: mcpBlocks([...blocks, ...passedOn.filter((block) => !holds(blocks, block))]),
        ...(result.isError ? { isError: true } : structured(tools, name, result.value)),
      };
    } finally {
      scoped.dispose();
    }
  };
  return { result: run(), abort: (reason) => controller.abort(reason) };
}

function keepBlocks(kept: ContentBlock[], content: readonly ContentBlock[]): void {
  for (const block of content) {
    if (kept.length < MOST_BLOCKS && PASSED_ON.has(block.type) && !holds(kept, block)) kept.push(block);
  }
}

function holds(blocks: readonly ContentBlock[], wanted: ContentBlock): boolean {
  const text = JSON.stringify(wanted);
  return blocks.some((block) => block.type === wanted.type && JSON.stringify(block) === text);
}

function structured(tools: ToolsService, name: string, value: unknown): Partial<CallToolResult> {
  if (structuredSchema(tools, name) === undefined) return {};
  return { structuredContent: value as Record<string, unknown> };
}
