import { ToolArgsError } from '../../runtime/core/errors.js';
import type { ArgumentPlace, BodyKind } from './arguments.js';
import { isNode, members } from './document.js';
import type { OpenApiOperation } from './operation.js';
import { queryPairs, scalarText, simpleText } from './serialize.js';

/** A request before the host's credentials are added. */
export interface OpenApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>;
}

/**
 * Puts a call's arguments where the operation wants them.
 *
 * @param base - an address without a slash at its end
 * @throws {ToolArgsError} INVALID_ARGS when a part of the path would be empty or lead elsewhere
 */
export function buildRequest(
  operation: OpenApiOperation,
  base: string,
  places: readonly ArgumentPlace[],
  args: ReadonlyMap<string, unknown>,
): OpenApiRequest {
  const headers = new Headers({ accept: 'application/json, */*;q=0.5' });
  const inPath = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  let body: OpenApiRequest['body'];
  for (const place of places) {
    const value = args.get(place.argument);
    if (value === undefined) continue;
    if ('body' in place) {
      body = encodeBody(place.body, value);
      // The boundary of a form is known only to whoever sends it.
      if (place.body !== 'multipart') headers.set('content-type', place.mediaType);
      continue;
    }
    const { parameter } = place;
    const name = String(parameter['name']);
    switch (parameter['in']) {
      case 'path':
        inPath.set(name, simpleText(parameter, value, encodeURIComponent));
        break;
      case 'query': {
        const encode = parameter['allowReserved'] === true ? encodeReserved : encodeURIComponent;
        query.push(
          ...queryPairs(parameter, value).map(([key, text]) => `${encodeURIComponent(key)}=${encode(text)}`),
        );
        break;
      }
      case 'header':
        headers.set(
          name,
          headerText(
            name,
            simpleText(parameter, value, (text) => text),
          ),
        );
        break;
      case 'cookie':
        cookies.push(
          ...queryPairs(parameter, value).map(([key, text]) => `${key}=${encodeURIComponent(text)}`),
        );
        break;
    }
  }
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  const path = fillPath(operation.path, inPath);
  const url = new URL(`${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`);
  return { method: operation.method, url, headers, ...(body === undefined ? {} : { body }) };
}

function fillPath(template: string, values: ReadonlyMap<string, string>): string {
  return template
    .split('/')
    .map((segment) => {
      const filled = segment.replace(/\{([^{}]+)\}/g, (_whole, name: string) => values.get(name) ?? '');
      // An address is tidied up before it is sent, by some servers after decoding it: it would name another resource.
      const leadsAway =
        filled === '' || filled.split(/%2f|%5c|\\/i).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
      if (filled !== segment && leadsAway) {
        throw new ToolArgsError([`the part "${segment}" of the path must not become "${filled}"`]);
      }
      return filled;
    })
    .join('/');
}

function headerText(name: string, text: string): string {
  if (/[\0\r\n]/.test(text)) throw new ToolArgsError([`${name}: a header must be one line`]);
  return text;
}

function encodeReserved(text: string): string {
  return encodeURI(text).replace(/#/g, '%23').replace(/&/g, '%26');
}

function encodeBody(kind: BodyKind, value: unknown): OpenApiRequest['body'] {
  switch (kind) {
    case 'json':
      return JSON.stringify(value);
    case 'text':
      return scalarText(value);
    case 'binary':
      return new Uint8Array(Buffer.from(scalarText(value), 'base64'));
    case 'form':
      return new URLSearchParams(members(value).flatMap(([name, each]) => formPairs(name, each)));
    case 'multipart': {
      const form = new FormData();
      for (const [name, each] of members(value)) {
        for (const [key, text] of formPairs(name, each)) form.append(key, text);
      }
      return form;
    }
  }
}

function formPairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((each) => [name, scalarText(each)]);
  if (isNode(value)) return [[name, JSON.stringify(value)]];
  return [[name, scalarText(value)]];
}
