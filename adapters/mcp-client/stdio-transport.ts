import { type ChildProcess, spawn } from 'node:child_process';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { LateMessages } from './late-messages.js';
import { MessageLines } from './message-lines.js';
import { DEFAULT_MAX_MESSAGE_BYTES, type McpStdioServer } from './server-config.js';
import { TopLevelId } from './top-level-id.js';

const STDERR_KEPT_CHARS = 4_096;
/** How long a server may take to end after its input has ended, and again after it was asked to, ms. */
const PATIENCE_MS = 1_000;

/**
 * Speaks to a server that it starts as a process: one JSON message a line.
 *
 * A line that is no message is reported and skipped; one that is too large fails its own request and nothing else.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Both names tell the client that this is a local process. */
  readonly stderr = null;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #lastWords = '';
  #exit = '';
  #isClosed = false;
  readonly #server: McpStdioServer;
  readonly #late = new LateMessages();
  /** Messages are handed over one after the other, though many come at once. */
  #handedOver: Promise<void> = Promise.resolve();

  constructor(server: McpStdioServer) {
    this.#server = server;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** How the process ended and what it said last, or an empty text. */
  get epitaph(): string {
    const line = this.#lastWords.trim().split('\n').at(-1)?.trim() ?? '';
    return [this.#exit, line].filter((text) => text !== '').join(': ');
  }

  start(): Promise<void> {
    const { command, args, env, cwd, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.#server;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: { ...getDefaultEnvironment(), ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        ...(cwd === undefined ? {} : { cwd }),
      });
      this.#child = child;
      const lines = new MessageLines(maxMessageBytes, {
        line: (text) => this.#receive(text),
        tooLong: (id) => this.#refuse(id, `its message is larger than ${maxMessageBytes} bytes`),
      });
      child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        this.#lastWords = (this.#lastWords + chunk.toString()).slice(-STDERR_KEPT_CHARS);
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) {
        stream.on('error', (error) => this.onerror?.(error));
      }
      child.on('spawn', resolve);
      this.#ended = new Promise((ended) => {
        child.on('error', (error) => {
          reject(error);
          if (child.pid === undefined) ended();
        });
        child.on('exit', (code, signal) => {
          this.#exit = signal === null ? `exit code ${code}` : `ended by ${signal}`;
        });
        child.on('close', () => {
          ended();
          this.#closed();
        });
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('the process has ended'));
    this.#late.sent(message);
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the process: by the end of its input, then by a signal that it can handle, then by one that it cannot. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return this.#closed();
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(PATIENCE_MS)) break;
      child.kill(signal);
    }
    await this.#endsWithin(PATIENCE_MS);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    this.#closed();
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const hasEnded = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return hasEnded;
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #receive(text: string): void {
    if (text.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(text));
    } catch {
      this.#refuse(idOf(text), 'it sent a line that is no JSON-RPC message');
      return;
    }
    if (!this.#late.isLate(message)) this.#handOver(message);
  }

  /** What was to be an answer fails its request; anything else is only reported. */
  #refuse(id: RequestId | undefined, message: string): void {
    if (id === undefined || !this.#late.isWaiting(id)) {
      this.onerror?.(new Error(message));
      return;
    }
    this.#late.failed(id);
    this.#handOver({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  }

  /** The client forgets who listens to a call's progress as soon as it is given the answer, so what came before must be heard. */
  #handOver(message: JSONRPCMessage): void {
    this.#handedOver = this.#handedOver
      .then(() => this.onmessage?.(message))
      .catch((error: Error) => this.onerror?.(error));
  }
}

function idOf(text: string): RequestId | undefined {
  const reader = new TopLevelId();
  reader.push(Buffer.from(text));
  return reader.id;
}
