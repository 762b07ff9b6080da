import type { FetchLike } from '@modelcontextprotocol/client';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * A fetch whose responses fail once one message in them is larger than the bound: a whole body, or one event of a stream.
 *
 * @param maxBytes - largest message, bytes
 * @param onTooLarge - told of each such failure before it happens
 * @example
 * new StreamableHTTPClientTransport(url, { fetch: boundedFetch(1024 * 1024) });
 */
export function boundedFetch(maxBytes: number, onTooLarge?: (message: string) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isEvents = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const { status, statusText, headers } = response;
    const bounded = new Response(response.body.pipeThrough(counting(maxBytes, isEvents, onTooLarge)), {
      status,
      statusText,
      headers,
    });
    // A new response has no address of its own, and redirects are judged by it.
    Object.defineProperty(bounded, 'url', { value: response.url });
    Object.defineProperty(bounded, 'redirected', { value: response.redirected });
    return bounded;
  };
}

function counting(
  maxBytes: number,
  isEvents: boolean,
  onTooLarge?: (message: string) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (isEvents) {
        // An event ends with an empty line.
        for (let at = 0; at < chunk.length; at += 1) {
          const byte = chunk[at];
          if (byte !== NEWLINE && byte !== RETURN) isLineEmpty = false;
          else if (byte === NEWLINE) {
            if (isLineEmpty) length = chunk.length - at - 1;
            isLineEmpty = true;
          }
        }
      }
      if (length <= maxBytes) return controller.enqueue(chunk);
      const message = `its message is larger than ${maxBytes} bytes`;
      onTooLarge?.(message);
      controller.error(new Error(message));
    },
  });
}
