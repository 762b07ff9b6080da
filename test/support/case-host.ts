import {
  type Agent,
  type ApprovalService,
  type CodeRunResult,
  createTools,
  defineTool,
  type JsonValue,
  ptcExecutor,
  sandboxRuntime,
  type ToolDefinition,
  type ToolExecutionResult,
  type ToolsService,
  toolCallId,
} from 'ptc-runtime';
import { toolTimeout } from 'ptc-runtime/policies';

/** Options of one host; a case names them in its header. */
export interface CaseHostOptions {
  readonly engine: 'isolated-vm' | 'quickjs';
  readonly placement?: 'process' | 'in-process';
  readonly computeMs?: number;
  readonly wallMs?: number;
  readonly memoryMb?: number;
  readonly maxOutputBytes?: number;
  readonly maxContentBytes?: number;
  readonly maxCalls?: number;
  readonly approval?: ApprovalService;
  readonly tools?: readonly ToolDefinition[];
  readonly pauseWallDuringApprovals?: boolean;
  /** Registers policies once the tools are there. */
  readonly setup?: (tools: ToolsService, agent: Agent) => void;
}

/** One event of the agent's session. */
export interface LoggedEvent {
  readonly type: string;
  readonly payload: Record<string, JsonValue>;
}

/** What came of one program. */
export interface CaseOutcome {
  readonly result: ToolExecutionResult;
  readonly run: CodeRunResult;
  readonly text: string;
}

/** A host with the fake tools that the cases use, and what they did. */
export interface CaseHost {
  readonly tools: ToolsService;
  readonly events: LoggedEvent[];
  /** Tags that `record` was called with, in order. */
  readonly recorded: string[];
  /** Names of the tools whose body ran, in order. */
  readonly bodies: string[];
  readonly agent: Agent;
  run(program: string, signal?: AbortSignal): Promise<CaseOutcome>;
  dispose(): Promise<void>;
}

const open = { additionalProperties: true } as const;
const json = {
  schema: { type: 'json' },
  render: (_: unknown, value: JsonValue) => [{ type: 'text', text: JSON.stringify(value) ?? '' }],
} as const;

/** Makes a host on one engine; the caller disposes it. */
export function caseHost(options: CaseHostOptions): CaseHost {
  const {
    engine,
    placement = 'process',
    approval,
    maxContentBytes,
    tools: extra = [],
    setup,
    ...budgets
  } = options;
  const tools = createTools({ ...(approval ? { approval } : {}), onWarning() {} });
  const runtime = sandboxRuntime({ engine, placement, onWarning() {}, ...budgets });
  const events: LoggedEvent[] = [];
  const recorded: string[] = [];
  const bodies: string[] = [];
  let lastRun: CodeRunResult | undefined;
  let counter = 0;
  let calls = 0;
  const agent: Agent = {
    id: 'case-agent',
    session: {
      id: 'case-session',
      append(type, payload) {
        events.push({ type, payload: payload as Record<string, JsonValue> });
        return { seq: events.length };
      },
    },
  };

  const fakes: ToolDefinition[] = [
    defineTool({
      name: 'echo',
      description: 'Returns its arguments.',
      parameters: {},
      output: json,
      isConcurrencySafe: () => true,
      execute: async (args) => args as JsonValue,
    }),
    defineTool({
      name: 'add',
      description: 'Adds two numbers.',
      parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
      output: { schema: { type: 'number' }, render: (_, value) => [{ type: 'text', text: String(value) }] },
      isConcurrencySafe: () => true,
      execute: async ({ a, b }) => a + b,
    }),
    defineTool({
      name: 'fail',
      description: 'Fails with the message.',
      parameters: { message: { type: 'string', required: true } },
      output: json,
      isConcurrencySafe: () => true,
      execute: async ({ message }) => {
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error(message);
      },
    }),
    defineTool({
      name: 'sleep',
      description: 'Waits.',
      parameters: { ms: { type: 'number', required: true } },
      output: json,
      isConcurrencySafe: () => true,
      execute: ({ ms }, exec) =>
        new Promise<JsonValue>((resolve, reject) => {
          const timer = setTimeout(() => resolve({ slept: ms }), ms);
          exec.signal.addEventListener('abort', () => {
            clearTimeout(timer);
            reject(exec.signal.reason as Error);
          });
        }),
    }),
    defineTool({
      name: 'big',
      description: 'Returns a long text.',
      parameters: { bytes: { type: 'number', required: true } },
      output: json,
      isConcurrencySafe: () => true,
      execute: async ({ bytes }) => ({ text: 'x'.repeat(bytes) }),
    }),
    defineTool({
      name: 'count',
      description: 'Counts its calls.',
      parameters: {},
      output: json,
      isConcurrencySafe: () => true,
      execute: async () => {
        counter += 1;
        return { count: counter };
      },
    }),
    defineTool({
      name: 'hang',
      description: 'Settles only when aborted.',
      parameters: {},
      output: json,
      isConcurrencySafe: () => true,
      execute: (_, exec) =>
        new Promise<JsonValue>((_resolve, reject) => {
          exec.signal.addEventListener('abort', () => reject(exec.signal.reason as Error));
        }),
    }),
    defineTool({
      name: 'list',
      description: 'Lists n rows.',
      parameters: { n: { type: 'integer', required: true } },
      output: json,
      isConcurrencySafe: () => true,
      execute: async ({ n }) => Array.from({ length: n }, (_, id) => ({ id, name: `row ${id}` })),
    }),
    defineTool({
      name: 'record',
      description: 'Records a tag.',
      parameters: { tag: { type: 'string', required: true } },
      output: json,
      execute: async ({ tag }) => {
        recorded.push(tag);
        return { ok: true };
      },
    }),
    defineTool({
      name: 'danger',
      description: 'Needs approval.',
      parameters: { target: { type: 'string', required: true } },
      output: json,
      isConcurrencySafe: () => true,
      execute: async ({ target }) => ({ hit: target }),
    }),
    defineTool({
      name: 'forbidden',
      description: 'Is never allowed.',
      parameters: {},
      output: json,
      isConcurrencySafe: () => true,
      execute: async () => null,
    }),
    defineTool({
      name: 'quota',
      description: 'Fails with a foreign error class.',
      parameters: {},
      output: json,
      isConcurrencySafe: () => true,
      execute: async () => {
        class RateLimitError extends Error {}
        throw Object.assign(new RateLimitError('slow down'), { code: 'E_RATE', retryAfter: 7 });
      },
    }),
  ];
  const replaced = new Set(extra.map(({ name }) => name));
  for (const definition of [...fakes.filter(({ name }) => !replaced.has(name)), ...extra]) {
    if (definition.name === 'run_code') continue;
    const { execute } = definition;
    tools.register({
      ...definition,
      execute: (args, exec) => {
        bodies.push(definition.name);
        return execute.call(definition, args, exec);
      },
    });
  }
  toolTimeout(tools);
  tools.on('tools/pre-execute', async (exec, next) => {
    if (exec.name === 'forbidden') return { kind: 'deny', reason: 'forbidden is not allowed here' };
    if (exec.name === 'danger') return { kind: 'ask', reason: 'danger needs a yes' };
    return next();
  });
  tools.setExecutor(
    ptcExecutor({
      runtime,
      onRun: (_, result) => {
        lastRun = result;
      },
      ...(maxContentBytes === undefined ? {} : { maxContentBytes }),
    }),
  );

  setup?.(tools, agent);

  return {
    tools,
    events,
    recorded,
    bodies,
    agent,
    async run(program, signal = new AbortController().signal) {
      calls += 1;
      lastRun = undefined;
      const args = JSON.stringify({ code: program, description: 'case' });
      const { results } = await tools.execute({
        agent,
        signal,
        calls: [{ callId: toolCallId(`case-${calls}`), name: 'run_code', arguments: args }],
      });
      const result = results[0]?.result as ToolExecutionResult;
      const text = result.content
        .map((block) => ('text' in block ? String(block.text) : `[${block.type}]`))
        .join('\n');
      if (!lastRun) throw new Error(`The program did not run: ${text}`);
      return { result, run: lastRun, text };
    },
    dispose: () => runtime.dispose(),
  };
}

/** A plain tool for a case that names its own. */
export function namedTool(name: string): ToolDefinition {
  return {
    name,
    description: `The tool ${name}`,
    parameters: { type: 'object', properties: {}, ...open },
    output: { schema: {}, render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }] },
    isConcurrencySafe: () => true,
    execute: async (args) => ({ reached: name, args: args as JsonValue }),
  };
}
