import type {
  CodeBindingCall,
  CodeBindingNamespace,
  CodeRunFailure,
  CodeRunRequest,
  CodeRunResult,
  CodeRuntime,
  SourcePosition,
} from '#dist/runtime/contract/code-runtime.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';

/** What a call of a program rejects with. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  constructor(
    readonly toolName: string,
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The options that a played program adds to a call; `at` is its place in the text. */
export interface FakeCallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly at?: SourcePosition;
  /** Hand over the call without saying anything of it, as a plain runtime may. */
  readonly bare?: boolean;
}

type Member = (args?: unknown, options?: FakeCallOptions) => Promise<JsonValue>;

/** What a played program can use. */
export interface World {
  readonly tools: Readonly<Record<string, Member>>;
  readonly sdk: Readonly<Record<string, (...args: unknown[]) => Promise<JsonValue>>>;
  log(line: string): void;
  readonly request: CodeRunRequest;
  /** A failure of the run itself. */
  fail(failure: CodeRunFailure): never;
}

/** A program that the fake plays: its text is only a name. */
export type Play = (world: World) => Promise<unknown> | unknown;

export interface FakeRuntime extends CodeRuntime {
  readonly requests: CodeRunRequest[];
  /** Told of each run before it starts. */
  onRun?: (request: CodeRunRequest) => void;
}

class RunEnd extends Error {
  constructor(readonly failure: CodeRunFailure) {
    super('run end');
  }
}

/**
 * Plays programs as plain async functions of the host. An abort of the request ends the run at once, as a sandbox would:
 * whatever the function still does is not heard.
 */
export function fakeRuntime(
  plays: Readonly<Record<string, Play>>,
  overrides: Partial<CodeRuntime> = {},
): FakeRuntime {
  const requests: CodeRunRequest[] = [];
  const runtime: FakeRuntime = {
    language: 'typescript',
    isolation: 'none',
    requests,
    async dispose() {},
    async run(request) {
      requests.push(request);
      runtime.onRun?.(request);
      const play = plays[request.program];
      if (play === undefined) throw new Error(`No play for ${request.program}`);
      const prepared = { typedText: request.program, lineMap: [1], form: 'body' };
      const failure = await request.beforeStart?.(prepared);
      return playOut(
        request,
        failure === undefined
          ? play
          : () => {
              throw new RunEnd(failure);
            },
      );
    },
    ...overrides,
  };
  return runtime;
}

async function playOut(request: CodeRunRequest, play: Play): Promise<CodeRunResult> {
  const logs: string[] = [];
  const calls = { count: 0 };
  const aborted = new Promise<CodeRunFailure>((resolve) => {
    const end = () => resolve({ kind: 'abort', message: String(request.signal?.reason) });
    if (request.signal?.aborted) end();
    else request.signal?.addEventListener('abort', end, { once: true });
  });
  const world: World = {
    tools: membersOf(request, calls, 'tools') as World['tools'],
    sdk: listMembersOf(request, calls),
    log: (line) => void logs.push(line),
    request,
    fail: (failure) => {
      throw new RunEnd(failure);
    },
  };
  const body = (async (): Promise<{ value?: unknown; error?: CodeRunFailure }> => {
    try {
      return { value: await play(world) };
    } catch (thrown) {
      if (thrown instanceof RunEnd) return { error: thrown.failure };
      const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
      return { error: { kind: 'exception', message } };
    }
  })();
  const outcome = await Promise.race([body, aborted.then((error) => ({ error, value: undefined }))]);
  return {
    logs,
    ...(outcome.value !== undefined && { value: outcome.value as JsonValue }),
    ...(outcome.error !== undefined && { error: outcome.error }),
    stats: {
      wallMs: 0,
      computeMs: 0,
      calls: calls.count,
      bytesOut: 0,
      bytesIn: 0,
      engine: 'fake',
      placement: 'in-process',
    },
  };
}

function membersOf(request: CodeRunRequest, calls: { count: number }, global: string) {
  const namespace = request.bindings.find((binding) => binding.global === global)!;
  return Object.fromEntries(
    Object.keys(namespace.functions).map((name) => {
      const member: Member = (args, options = {}) => {
        calls.count += 1;
        const promise = callMember(namespace, name, args, bindingCall(calls.count, options));
        // What a program leaves behind is discarded with its world.
        promise.catch(() => {});
        return promise;
      };
      return [name, member];
    }),
  );
}

function listMembersOf(request: CodeRunRequest, calls: { count: number }): World['sdk'] {
  const members = membersOf(request, calls, 'sdk');
  const lists = Object.entries(members).map(
    ([name, member]) => [name, (...args: unknown[]) => (member as Member)(args)] as const,
  );
  return Object.fromEntries(lists);
}

function bindingCall(n: number, options: FakeCallOptions): CodeBindingCall | undefined {
  if (options.bare === true) return undefined;
  const { signal, timeoutMs, at } = options;
  return {
    n,
    signal: signal ?? new AbortController().signal,
    isCancellable: signal !== undefined,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(at !== undefined && { position: at }),
  };
}

async function callMember(
  namespace: CodeBindingNamespace,
  name: string,
  args: unknown,
  call: CodeBindingCall | undefined,
): Promise<JsonValue> {
  try {
    return (await namespace.functions[name]!(args as JsonValue, call as CodeBindingCall)) as JsonValue;
  } catch (thrown) {
    const { message, code } = thrown as { message: string; code?: string };
    throw new ToolCallError(name, message, code);
  }
}
