import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { SchemaConverter } from './convert-schema.js';
import { followed, isNode, members, type OpenApiDocument, type OpenApiNode } from './document.js';
import type { OpenApiOperation } from './operation.js';

/** How a body is written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** Where one argument of a tool goes. */
export type ArgumentPlace =
  | { readonly argument: string; readonly parameter: OpenApiNode }
  | { readonly argument: string; readonly body: BodyKind; readonly mediaType: string };

/** The arguments of an operation's tool. */
export interface OperationArguments {
  readonly schema: JsonSchemaNode;
  readonly places: readonly ArgumentPlace[];
}

/**
 * One flat object of arguments: each parameter under its own name, the body as `body`.
 *
 * Where a name occurs twice, the later one is followed by where it goes, e.g. `id_query`.
 *
 * @example
 * operationArguments(document, operation).schema // { type: 'object', properties: { id: …, body: … }, required: ['id'] }
 */
export function operationArguments(
  document: OpenApiDocument,
  operation: OpenApiOperation,
): OperationArguments {
  const converter = new SchemaConverter(document, 'request');
  const properties = new Map<string, unknown>();
  const required: string[] = [];
  const places: ArgumentPlace[] = [];
  const free = (name: string, suffix: string): string => {
    let argument = name;
    for (let n = 1; properties.has(argument); n += 1) argument = `${name}_${suffix}${n === 1 ? '' : n}`;
    return argument;
  };
  for (const parameter of operation.parameters) {
    const place = String(parameter['in']);
    const argument = free(String(parameter['name']), place);
    const [, content] = members(parameter['content'])[0] ?? [];
    const schema = parameter['schema'] ?? (isNode(content) ? content['schema'] : undefined) ?? {};
    properties.set(argument, described(converter.convert(schema), parameter['description']));
    if (parameter['required'] === true || place === 'path') required.push(argument);
    places.push({ argument, parameter });
  }
  const body = followed(document, operation.node['requestBody']);
  const chosen = body === undefined ? undefined : chooseMedia(members(body['content']));
  if (body !== undefined && chosen !== undefined) {
    const argument = free('body', 'content');
    const bytes = { type: 'string', contentEncoding: 'base64', description: 'The bytes, as base64.' };
    const schema = chosen.body === 'binary' ? bytes : converter.convert(chosen.schema ?? {});
    properties.set(argument, described(schema, body['description']));
    if (body['required'] === true) required.push(argument);
    places.push({ argument, body: chosen.body, mediaType: chosen.mediaType });
  }
  const schema = converter.complete({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  });
  return { schema, places };
}

/** How a media type's values are written. */
export function bodyKind(mediaType: string): BodyKind {
  const bare = mediaType.split(';')[0]!.trim().toLowerCase();
  if (bare === 'application/json' || bare.endsWith('+json') || bare === '*/*') return 'json';
  if (bare === 'application/x-www-form-urlencoded') return 'form';
  if (bare === 'multipart/form-data') return 'multipart';
  return bare.startsWith('text/') || bare.endsWith('/xml') || bare.endsWith('+xml') ? 'text' : 'binary';
}

const PREFERENCE: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'binary'];

function chooseMedia(content: readonly (readonly [string, unknown])[]) {
  const offers = content.map(([type, media]) => ({
    mediaType: type === '*/*' ? 'application/json' : type,
    body: bodyKind(type),
    schema: isNode(media) ? media['schema'] : undefined,
  }));
  const [best] = offers.sort((a, b) => PREFERENCE.indexOf(a.body) - PREFERENCE.indexOf(b.body));
  return best;
}

function described(schema: unknown, description: unknown): unknown {
  if (typeof description !== 'string' || !isNode(schema) || schema['description'] !== undefined)
    return schema;
  return { ...schema, description };
}
