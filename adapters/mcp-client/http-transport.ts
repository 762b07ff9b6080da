import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.js';
import { DEFAULT_MAX_MESSAGE_BYTES, type McpHttpServer } from './server-config.js';

type Sent = Parameters<StreamableHTTPClientTransport['send']>;
type Receiver = NonNullable<StreamableHTTPClientTransport['onmessage']>;

/**
 * Speaks to a server over streamable HTTP. A request whose stream ends without an answer fails; it would wait for ever
 * otherwise.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #unanswered = new Set<RequestId>();
  readonly #note: { text: string | undefined };

  constructor(server: McpHttpServer) {
    const note: { text: string | undefined } = { text: undefined };
    super(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
      fetch: boundedFetch(server.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES, (text) => {
        note.text = text;
      }),
    });
    this.#note = note;
    let receiver: Receiver | undefined;
    // The base class holds this as a plain field, so only a property of the object itself can see what passes.
    Object.defineProperty(this, 'onmessage', {
      get: () => receiver && this.#watched(receiver),
      set: (next: Receiver | undefined) => {
        receiver = next;
      },
    });
  }

  override send(...[message, options]: Sent): Promise<void> {
    const ids = (Array.isArray(message) ? message : [message]).flatMap((one) =>
      'method' in one && 'id' in one ? [one.id] : [],
    );
    if (ids.length === 0) return super.send(message, options);
    for (const id of ids) this.#unanswered.add(id);
    const forget = (): void => {
      for (const id of ids) this.#unanswered.delete(id);
    };
    const ended = (): void => {
      options?.onRequestStreamEnd?.();
      const text = this.#note.text ?? 'it ended the connection without an answer';
      for (const id of ids) {
        if (!this.#unanswered.has(id)) continue;
        this.#note.text = undefined;
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } });
      }
    };
    return super.send(message, { ...options, onRequestStreamEnd: ended }).catch((error: unknown) => {
      forget();
      throw error;
    });
  }

  #watched(receiver: Receiver): Receiver {
    return (message: JSONRPCMessage) => {
      if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
      receiver(message);
    };
  }
}
