import { followed, isNode, members, nodes, type OpenApiDocument, type OpenApiNode } from './document.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** Methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Parameters that are the business of the request itself. */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** One operation of a document. */
export interface OpenApiOperation {
  /** In capitals. */
  readonly method: string;
  /** As the document has it, e.g. `/pets/{id}`. */
  readonly path: string;
  readonly operationId?: string;
  readonly tags: readonly string[];
  /** The operation itself, for whatever else is asked of it. */
  readonly node: OpenApiNode;
  /** Those of the path that the operation does not replace, and its own; references followed. */
  readonly parameters: readonly OpenApiNode[];
  /** Of the operation, else of the path, else of the document. */
  readonly servers: readonly OpenApiNode[];
}

/**
 * Lists a document's operations, in its order.
 *
 * @example
 * listOperations(openDocument(json)).map(({ method, path }) => `${method} ${path}`)
 */
export function listOperations(document: OpenApiDocument): OpenApiOperation[] {
  return members(document.root['paths']).flatMap(([path, value]) => {
    const item = path.startsWith('/') ? followed(document, value) : undefined;
    if (item === undefined) return [];
    return METHODS.flatMap((method) => {
      const node = item[method];
      return isNode(node) ? [operationOf(document, path, item, method, node)] : [];
    });
  });
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  item: OpenApiNode,
  method: string,
  node: OpenApiNode,
): OpenApiOperation {
  const parameters = new Map<string, OpenApiNode>();
  for (const listed of [...nodes(item['parameters']), ...nodes(node['parameters'])]) {
    const parameter = followed(document, listed);
    if (typeof parameter?.['name'] !== 'string') continue;
    const isOwn = parameter['in'] === 'header' && OWN_HEADERS.has(parameter['name'].toLowerCase());
    if (!isOwn) parameters.set(`${String(parameter['in'])} ${parameter['name']}`, parameter);
  }
  const servers = [node, item, document.root].map((owner) => nodes(owner['servers']));
  const { operationId, tags } = node;
  return {
    method: method.toUpperCase(),
    path,
    ...(typeof operationId === 'string' && operationId !== '' ? { operationId } : {}),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    node,
    parameters: [...parameters.values()],
    servers: servers.find((list) => list.length > 0) ?? [],
  };
}

/**
 * A name for each operation that is an identifier and that no other one has: its `operationId`, or its method and path.
 *
 * @example
 * operationNames([{ method: 'GET', path: '/pets/{id}' }]) // ['get_pets_id']
 */
export function operationNames(
  operations: readonly Pick<OpenApiOperation, 'method' | 'path' | 'operationId'>[],
): string[] {
  const taken = new Set<string>();
  return operations.map(({ method, path, operationId }) => {
    const text = operationId ?? `${method.toLowerCase()}_${path}`;
    const cleaned = text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
    const base = /^[A-Za-z]/.test(cleaned) ? cleaned : `op_${cleaned}`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}_${n}`;
    taken.add(name);
    return name;
  });
}
