import type { ContentBlock } from '../contract/content.js';
import type { PostToolDecision } from '../contract/decisions.js';
import type { ToolEvents } from '../contract/events.js';
import type { ToolExecutionFailure, ToolExecutionResult } from '../contract/result.js';
import { received } from '../core/option-error.js';
import { runWaterfall } from '../core/waterfall.js';
import { type Call, resolveDefinition } from './call.js';
import { cancelledIfAborted } from './cancellation.js';
import { runHook } from './captured-hooks.js';
import { takeBlocks, takeContexts } from './materialise.js';
import { appendContexts, withContent } from './outcome.js';
import { buildSuccess } from './success.js';
import { unknownTool } from './unknown-tool.js';

const ACCEPT: PostToolDecision = Object.freeze({ kind: 'accept' });
const WHAT = 'the decision of "tools/post-execute"';
const NO_FEEDBACK = 'The result was blocked by a policy';

/**
 * The tool's own projection, then the listeners' decision.
 *
 * @returns deep-frozen; synchronous when no listener is registered
 * @throws whatever the projection or a listener throws, or a decision that cannot be taken
 */
export function review(
  call: Call,
  result: ToolExecutionResult,
): ToolExecutionResult | Promise<ToolExecutionResult> {
  const projected = projectContent(call, result);
  const listeners = call.host.listeners('tools/post-execute', call.execution.agent);
  return listeners.length === 0 ? cancelledIfAborted(call, projected) : decide(call, projected, listeners);
}

function projectContent(call: Call, result: ToolExecutionResult): ToolExecutionResult {
  const { hooks, execution } = call;
  if (hooks.projectContent === undefined) return result;
  const content = runHook(hooks, hooks.projectContent, execution, result);
  return content === undefined
    ? result
    : withContent(result, content, `the projected content of "${execution.name}"`);
}

async function decide(
  call: Call,
  result: ToolExecutionResult,
  listeners: readonly ToolEvents['tools/post-execute'][],
): Promise<ToolExecutionResult> {
  const raw: unknown = await runWaterfall(listeners, [call.execution, result], async () => ACCEPT);
  return cancelledIfAborted(call, applyDecision(call, result, raw));
}

function applyDecision(call: Call, result: ToolExecutionResult, raw: unknown): ToolExecutionResult {
  if (typeof raw !== 'object' || raw === null) throw notADecision(raw);
  const { kind, additionalContexts } = raw as Partial<PostToolDecision>;
  if (kind === 'block') {
    return appendContexts(
      blocked((raw as { readonly feedback?: unknown }).feedback),
      takeContexts(additionalContexts, `the contexts of ${WHAT}`),
    );
  }
  if (kind !== 'accept') throw notADecision(kind);
  // Own keys count, not their values: a spread that carries `value: undefined` along has replaced the value.
  const hasContent = Object.hasOwn(raw, 'content');
  const hasValue = Object.hasOwn(raw, 'value');
  if (hasContent && hasValue) {
    throw new TypeError(`Cannot take ${WHAT}: wanted "content" or "value", received both`);
  }
  const contexts = takeContexts(additionalContexts, `the contexts of ${WHAT}`);
  if (hasValue) return appendContexts(replaceValue(call, result, raw), contexts);
  if (!hasContent) return appendContexts(result, contexts);
  const { content } = raw as { readonly content?: unknown };
  return appendContexts(withContent(result, content, `the content of ${WHAT}`), contexts);
}

function replaceValue(call: Call, result: ToolExecutionResult, decision: object): ToolExecutionResult {
  const { name } = call.execution;
  if (result.isError) {
    throw new TypeError(`Cannot replace the value of "${name}": wanted a success, received a failure`);
  }
  const definition = resolveDefinition(call.host, call.execution);
  if (definition === undefined) throw unknownTool(name);
  const replaced = buildSuccess(call, definition, (decision as { readonly value?: unknown }).value);
  return appendContexts(replaced, result.additionalContexts ?? []);
}

function blocked(feedback: unknown): ToolExecutionFailure {
  const content = takeBlocks(feedback, `the feedback of ${WHAT}`);
  const message = content.map(asLine).join('\n');
  return Object.freeze({
    isError: true,
    error: Object.freeze({ message: message === '' ? NO_FEEDBACK : message }),
    content,
  });
}

function asLine(block: ContentBlock): string {
  return block.type === 'text' ? (block as { readonly text: string }).text : `[${block.type}]`;
}

function notADecision(raw: unknown): TypeError {
  return new TypeError(`Cannot take ${WHAT}: wanted the kind "accept" or "block", received ${received(raw)}`);
}
