import { type ChildProcess, spawn } from 'node:child_process';
import { encodeFrame, FrameDecoder, type RawFrame } from './codec.js';
import type { LaunchPlan } from './launch-plans.js';
import { StderrSink } from './stderr-sink.js';
import type { HostFrameType } from './wire.js';

/** How a process ended. */
export interface ChildEnd {
  /** The signal's name or the exit code, in words. */
  readonly cause: string;
  readonly report: StderrSink;
}

/** What the owner of a link is told; no method may throw. */
export interface LinkEvents {
  onFrame(frame: RawFrame): void;
  /** The output is no stream of frames; nothing more is read. */
  onBroken(problem: string): void;
  /** The process is gone and everything that it wrote has been told. */
  onClosed(end: ChildEnd): void;
}

/** Something that may keep the host alive; pipes are sockets, though their types do not say so. */
interface Handle {
  ref?(): void;
  unref?(): void;
}

/** How long the output of a process may stay open after its end, ms. */
const DRAIN_MS = 2_000;

/** How long a killed process may take to end, ms. */
const KILL_MS = 10_000;

/**
 * One sandbox process and its pipes. It does not keep the host alive, and ends with it: its input ends then.
 */
export class ChildLink {
  readonly #child: ChildProcess;
  readonly #events: LinkEvents;
  readonly #report = new StderrSink();
  #patience: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param maxFrameBytes bytes of the largest payload that is read */
  constructor(plan: LaunchPlan, maxFrameBytes: number, events: LinkEvents) {
    this.#events = events;
    this.#child = spawn(plan.command, plan.args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Windows cannot load system libraries without it.
      env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
      windowsHide: true,
    });
    // First of all: a process that does not start may have no pipes, and says so here.
    this.#child.on('error', (cause) => this.#close(cause.message));
    this.#read(maxFrameBytes);
    this.#child.on('exit', (code, signal) => {
      const cause = signal === null ? `exit code ${code}` : `signal ${signal}`;
      this.#child.on('close', () => this.#close(cause));
      this.#giveUpAfter(DRAIN_MS, cause);
    });
  }

  /** `undefined` when it did not start. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(type: HostFrameType, run: number, payload: string): void {
    if (!this.#isClosed) this.#child.stdin?.write(encodeFrame(type, run, payload));
  }

  /** Tells the process that nothing more comes, so that it leaves by itself. */
  closeInput(): void {
    this.#child.stdin?.end();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#giveUpAfter(KILL_MS, 'no end after it was killed');
  }

  /** The process and its pipes keep the host alive, or do so no longer. */
  hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr] as (Handle | null | undefined)[]) {
      if (isHeld) handle?.ref?.();
      else handle?.unref?.();
    }
  }

  #read(maxFrameBytes: number): void {
    const { stdin, stdout, stderr } = this.#child;
    const decoder = new FrameDecoder(maxFrameBytes);
    const readChunk = (chunk: Buffer) => {
      const problem = decoder.push(chunk, (frame) => this.#events.onFrame(frame));
      if (problem === undefined) return;
      stdout?.off('data', readChunk).resume();
      this.#events.onBroken(problem);
    };
    stdout?.on('data', readChunk);
    stderr?.on('data', (chunk: Buffer) => this.#report.add(chunk));
    // A pipe breaks when the process ends; the end itself says why.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => {});
    this.hold(false);
  }

  /** Nobody waits for ever for a process that the system does not let go. */
  #giveUpAfter(delayMs: number, cause: string): void {
    if (this.#isClosed) return;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#close(cause), delayMs).unref();
  }

  #close(cause: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#patience);
    this.#events.onClosed({ cause, report: this.#report });
  }
}
