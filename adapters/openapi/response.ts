import type { JsonValue } from '../../runtime/core/json-value.js';
import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { canonical } from '../foreign-tool/canonical.js';
import { bodyKind } from './arguments.js';
import { SchemaConverter } from './convert-schema.js';
import { followed, isNode, members, type OpenApiDocument } from './document.js';
import type { OpenApiOperation } from './operation.js';

/** Successes that have no body; of any other one without `content` the document does not say. */
const EMPTY_STATUSES: ReadonlySet<string> = new Set(['204', '205']);
const SHOWN_ERROR_CHARACTERS = 2_000;

/** A response that is no success. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';

  constructor(
    message: string,
    /** The response's status. */
    readonly status: number,
  ) {
    super(message);
  }
}

/**
 * The schema of what an operation's tool returns: that of the successful responses, `null` for one that has no body.
 *
 * @returns `{}` when the document does not say
 */
export function responseSchema(document: OpenApiDocument, operation: OpenApiOperation): JsonSchemaNode {
  if (operation.method === 'HEAD') {
    return {
      type: 'object',
      properties: { status: { type: 'integer' }, headers: { type: 'object' } },
      required: ['status', 'headers'],
    };
  }
  const responses = members(operation.node['responses']);
  const successes = responses.filter(([status]) => /^2(\d\d|XX)$/i.test(status));
  const chosen = successes.length > 0 ? successes : responses.filter(([status]) => status === 'default');
  const converter = new SchemaConverter(document, 'response');
  const schemas = new Map<string, unknown>();
  for (const [status, listed] of chosen) {
    const content = members(followed(document, listed)?.['content']);
    const schema = EMPTY_STATUSES.has(status) ? { type: 'null' } : bodySchema(converter, content);
    if (schema === undefined) return {};
    schemas.set(JSON.stringify(schema), schema);
  }
  const found = [...schemas.values()];
  if (found.length === 0) return {};
  return converter.complete(found.length === 1 ? found[0] : { anyOf: found });
}

function bodySchema(converter: SchemaConverter, content: readonly (readonly [string, unknown])[]): unknown {
  const kinds = new Set(content.map(([type]) => bodyKind(type)));
  const [, media] = content.find(([type]) => bodyKind(type) === 'json') ?? [];
  // What comes is the server's choice: with several kinds nothing can be promised.
  if (kinds.size > 1) return undefined;
  if (isNode(media)) return media['schema'] === undefined ? undefined : converter.convert(media['schema']);
  if (kinds.has('text')) return { type: 'string' };
  return undefined;
}

/**
 * Reads a response as a tool's value: JSON as what it says, text as text, `null` for no body, any other bytes as
 * `{mimeType, base64}`; of a HEAD its status and headers.
 *
 * @param maxBytes - of the body; a longer one is an error
 * @throws {HttpStatusError} when the status is no success
 */
export async function readResponse(
  response: Response,
  operation: OpenApiOperation,
  maxBytes: number,
): Promise<JsonValue> {
  if (response.ok && operation.method === 'HEAD') {
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  }
  const bytes = await readBytes(response, maxBytes);
  const mimeType = response.headers.get('content-type') ?? '';
  if (!response.ok) {
    const text = bytes.toString('utf8').trim().slice(0, SHOWN_ERROR_CHARACTERS);
    const status = `${response.status} ${response.statusText}`.trim();
    const message = `${operation.method} ${operation.path} was answered with ${status}${text === '' ? '' : `: ${text}`}`;
    throw new HttpStatusError(message, response.status);
  }
  if (bytes.length === 0) return null;
  const kind = mimeType === '' ? 'text' : bodyKind(mimeType);
  if (kind === 'json') return parsed(bytes.toString('utf8'));
  if (kind === 'text' || kind === 'form') return bytes.toString('utf8');
  return { mimeType, base64: bytes.toString('base64') };
}

function parsed(text: string): JsonValue {
  try {
    return canonical(JSON.parse(text));
  } catch (cause) {
    throw new Error('Cannot read the response: it says that it is JSON and is not', { cause });
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream, and with it the transfer.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes)
      throw new Error(`Cannot read the response: wanted at most ${maxBytes} bytes, received more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
