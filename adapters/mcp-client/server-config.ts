/** What a host says about a tool's effects; each one given outranks what the server says. */
export interface McpHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Which tools of a server exist for the host. Names are the server's own. */
export interface McpToolFilter {
  /** Only these. @default all */
  readonly allow?: readonly string[];
  /** Never these. */
  readonly deny?: readonly string[];
}

/** What can be said of every server, however it is reached. */
export interface McpServerSettings {
  readonly name: string;
  /** Longest wait for one request, ms. @default none */
  readonly timeoutMs?: number;
  /** Largest message that is taken from the server, bytes; a larger one fails its request alone. @default 67108864 */
  readonly maxMessageBytes?: number;
  /**
   * `legacy`: the handshake of the 2025 revisions; `auto`: asks for the 2026-07-28 revision first.
   * @default 'auto' over HTTP, 'legacy' over standard streams (where asking costs a second process)
   */
  readonly protocol?: 'auto' | 'legacy';
  readonly tools?: McpToolFilter;
  /** For every tool of the server. */
  readonly hints?: McpHints;
  /** For single tools, by the server's own name; outranks `hints`. */
  readonly toolHints?: Readonly<Record<string, McpHints>>;
  /** Adds read-only tools that list and read the server's resources. @default false */
  readonly resources?: boolean;
  /** Adds read-only tools that list and get the server's prompts. @default false */
  readonly prompts?: boolean;
  /** Lets the server ask the model of whoever calls its tools, where the host can pass that on. @default false */
  readonly sampling?: boolean;
}

/** One MCP server that is started as a process and spoken to over its standard streams. */
export interface McpStdioServer extends McpServerSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets (PATH, HOME and the like). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: never;
}

/** One MCP server that is reached over streamable HTTP. */
export interface McpHttpServer extends McpServerSettings {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly command?: never;
}

/** A server as the configuration names it. */
export type McpServerConfig = McpStdioServer | McpHttpServer;

/** The bound of `maxMessageBytes` where none is given. */
export const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
