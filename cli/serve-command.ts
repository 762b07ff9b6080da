import type { McpService } from '../adapters/mcp-server/index.js';
import { ptcExecutor } from '../bridge/index.js';
import type { ToolExecutor } from '../runtime/contract/executor.js';
import { createTools, nativeExecutor, sandboxRuntime } from '../runtime/index.js';
import { EXIT } from './exit.js';
import { type SandboxFlags, sandboxBudgets } from './sandbox-options.js';
import { type ServePolicies, useServePolicies } from './serve-policies.js';
import { type OpenToolSources, openToolSources, type ToolSources } from './tool-sources.js';
import { UsageError } from './usage-error.js';

/** The options of `ptc serve`, parsed. */
export interface ServeOptions extends ToolSources, SandboxFlags, ServePolicies {
  /** Absent = standard streams. */
  readonly http?: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  /** Name of the environment variable that holds the token. */
  readonly bearerEnv?: string;
  readonly mode: 'ptc' | 'native' | 'both';
  /** The most that the SDK text may take. */
  readonly sdkTokens: number;
}

const AT_A_TERMINAL =
  'serving over standard streams, as MCP clients start it; --http PORT serves at an address, Ctrl-D ends it';
const MOST_COMPLAINTS = 100;
const LONGEST_COMPLAINT = 300;
const NO_TOOLS = 'there are no tools to serve: --mcp names a configuration of MCP servers, --tools a module';
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Serves the tools of all sources as one MCP server, until its client is gone or a signal ends it.
 *
 * @param version - the version that clients are told
 * @returns the exit code
 * @throws {UsageError} when a source cannot be read, or the server cannot listen as it is asked to
 * @example
 * process.exitCode = await serveCommand(options, '1.0.0');
 */
export async function serveCommand(options: ServeOptions, version: string): Promise<number> {
  const warn = (line: string): void => void process.stderr.write(`ptc: ${line}\n`);
  const onError = complaints(warn);
  const bearerToken = tokenOf(options);
  // Only this command needs it, and its packages cost more to load than all the rest.
  const { mcpService, serveMcpHttp, serveMcpStdio } = await import('../adapters/mcp-server/index.js');
  const tools = createTools({ onWarning: warn });
  const asksClients = await useServePolicies(tools, options);
  let sources: OpenToolSources | undefined;
  const service = mcpService(tools, {
    name: 'ptc',
    version,
    asksClients,
    catalogue: () => sources?.catalogue,
    onWarning: warn,
  });
  const runtime = sandboxRuntime({
    ...sandboxBudgets(options),
    pauseWallDuringApprovals: true,
    onWarning: warn,
  });
  tools.setExecutor(executorOf(options, service, runtime));
  const stop = stopSignal();
  try {
    sources = await openToolSources(tools, options, warn, {
      onProgress: (progress) => service.progress(progress.callId, progress),
      elicit: (question) => service.elicit(question),
      sample: (question) => service.sample(question),
      onLog: ({ server, level, logger, data }) =>
        service.log(level as 'info', data, logger === undefined ? server : `${server}/${logger}`, server),
    });
    if (options.http === undefined) {
      if (process.stdin.isTTY === true) warn(AT_A_TERMINAL);
      if (tools.definitions().length === 0) warn(NO_TOOLS);
      const connection = serveMcpStdio(service, { onError });
      await Promise.race([connection.ended, stop.asked]);
      await service.close();
      await connection.close();
    } else {
      const server = await serveMcpHttp(service, {
        port: options.http,
        host: options.host,
        allowedHosts: [...options.allowHost, options.host],
        allowedOrigins: options.allowOrigin,
        onError,
        ...(bearerToken === undefined ? {} : { bearerToken }),
      }).catch((cause: Error) => {
        throw new UsageError(`Cannot serve on port ${options.http}: ${cause.message}`, { cause });
      });
      warn(`serving ${server.url}`);
      if (tools.definitions().length === 0) warn(NO_TOOLS);
      await stop.asked;
      await server.close();
    }
    return EXIT.ok;
  } finally {
    await service.close();
    await Promise.all([runtime.dispose(), sources?.close()]);
    stop.dispose();
  }
}

/** What clients send wrong is told in a line each, and not without end. */
function complaints(warn: (line: string) => void): (error: Error) => void {
  let told = 0;
  return ({ message }) => {
    told += 1;
    if (told > MOST_COMPLAINTS) return;
    const last = told === MOST_COMPLAINTS ? '; further ones are not told' : '';
    warn(`${message.replace(/\s+/g, ' ').slice(0, LONGEST_COMPLAINT)}${last}`);
  };
}

function executorOf(
  { mode, maxParallel, sdkTokens }: ServeOptions,
  service: McpService,
  runtime: ReturnType<typeof sandboxRuntime>,
): ToolExecutor {
  if (mode === 'native')
    return nativeExecutor(maxParallel === undefined ? {} : { maxParallelToolCalls: maxParallel });
  return ptcExecutor({
    runtime,
    onRun: service.onRun,
    presents: mode,
    sdk: { tokenBudget: sdkTokens },
    ...(maxParallel === undefined ? {} : { maxParallelSubCalls: maxParallel }),
  });
}

function tokenOf({ bearerEnv, http, host }: ServeOptions): string | undefined {
  const token = bearerEnv === undefined ? undefined : process.env[bearerEnv];
  if (bearerEnv !== undefined && !token) {
    throw new UsageError(
      `Cannot use --bearer-env "${bearerEnv}": wanted a non-empty environment variable, received none`,
    );
  }
  if (http !== undefined && token === undefined && !LOOPBACK.has(host)) {
    throw new UsageError(
      `Cannot serve on "${host}" without a token: wanted --bearer-env for an address that other machines reach`,
    );
  }
  return token;
}

/** The first interrupt or termination asks to stop; a second one is taken by the system. */
function stopSignal(): { readonly asked: Promise<void>; dispose(): void } {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  for (const signal of signals) process.once(signal, ask);
  return {
    asked,
    dispose: () => {
      for (const signal of signals) process.off(signal, ask);
    },
  };
}
