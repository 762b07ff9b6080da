export type { FormResult, SourceQuestion } from './call-bodies.js';
export type { Progress } from './call-channel.js';
export type { ServedCatalogue } from './catalogue-handlers.js';
export type { HttpGateOptions } from './http-gate.js';
export { type McpService, type McpServiceOptions, mcpService } from './mcp-service.js';
export { type McpHttpOptions, type McpHttpServerHandle, serveMcpHttp } from './serve-http.js';
export { type McpStdioConnection, type McpStdioOptions, serveMcpStdio } from './serve-stdio.js';
