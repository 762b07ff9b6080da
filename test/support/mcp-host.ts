import {
  type Agent,
  createTools,
  type ToolExecutionResult,
  type ToolsService,
  toolCallId,
} from 'ptc-runtime';
import {
  type McpServerConfig,
  type McpTools,
  type McpToolsOptions,
  registerMcpTools,
} from 'ptc-runtime/adapters/mcp-client';
import { type McpHttpTestServer, startMcpHttpServer } from './mcp-http-server.ts';

/** A service with the tools of MCP servers. */
export interface McpHost {
  readonly tools: ToolsService;
  readonly mcp: McpTools;
  readonly warnings: readonly string[];
  call(name: string, args?: unknown, signal?: AbortSignal): Promise<ToolExecutionResult>;
  close(): Promise<void>;
}

const agent: Agent = { id: 'a' };

/** Registers servers with a fresh service. */
export async function mcpHost(
  servers: readonly McpServerConfig[],
  options: McpToolsOptions = {},
  tools: ToolsService = createTools(),
): Promise<McpHost> {
  const warnings: string[] = [];
  const mcp = await registerMcpTools(tools, servers, {
    changeDelayMs: 1,
    retryDelayMs: () => 0,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  return {
    tools,
    mcp,
    warnings,
    call: (name, args = {}, signal = new AbortController().signal) =>
      tools.pipeline.execute({ callId: toolCallId('c'), name, arguments: args, agent, signal }),
    close: () => mcp.close(),
  };
}

/** A scripted server over HTTP and a service with its tools. */
export async function httpHost(
  script: Record<string, unknown> = {},
  config: Partial<McpServerConfig> = {},
  options: McpToolsOptions = {},
): Promise<McpHost & { readonly server: McpHttpTestServer }> {
  const server = await startMcpHttpServer(script);
  const host = await mcpHost(
    [{ name: 'remote', url: server.url, headers: {}, ...config } as McpServerConfig],
    options,
  );
  return {
    ...host,
    server,
    async close() {
      await host.close();
      await server.close();
    },
  };
}

/** The scripted server as a process. */
export function stdioServer(
  script: Record<string, unknown> = {},
  config: Partial<McpServerConfig> = {},
): McpServerConfig {
  return {
    name: 'local',
    command: process.execPath,
    args: ['test/fixtures/mcp/stdio-server.js', JSON.stringify(script)],
    env: {},
    ...config,
  } as McpServerConfig;
}

/** Settles once the condition holds; asked whenever the tools change. */
export function untilTools(tools: ToolsService, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const stop = tools.on('tools/change', look);
    look();
  });
}
