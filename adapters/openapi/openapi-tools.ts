import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../../runtime/contract/service.js';
import { importTool } from '../../runtime/tools/import-tool.js';
import { renderValue } from '../foreign-tool/foreign-tool.js';
import { type OperationArguments, operationArguments } from './arguments.js';
import { baseUrlOf } from './base-url.js';
import { isNode, type OpenApiDocument, openDocument } from './document.js';
import { checkOpenApiOptions, type OpenApiToolsOptions } from './openapi-options.js';
import { listOperations, type OpenApiOperation, operationNames, SAFE_METHODS } from './operation.js';
import { buildRequest } from './request.js';
import { readResponse, responseSchema } from './response.js';
import { send } from './send.js';

/** A definition with what the registry is told beside it, and the operation that it was made of. */
export interface OpenApiTool {
  readonly definition: ToolDefinition;
  readonly options: ToolRegistrationOptions;
  readonly operation: OpenApiOperation;
}

/**
 * Makes one tool of each operation of an OpenAPI 3.0 or 3.1 document.
 *
 * Arguments are one flat object, typed and validated; the value is the response's JSON. A status that is no success fails
 * the call. GET, HEAD and OPTIONS are read-only and may overlap. References are followed inside the document; an operation
 * whose schemas lead elsewhere, or whose server is unknown, makes a tool that refuses each call with the reason.
 *
 * @param document - parsed, not text; must not change afterwards
 * @throws {TypeError} when it is no such document or an option has no meaning
 * @example
 * const pets = openApiTools(JSON.parse(text), { baseUrl: 'https://pets.example.com/v1' });
 */
export function openApiTools(document: unknown, options: OpenApiToolsOptions): OpenApiTool[] {
  const opened = openDocument(document);
  const { allowed, maxBytes } = checkOpenApiOptions(options);
  const { include = () => true, rename = (_operation, proposed) => proposed } = options;
  const operations = listOperations(opened).filter(include);
  const names = operationNames(operations);
  const { info } = opened.root;
  const source =
    options.source ?? (isNode(info) && typeof info['title'] === 'string' ? info['title'] : undefined);
  return operations.map((operation, index) => ({
    definition: operationTool(
      rename(operation, names[index]!),
      opened,
      operation,
      options,
      allowed,
      maxBytes,
    ),
    options: { ...effects(operation), ...(source === undefined ? {} : { source }) },
    operation,
  }));
}

/**
 * Registers the tools of a document.
 *
 * @returns what removes them all
 * @throws whatever {@link openApiTools} or `register` throws; nothing of the document stays registered then
 * @example
 * const remove = registerOpenApiTools(tools, document, {
 *   baseUrl: 'https://pets.example.com/v1',
 *   authorize: () => ({ headers: { authorization: `Bearer ${token}` } }),
 * });
 */
export function registerOpenApiTools(
  tools: ToolsService,
  document: unknown,
  options: OpenApiToolsOptions,
): Disposer {
  const disposers: Disposer[] = [];
  const dispose = () => {
    for (const undo of disposers.splice(0).reverse()) undo();
  };
  try {
    for (const tool of openApiTools(document, options)) {
      disposers.push(tools.register(tool.definition, tool.options));
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return dispose;
}

function operationTool(
  name: string,
  document: OpenApiDocument,
  operation: OpenApiOperation,
  options: OpenApiToolsOptions,
  allowed: readonly string[],
  maxBytes: number,
): ToolDefinition {
  const base = baseUrlOf(operation.servers, options.baseUrl);
  const { schema, places }: OperationArguments = operationArguments(document, operation);
  const output = options.responseSchemas === 'ignore' ? {} : responseSchema(document, operation);
  return importTool({
    name,
    description: describe(operation),
    parameters: schema,
    output: { schema: output, render: renderValue },
    ...(SAFE_METHODS.has(operation.method) ? { isConcurrencySafe: () => true } : {}),
    async execute(args, exec) {
      if ('refusal' in base) throw new Error(`Cannot call "${name}": ${base.refusal}`);
      const request = buildRequest(operation, base.url, places, new Map(Object.entries(args as object)));
      return readResponse(await send(request, operation, exec, allowed, options), operation, maxBytes);
    },
  });
}

function describe({ method, path, node }: OpenApiOperation): string {
  const { summary, description, deprecated } = node;
  const texts = [...new Set([summary, description])].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  const lines = deprecated === true ? ['Deprecated.', ...texts] : texts;
  return lines.length === 0 ? `${method} ${path}` : lines.join('\n');
}

function effects({ method, operationId }: OpenApiOperation): ToolRegistrationOptions {
  const readOnly = SAFE_METHODS.has(method);
  return {
    readOnly,
    idempotent: readOnly || method === 'PUT' || method === 'DELETE',
    destructive: method === 'DELETE',
    kind: readOnly ? 'fetch' : method === 'DELETE' ? 'delete' : 'edit',
    ...(operationId === undefined ? {} : { sourceName: operationId }),
  };
}
