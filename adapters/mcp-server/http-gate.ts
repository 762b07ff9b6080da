import { createHash, timingSafeEqual } from 'node:crypto';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';

const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';
const EXPOSED_HEADERS = 'mcp-session-id, www-authenticate';

/** Who may speak to the server. */
export interface HttpGateOptions {
  /** Names in the `Host` header, without ports, beside those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may call, beside those of this machine. */
  readonly allowedOrigins?: readonly string[];
  /** Wanted as `Authorization: Bearer …` of every request. @default none */
  readonly bearerToken?: string;
}

/** What the gate says of a request. */
export interface HttpVerdict {
  /** The answer, when the request may not pass. */
  readonly refusal?: Response;
  /** For the answer of one that passes. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the check that every request passes first: host, origin, token, in this order.
 *
 * A browser page of another site can reach a server on this machine through a name of its own; that name is in `Host`.
 *
 * @param path - the one that exists
 * @example
 * const { refusal } = httpGate('/mcp', { bearerToken })(request);
 */
export function httpGate(path: string, options: HttpGateOptions): (request: Request) => HttpVerdict {
  const { allowedHosts = [], allowedOrigins = [], bearerToken } = options;
  const hosts = [...localhostAllowedHostnames(), ...allowedHosts];
  const origins = [...localhostAllowedOrigins(), ...allowedOrigins];
  return (request) => {
    const foreign =
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
    if (foreign !== undefined) return { refusal: foreign, headers: {} };
    const headers = crossOrigin(request);
    if (new URL(request.url).pathname !== path)
      return { refusal: refused(404, `Not found: the endpoint is ${path}`, headers), headers };
    if (request.method === 'OPTIONS')
      return { refusal: new Response(null, { status: 204, headers }), headers };
    if (bearerToken !== undefined && !holdsToken(request, bearerToken)) {
      const challenge = { ...headers, 'www-authenticate': 'Bearer error="invalid_token"' };
      return {
        refusal: refused(
          401,
          'Unauthorized: wanted the header "Authorization: Bearer" with the token of this server',
          challenge,
        ),
        headers,
      };
    }
    return { headers };
  };
}

/** Compares digests, so that neither content nor length can be measured. */
function holdsToken(request: Request, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function crossOrigin(request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'origin',
  };
}

function refused(status: number, message: string, headers: Record<string, string>): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });
}
