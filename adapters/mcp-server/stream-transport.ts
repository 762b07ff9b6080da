import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { MessageLines } from '../mcp-client/message-lines.js';
import { MAX_BODY_BYTES } from './limits.js';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SHOWN_CHARS = 100;
/** Answers that are on their way when the input ends may take so long, ms. */
const LAST_ANSWERS_MS = 1_000;

/**
 * One JSON message a line over a pair of streams, towards one client.
 *
 * A line that is no message is answered with an error of its own, and what comes behind it is served. When the input ends, the
 * requests that came before are still answered, as long as that takes no longer than a second.
 */
export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: MessageLines;
  readonly #unanswered = new Set<RequestId>();
  #hasEnded = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.#lines = new MessageLines(MAX_BODY_BYTES, {
      line: (text) => this.#receive(text),
      tooLong: () => this.#refuse(INVALID_REQUEST, `a message is larger than ${MAX_BODY_BYTES} bytes`),
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#data);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
    this.#input.on('error', this.#failed);
    this.#output.on('error', this.#failed);
    // Nothing more is told of a stream that has ended already.
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    const isAnswer = !('method' in message) && message.id !== undefined;
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
        if (isAnswer) this.#answered(message.id as RequestId);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#input.off('data', this.#data);
    this.#input.off('end', this.#end);
    this.#input.off('close', this.#end);
    this.#input.pause();
    // The listeners for errors stay: a stream that breaks later must not break the process.
    this.onclose?.();
  }

  readonly #data = (chunk: Buffer | string): void => {
    this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  };

  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#unanswered.size === 0) void this.close();
    else this.#timer = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
  };

  readonly #failed = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };

  #answered(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }

  #receive(text: string): void {
    if (text.trim() === '' || this.#isClosed) return;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      const shown = JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text);
      this.#refuse(PARSE_ERROR, `a line is no JSON: ${shown}`);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(json);
    } catch {
      this.#refuse(INVALID_REQUEST, 'a line is no JSON-RPC 2.0 message', requestId(json));
      return;
    }
    if ('method' in message) this.#note(message);
    this.onmessage?.(message);
  }

  #note(message: JSONRPCRequest | JSONRPCNotification): void {
    if ('id' in message) this.#unanswered.add(message.id);
    // Nobody answers what was taken back.
    else if (message.method === 'notifications/cancelled') {
      this.#answered(message.params?.['requestId'] as RequestId);
    }
  }

  #refuse(code: number, what: string, id: RequestId | null = null): void {
    this.onerror?.(new Error(`The client was sent an error: ${what}`));
    const answer = { jsonrpc: '2.0', id, error: { code, message: `Cannot read the message: ${what}` } };
    this.send(answer as JSONRPCMessage).catch(() => {});
  }
}

/** Of anything but a request, the id would name one of ours. */
function requestId(json: unknown): RequestId | null {
  const { id, method } = (json ?? {}) as { id?: unknown; method?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
