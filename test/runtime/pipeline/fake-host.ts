import type { ApprovalService } from '#dist/runtime/contract/approval.js';
import type { ContentBlock, UserMessage } from '#dist/runtime/contract/content.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolEvents } from '#dist/runtime/contract/events.js';
import type {
  ToolExecution,
  ToolExecutionInput,
  ToolExecutionPipeline,
  ToolRunContext,
} from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import type { Agent, ResolvedToolSet, ScopeKey } from '#dist/runtime/contract/scope.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import type { PipelineEvent, PipelineHost } from '#dist/runtime/pipeline/host.js';
import { createPipeline } from '#dist/runtime/pipeline/pipeline.js';

/** One observed result with its execution. */
export interface Observed {
  readonly exec: Readonly<ToolExecution>;
  readonly result: Readonly<ToolExecutionResult>;
}

/** A host that a test arranges by hand, with everything it was asked written down. */
export interface FakeHost extends PipelineHost {
  readonly tools: Map<string, ToolDefinition>;
  readonly guards: ((exec: ToolExecution) => string | undefined)[];
  approvals: ApprovalService | undefined;
  readonly warnings: { readonly message: string; readonly cause: unknown }[];
  readonly observed: Observed[];
  readonly asked: { readonly event: PipelineEvent; readonly scope: ScopeKey | undefined }[];
  /** Appends a listener, innermost so far. */
  on<E extends PipelineEvent>(event: E, listener: ToolEvents[E], scope?: ScopeKey): void;
  readonly pipeline: ToolExecutionPipeline;
}

/** A host with the given tools; it observes every result through the event itself. */
export function fakeHost(...tools: ToolDefinition[]): FakeHost {
  const listeners = new Map<PipelineEvent, { listener: unknown; scope: ScopeKey | undefined }[]>();
  const host: FakeHost = {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    guards: [],
    approvals: undefined,
    warnings: [],
    observed: [],
    asked: [],
    executable: (name, scope, toolSet) =>
      (toolSet === undefined ? host.tools : toolSet.view(scope)).get(name),
    visible: (name, scope, toolSet) => (toolSet === undefined ? host.tools : toolSet.view(scope)).has(name),
    listeners: <E extends PipelineEvent>(event: E, scope: ScopeKey | undefined) => {
      host.asked.push({ event, scope });
      return (listeners.get(event) ?? [])
        .filter((entry) => entry.scope === undefined || entry.scope === scope)
        .map(({ listener }) => listener as ToolEvents[E]);
    },
    checkGuards: (exec) => {
      for (const guard of host.guards) {
        const reason = guard(exec);
        if (reason !== undefined) return reason;
      }
      return undefined;
    },
    approval: () => host.approvals,
    warn: (message, cause) => {
      host.warnings.push({ message, cause });
    },
    on: (event, listener, scope) => {
      const list = listeners.get(event) ?? [];
      list.push({ listener, scope });
      listeners.set(event, list);
    },
    get pipeline() {
      return pipeline;
    },
  };
  const pipeline = createPipeline(host);
  host.on('tools/result', (exec, result) => {
    host.observed.push({ exec, result });
  });
  return host;
}

/** A tool with any output whose content says its value. */
export function fakeTool(overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'echo',
    description: 'Gives its arguments back',
    parameters: { type: 'object' },
    output: { schema: {}, render: (_args, value) => [text(`value ${JSON.stringify(value)}`)] },
    execute: async (args) => args,
    ...overrides,
  };
}

/** An input for `echo` with a live signal. */
export function callInput(overrides: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
  return {
    callId: toolCallId('call_1'),
    name: 'echo',
    arguments: { a: 1 },
    signal: new AbortController().signal,
    ...overrides,
  };
}

export function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

export function context(value: string): UserMessage {
  return { role: 'user', content: [text(value)], source: { kind: 'plugin', plugin: 'test' } };
}

export function agent(id = 'agent_1', parent?: Agent): Agent {
  return parent === undefined ? { id } : { id, parent };
}

/** A set that admits exactly the given tools, until it is disposed. */
export function toolSet(...tools: ToolDefinition[]): ResolvedToolSet {
  let admitted = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    dispose: () => {
      admitted = new Map();
    },
    view: () => admitted,
  };
}

/** A promise with its resolver, for order without clocks. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The two parts of a failure that a model and a log see. */
export function failureParts(result: ToolExecutionResult): unknown {
  return { message: result.error?.message, info: result.error?.info, content: result.content };
}

/** What the failure of a coded error looks like through {@link failureParts}. */
export function coded(name: string, code: string, message: string): unknown {
  return { message, info: { name, code }, content: [text(`Error: ${message}`)] };
}

export function uncoded(message: string): unknown {
  return { message, info: undefined, content: [text(`Error: ${message}`)] };
}

export type { ToolRunContext };
