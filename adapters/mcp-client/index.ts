export type { McpCatalogue, McpListEntry } from './catalogue.js';
export { parseMcpConfig, readMcpConfig } from './config.js';
export { McpConfigError } from './config-error.js';
export type { McpEvents, McpLogMessage, McpProgress, McpRoot } from './events.js';
export { joinToolName, SERVER_SEPARATOR, serverPrefixes, splitToolName } from './names.js';
export type { McpAnswerers, McpElicitResult, McpQuestion } from './question.js';
export type {
  McpHints,
  McpHttpServer,
  McpServerConfig,
  McpServerSettings,
  McpStdioServer,
  McpToolFilter,
} from './server-config.js';
export { type McpTools, registerMcpTools } from './source.js';
export type { McpToolsOptions } from './source-options.js';
export { type McpTool, type McpToolCaller, type McpToolListing, mcpTool } from './tool.js';
export { type McpCallResult, mcpContent, mcpErrorText, mcpValue } from './value.js';
