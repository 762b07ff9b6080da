export type { OpenApiCredentials, OpenApiToolsOptions } from './openapi-options.js';
export { type OpenApiTool, openApiTools, registerOpenApiTools } from './openapi-tools.js';
export type { OpenApiOperation } from './operation.js';
export type { OpenApiRequest } from './request.js';
export { HttpStatusError } from './response.js';
