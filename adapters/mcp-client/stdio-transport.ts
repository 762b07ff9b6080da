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
import { transportFault } from './transport-fault.js';

const STDERR_KEPT_CHARS = 4_096;
/** How a line begins that names what was thrown, as runtimes print it. */
const ERROR_LINE = /^(Uncaught )?[A-Za-z_.]*(Error|Exception)\b.*:/;
const LINE_SHOWN_CHARS = 100;
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
  readonly #hide: (text: string) => string;
  readonly #late = new LateMessages();
  /** Messages are handed over one after the other, though many come at once. */
  #handedOver: Promise<void> = Promise.resolve();

  /** @param hide - takes secrets out of a line that is shown */
  constructor(server: McpStdioServer, hide: (text: string) => string = (text) => text) {
    this.#server = server;
    this.#hide = hide;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** How the process ended and what it said last, or an empty text. */
  get epitaph(): string {
    const lines = this.#lastWords
      .trim()
      .split('\n')
      .map((line) => line.trim());
    // Behind the line that names the error, some runtimes print where and by whom it was thrown.
    const line = lines.findLast((one) => ERROR_LINE.test(one)) ?? lines.at(-1) ?? '';
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
      // A secret that the cut would halve could no longer be found.
      const hidden = this.#hide(text.slice(0, STDERR_KEPT_CHARS));
      const shown = hidden.length > LINE_SHOWN_CHARS ? `${hidden.slice(0, LINE_SHOWN_CHARS)}…` : hidden;
      this.#refuse(idOf(text), `it sent a line that is no JSON-RPC message: ${JSON.stringify(shown)}`);
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
    this.#handOver({ jsonrpc: '2.0', id, error: transportFault(message) });
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
