import { type LoggingLevel, Server, type ServerOptions } from '@modelcontextprotocol/server';
import type { CodeRunResult } from '../../runtime/contract/code-runtime.js';
import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import { flag, knownOptions, timerMs } from '../../runtime/core/options.js';
import type { FormResult, SourceQuestion } from './call-bodies.js';
import type { Progress } from './call-channel.js';
import { CallHandler } from './call-handler.js';
import { type ServedCatalogue, serveCatalogue } from './catalogue-handlers.js';
import { LogGate } from './log-gate.js';
import { listTools } from './tool-list.js';

const DEFAULT_APPROVAL_TIMEOUT_MS = 600_000;
const DEFAULT_CHANGE_DELAY_MS = 50;
const INSTRUCTIONS =
  'Tools of several sources behind one server. Where "run_code" is offered, prefer one program that makes all the calls over many single calls.';

/** What can be set of `mcpService`. */
export interface McpServiceOptions {
  /** @default 'ptc' */
  readonly name?: string;
  /** @default '1' */
  readonly version?: string;
  /** Whether calls that need an approval are asked about at the client; else the host's own approver decides. @default true */
  readonly asksClients?: boolean;
  /** Longest wait for an answer of a person, ms; past it the call is not made. @default 600000 */
  readonly approvalTimeoutMs?: number;
  /** How long changes of the tools are gathered before clients are told, ms. @default 50 */
  readonly changeDelayMs?: number;
  /** What is passed on beside tools; asked for each connection. @default nothing */
  readonly catalogue?: () => ServedCatalogue | undefined;
  /** Told in one line of a question of a source that nobody was asked. */
  readonly onWarning?: (message: string) => void;
}

/** A tools service as MCP clients see it, whatever carries the messages. */
export interface McpService {
  /** Makes the server for one connection or request. It is this service's until it is closed. */
  createServer(): Server;
  /** To be given to the PTC executor as `onRun`: sends what programs log to their clients. */
  onRun(exec: ToolExecution, result: CodeRunResult): void;
  /** Passes on what a source of tools reports of a call that it was given. */
  progress(callId: string, progress: Progress): void;
  /**
   * Puts a form of a source to the person whose call it was given. Declined where the client takes no forms, where no call is
   * under way, and where those of several clients are, so that it is not clear whom to ask.
   */
  elicit(question: SourceQuestion): Promise<FormResult>;
  /**
   * Puts a question of a source to the model of the client whose call it was given.
   *
   * @throws {Error} where `elicit` would decline, or when the client does not answer
   */
  sample(question: SourceQuestion): Promise<unknown>;
  /**
   * Sends a log message to every connected client. Of one source, 200 pass within a second.
   *
   * @param source - whose share of the messages it takes
   * @default source logger
   */
  log(level: LoggingLevel, data: unknown, logger?: string, source?: string): void;
  /** Told each time that the tools are others than before. */
  onToolsChanged(listener: () => void): () => void;
  /** Ends every call, then every connection. Twice is harmless. */
  close(): Promise<void>;
}

/**
 * Offers what the selected executor of a service offers to MCP clients: with the PTC executor that is `run_code`, with the
 * native one the tools themselves.
 *
 * @throws {TypeError} when an option has no meaning
 * @example
 * const service = mcpService(tools);
 * tools.setExecutor(ptcExecutor({ runtime, onRun: service.onRun }));
 * const connection = serveMcpStdio(service);
 */
export function mcpService(tools: ToolsService, options: McpServiceOptions = {}): McpService {
  knownOptions('mcpService', options, [
    'name',
    'version',
    'asksClients',
    'approvalTimeoutMs',
    'changeDelayMs',
    'catalogue',
    'onWarning',
  ]);
  const { name = 'ptc', version = '1', asksClients = true } = options;
  const approvalTimeoutMs = timerMs(
    'approvalTimeoutMs',
    options.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS,
  );
  const changeDelayMs = options.changeDelayMs ?? DEFAULT_CHANGE_DELAY_MS;
  const calls = new CallHandler(tools, {
    asksClients: flag('asksClients', asksClients),
    approvalTimeoutMs,
    warn: (message) => options.onWarning?.(message),
  });
  const { bodies } = calls;
  const gate = new LogGate();
  const servers = new Set<Server>();
  const listeners = new Set<() => void>();
  const serverOptions = (catalogue: ServedCatalogue | undefined): ServerOptions => ({
    capabilities: {
      tools: { listChanged: true },
      logging: {},
      ...(catalogue?.hasResources ? { resources: {} } : {}),
      ...(catalogue?.hasPrompts ? { prompts: {} } : {}),
    },
    instructions: INSTRUCTIONS,
  });

  let timer: NodeJS.Timeout | undefined;
  const stopListening = tools.on('tools/change', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const server of servers) server.sendToolListChanged().catch(ignore);
      for (const listener of listeners) listener();
    }, changeDelayMs);
    timer.unref();
  });

  return {
    createServer() {
      const catalogue = options.catalogue?.();
      const info = { name, version, title: 'Programmatic tool calling' };
      const server = new Server(info, serverOptions(catalogue));
      if (catalogue !== undefined) serveCatalogue(server, catalogue);
      server.setRequestHandler('tools/list', () => ({ tools: listTools(tools) }));
      server.setRequestHandler('tools/call', ({ params }, context) => calls.handle(server, params, context));
      server.onclose = () => servers.delete(server);
      servers.add(server);
      return server;
    },
    onRun: ({ agent }, { logs }) => calls.logged(agent, logs),
    progress: (callId, progress) => bodies.reported(callId, progress),
    elicit: (question) => bodies.elicit(question),
    sample: (question) => bodies.sample(question),
    log(level, data, logger, source = logger ?? '') {
      const verdict = gate.judge(source);
      if (verdict === 'drop') return;
      const said =
        verdict === 'pass'
          ? { level, data }
          : {
              level: 'warning' as const,
              data: 'more messages than a client is told in a second; the rest is left out',
            };
      const message = { ...said, ...(logger === undefined ? {} : { logger }) };
      // The session is what a client's wish for a level is kept under.
      for (const server of servers)
        server.sendLoggingMessage(message, server.transport?.sessionId).catch(ignore);
    },
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stopListening();
      clearTimeout(timer);
      await calls.abortAll(new Error('The server is shutting down'));
      await Promise.allSettled([...servers].map((server) => server.close()));
    },
  };
}

/** A client that is gone needs to hear nothing. */
function ignore(): void {}
