import { ProtocolError } from '@modelcontextprotocol/client';

/** No server can send this very object. */
const MARK = Object.freeze({});

/**
 * The error of an answer that a transport gives in the place of its server.
 *
 * @example
 * onmessage({ jsonrpc: '2.0', id, error: transportFault('its message is too large') });
 */
export function transportFault(message: string): { code: number; message: string; data: unknown } {
  return { code: -32_000, message, data: MARK };
}

/**
 * Whether a transport, not the server, has answered so.
 *
 * @example
 * if (isTransportFault(error)) throw new Error(`the server did not answer: ${error.message}`);
 */
export function isTransportFault(error: unknown): boolean {
  return error instanceof ProtocolError && error.data === MARK;
}
