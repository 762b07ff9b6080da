import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.js';
import { LateMessages } from './late-messages.js';
import { DEFAULT_MAX_MESSAGE_BYTES, type McpHttpServer } from './server-config.js';
import { transportFault } from './transport-fault.js';

type Sent = Parameters<StreamableHTTPClientTransport['send']>;
type Receiver = NonNullable<StreamableHTTPClientTransport['onmessage']>;

/**
 * Speaks to a server over streamable HTTP. A request whose stream ends without an answer fails; it would wait for ever
 * otherwise.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #late = new LateMessages();
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
    this.#late.sent(message);
    if (ids.length === 0) return super.send(message, options);
    const forget = (): void => {
      for (const id of ids) this.#late.failed(id);
    };
    const ended = (): void => {
      options?.onRequestStreamEnd?.();
      const text = this.#note.text ?? 'it ended the connection without an answer';
      for (const id of ids) {
        if (!this.#late.isWaiting(id)) continue;
        this.#note.text = undefined;
        this.onmessage?.({ jsonrpc: '2.0', id, error: transportFault(text) });
      }
    };
    return super.send(message, { ...options, onRequestStreamEnd: ended }).catch((error: unknown) => {
      forget();
      throw error;
    });
  }

  #watched(receiver: Receiver): Receiver {
    return (message: JSONRPCMessage) => {
      if (!this.#late.isLate(message)) receiver(message);
    };
  }
}
