import type { Buffer } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { FrameReader, frame } from './frames.js';
import { FILE_REQUESTS, FOLDER, type VirtualFiles } from './virtual-files.js';

/** More than any answer about a program of the size that is checked. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
const LONGEST_STDERR = 2000;

/** How a checker's process is started. */
export interface CheckerProcessOptions {
  readonly executable: string;
  /** Data segment of the process, in MiB; where the system has no such limit, none. */
  readonly memoryMb: number;
  readonly files: VirtualFiles;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One process of the checker, spoken to over its standard streams. It asks back for files.
 *
 * When it ends, by itself or by {@link kill}, every request that waits rejects and later ones do at once. It does not keep
 * the host alive.
 */
export class CheckerProcess {
  readonly #child: ChildProcess;
  readonly #files: VirtualFiles;
  readonly #reader = new FrameReader(LARGEST_ANSWER);
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #stderr = '';
  #ended: Error | undefined;
  /** Settles once the process is gone. */
  readonly exited: Promise<void>;

  constructor({ executable, memoryMb, files }: CheckerProcessOptions) {
    this.#files = files;
    const args = ['--api', '--async', '--cwd', FOLDER, `--callbacks=${FILE_REQUESTS.join(',')}`];
    const isWindows = process.platform === 'win32';
    const limit = `ulimit -c 0; ulimit -d ${memoryMb * 1024} 2>/dev/null; exec "$0" "$@"`;
    this.#child = isWindows
      ? spawn(executable, args, { stdio: 'pipe', windowsHide: true, env: systemEnvironment() })
      : spawn('/bin/sh', ['-c', limit, executable, ...args], { stdio: 'pipe', env: {}, cwd: '/' });
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#end(`the checker ended (${signal ?? code})${this.#stderr === '' ? '' : `: ${this.#stderr}`}`);
        resolve();
      });
      this.#child.once('error', (error) => {
        this.#end(`the checker could not be started: ${error.message}`);
        resolve();
      });
    });
    this.#child.stdin?.on('error', () => this.kill('the checker does not listen'));
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.subarray(0, LONGEST_STDERR).toString('utf8');
      if (this.#stderr.length < LONGEST_STDERR) this.#stderr = (this.#stderr + text).slice(0, LONGEST_STDERR);
    });
    this.#release();
  }

  /** Whether it still runs. */
  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  /** Asks for something; rejects when the checker says so or ends. */
  request(method: string, params: unknown): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Ends it and waits until it is gone; that alone keeps the host alive. */
  async stop(reason: string): Promise<void> {
    this.kill(reason);
    this.#child.ref();
    await this.exited;
  }

  /** Ends it at once: a checker that computes does not listen to anything milder. */
  kill(reason: string): void {
    this.#end(reason);
    // Whoever waits for its end must live to see it.
    this.#child.ref();
    this.#child.kill('SIGKILL');
  }

  #send(message: unknown): void {
    this.#child.stdin?.write(frame(message));
  }

  #receive(chunk: Buffer): void {
    if (this.#ended !== undefined) return;
    try {
      for (const message of this.#reader.push(chunk)) this.#handle(message as RpcMessage);
    } catch (error) {
      this.kill(error instanceof Error ? error.message : 'the checker sent something else');
    }
  }

  #handle({ id, method, params, result, error }: RpcMessage): void {
    if (method !== undefined) {
      if (id !== undefined) this.#send({ jsonrpc: '2.0', id, result: this.#files.answer(method, params) });
      return;
    }
    const waiting = this.#waiting.get(id as number);
    if (waiting === undefined) return;
    this.#waiting.delete(id as number);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`the checker refused: ${String(error.message).slice(0, LONGEST_STDERR)}`));
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = new Error(reason);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  /** A check always has a timer that keeps the host alive; an idle checker must not. */
  #release(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      (stream as { unref?: () => void } | null)?.unref?.();
    }
  }
}

interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

function systemEnvironment(): Record<string, string> {
  const root = process.env['SystemRoot'];
  return root === undefined ? {} : { SystemRoot: root };
}
