import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTools, nativeExecutor, ptcExecutor, sandboxRuntime, type ToolsService } from 'ptc-runtime';
import {
  type McpHttpOptions,
  type McpService,
  mcpService,
  serveMcpHttp,
} from 'ptc-runtime/adapters/mcp-server';

/** The revision that a client begins with. */
export type Era = 'legacy' | 'auto';

/** What a client heard beside its results. */
export interface Heard {
  readonly progress: { progress: number; message?: string | undefined }[];
  readonly logs: { level: string; logger?: string; data: unknown }[];
  changes: number;
}

/** A client with what it heard. */
export interface TestClient {
  readonly client: Client;
  readonly heard: Heard;
}

/** How a client answers questions; none = it cannot be asked. */
export type Answerer = (message: string, params: Record<string, unknown>) => Answer | Promise<Answer>;

/** What a person answers. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: object;
}

/** Makes a client that is not connected yet. */
export function testClient(era: Era, answer?: Answerer, sample?: () => object): TestClient {
  const heard: Heard = { progress: [], logs: [], changes: 0 };
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: {
        ...(answer === undefined ? {} : { elicitation: { form: {} } }),
        ...(sample === undefined ? {} : { sampling: {} }),
      },
      versionNegotiation: { mode: era },
      listChanged: {
        tools: {
          onChanged: () => {
            heard.changes += 1;
          },
          autoRefresh: false,
          debounceMs: 0,
        },
      },
    },
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    heard.logs.push(params as Heard['logs'][number]);
  });
  if (answer !== undefined) {
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await answer(params.message, params as Record<string, unknown>)) as never,
    );
  }
  if (sample !== undefined) client.setRequestHandler('sampling/createMessage', () => sample() as never);
  return { client, heard };
}

/** A service that is served over HTTP. */
export interface Served {
  readonly tools: ToolsService;
  readonly service: McpService;
  readonly warnings: readonly string[];
  readonly url: string;
  connect(era: Era, answer?: Answerer, sample?: () => object): Promise<TestClient>;
  close(): Promise<void>;
}

/** Serves a service's tools on a free port. */
export async function served(
  mode: 'ptc' | 'native' | 'both' = 'ptc',
  options: Partial<McpHttpOptions> & { readonly approvalTimeoutMs?: number } = {},
): Promise<Served> {
  const { approvalTimeoutMs, ...http } = options;
  const tools = createTools({ onWarning() {} });
  const runtime = sandboxRuntime();
  const warnings: string[] = [];
  const service = mcpService(tools, {
    changeDelayMs: 1,
    onWarning: (message) => warnings.push(message),
    ...(approvalTimeoutMs && { approvalTimeoutMs }),
  });
  tools.setExecutor(
    mode === 'native' ? nativeExecutor() : ptcExecutor({ runtime, presents: mode, onRun: service.onRun }),
  );
  const server = await serveMcpHttp(service, { port: 0, ...http });
  const clients: Client[] = [];
  return {
    tools,
    service,
    warnings,
    url: server.url,
    async connect(era, answer, sample) {
      const made = testClient(era, answer, sample);
      const headers = http.bearerToken === undefined ? {} : { authorization: `Bearer ${http.bearerToken}` };
      await made.client.connect(
        new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }),
      );
      clients.push(made.client);
      return made;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
      await runtime.dispose();
    },
  };
}

/** Calls `run_code` and gives what came of it. */
export function runCode(
  { client, heard }: TestClient,
  code: string,
  signal?: AbortSignal,
): ReturnType<Client['callTool']> {
  return client.callTool(
    { name: 'run_code', arguments: { code, description: 'test' } },
    { onprogress: (progress) => heard.progress.push(progress), timeout: 60_000, ...(signal && { signal }) },
  );
}

/** The text of a result's blocks. */
export function textOf(result: { readonly content?: unknown }): string {
  const blocks = (result.content ?? []) as { type: string; text?: string }[];
  return blocks.flatMap(({ text }) => text ?? []).join('\n');
}
