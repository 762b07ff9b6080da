export { type McpServerConfig, type McpStdioServer, parseMcpConfig, readMcpConfig } from './config.js';
export { McpConfigError } from './config-error.js';
export { joinToolName, SERVER_SEPARATOR, serverPrefixes, splitToolName } from './names.js';
export { type McpTools, type McpToolsOptions, registerMcpTools } from './source.js';
export { type McpTool, type McpToolCaller, type McpToolListing, mcpTool } from './tool.js';
export { type McpCallResult, mcpContent, mcpErrorText, mcpValue } from './value.js';
