import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { ToolTimeoutError } from '../../runtime/core/errors.js';
import { reasonText } from './reason-text.js';
import type { McpServerConfig } from './server-config.js';
import { isTransportFault } from './transport-fault.js';

/**
 * Whether an error of the client means that its connection is of no more use.
 *
 * @example
 * if (isLost(error)) await client.close();
 */
export function isLost(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  if (error instanceof SdkError) {
    return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected;
  }
  return !(error instanceof ProtocolError);
}

/**
 * Says why a request failed, in one line that names the server and shows none of its secrets.
 *
 * @param what - the request, as a message names it
 * @param epitaph - what is known of the end of the server
 * @example
 * throw requestFailure(config, hide, '"read_file"', error, 'exit code 1');
 */
export function requestFailure(
  config: McpServerConfig,
  hide: (text: string) => string,
  what: string,
  error: unknown,
  epitaph: string,
): Error {
  const server = `MCP server "${config.name}"`;
  if (error instanceof ProtocolError && !isTransportFault(error)) {
    return new Error(hide(error.message), { cause: error });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new ToolTimeoutError(`${server} did not answer ${what} within ${config.timeoutMs} ms`, {
      cause: error,
    });
  }
  const reason = reasonText(error, hide);
  return isLost(error)
    ? new Error(`${server} went away before it answered ${what} (${epitaph || reason})`, { cause: error })
    : new Error(`${server} did not answer ${what} as it should: ${reason}`, { cause: error });
}
