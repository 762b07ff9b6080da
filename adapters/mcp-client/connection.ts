import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ToolRunContext } from '../../runtime/contract/execution.js';
import type { McpServerConfig } from './config.js';
import { McpConfigError } from './config-error.js';
import type { McpToolListing } from './tool.js';
import type { McpCallResult } from './value.js';

/** No request of ours ends by the client's own default; the host's budgets decide. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;
const STDERR_KEPT_BYTES = 4_096;

/** One server: connected on first use, connected again after it died. */
export interface McpConnection {
  readonly server: string;
  listTools(): Promise<readonly McpToolListing[]>;
  callTool(name: string, args: Record<string, unknown>, exec: ToolRunContext): Promise<McpCallResult>;
  close(): Promise<void>;
}

/**
 * Opens a connection to one configured server; nothing is started before the first request.
 *
 * @param onToolsChanged - called when the server says that its list changed
 * @throws {McpConfigError} from a request, when the server cannot be started or does not speak MCP
 * @example
 * const connection = mcpConnection(server, () => {});
 * const tools = await connection.listTools();
 */
export function mcpConnection(config: McpServerConfig, onToolsChanged: () => void): McpConnection {
  let live: Promise<Client> | undefined;
  let isClosed = false;

  const connect = async (): Promise<Client> => {
    if (isClosed) throw new Error(`MCP server "${config.name}" was closed`);
    const transport = new StdioClientTransport({
      command: config.command,
      args: [...config.args],
      env: { ...getDefaultEnvironment(), ...config.env },
      stderr: 'pipe',
      ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
    });
    let stderr = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT_BYTES);
    });
    const client = new Client(
      { name: 'ptc-runtime', version: '1' },
      {
        // Results are validated by the pipeline, against the same schema that the program was given.
        jsonSchemaValidator: {
          getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
        },
        listChanged: { tools: { onChanged: () => onToolsChanged(), autoRefresh: false } },
      },
    );
    client.onclose = () => {
      live = undefined;
    };
    try {
      await client.connect(transport);
    } catch (cause) {
      live = undefined;
      await transport.close().catch(() => {});
      const lastLine = stderr.trim().split('\n').at(-1) ?? '';
      const detail = lastLine === '' ? (cause as Error).message : `${(cause as Error).message} (${lastLine})`;
      throw new McpConfigError(`Cannot start MCP server "${config.name}" (${config.command}): ${detail}`, {
        cause,
      });
    }
    return client;
  };

  const client = (): Promise<Client> => {
    live ??= connect();
    return live;
  };

  return {
    server: config.name,
    async listTools() {
      const { tools } = await (await client()).listTools();
      return tools as readonly McpToolListing[];
    },
    async callTool(name, args, exec) {
      const timeout = config.timeoutMs ?? LONGEST_TIMEOUT_MS;
      try {
        const result = await (await client()).callTool(
          { name, arguments: args },
          { signal: exec.signal, timeout },
        );
        return result as McpCallResult;
      } catch (error) {
        // An abort surfaces as a timeout error of the client: the signal knows better.
        if (exec.signal.aborted) throw exec.signal.reason;
        throw error;
      }
    },
    async close() {
      isClosed = true;
      const opened = live;
      live = undefined;
      await opened?.then((connected) => connected.close()).catch(() => {});
    },
  };
}
