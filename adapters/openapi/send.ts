import type { ToolRunContext } from '../../runtime/contract/execution.js';
import { isAllowed } from './base-url.js';
import type { OpenApiToolsOptions } from './openapi-options.js';
import { type OpenApiOperation, SAFE_METHODS } from './operation.js';
import type { OpenApiRequest } from './request.js';

const MOST_REDIRECTIONS = 5;

/**
 * Sends a request with the host's credentials. A redirection is followed only for a method that changes nothing, and only to
 * an allowed address; the credentials are asked for again.
 *
 * @throws {Error} when the address, or one that it redirects to, is not allowed
 */
export async function send(
  request: OpenApiRequest,
  operation: OpenApiOperation,
  exec: ToolRunContext,
  allowed: readonly string[],
  options: OpenApiToolsOptions,
): Promise<Response> {
  const fetchNow = options.fetch ?? fetch;
  let url = request.url;
  for (let redirections = 0; ; redirections += 1) {
    // What a program sent may be part of the address, so only its place is shown.
    const place = `${url.origin}${url.pathname}`;
    if (!isAllowed(url, allowed))
      throw new Error(`Cannot send a request to "${place}": it is not an allowed address`);
    const target = new URL(url);
    const headers = new Headers(request.headers);
    const credentials =
      (await options.authorize?.({ ...request, url: target, headers }, operation, exec)) ?? {};
    for (const [name, value] of Object.entries(credentials.headers ?? {})) headers.set(name, value);
    for (const [name, value] of Object.entries(credentials.query ?? {})) target.searchParams.set(name, value);
    const response = await fetchNow(target, {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: exec.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) {
      return response;
    }
    await response.body?.cancel();
    if (!SAFE_METHODS.has(request.method)) {
      throw new Error(
        `${request.method} ${operation.path} was redirected, which is followed for reading only`,
      );
    }
    if (redirections === MOST_REDIRECTIONS)
      throw new Error(`${request.method} ${operation.path} was redirected too often`);
    url = new URL(location, url);
  }
}
