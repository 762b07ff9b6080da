import { errorMessage } from '../core/error-text.js';
import { isFitter } from './fitter-process.js';
import { type ChildModules, type LaunchPlan, launchPlans, OWN_MODULES } from './launch-plans.js';
import { announceFallback } from './open-peer.js';
import type { ResolvedSandboxOptions } from './options.js';
import {
  type EngineInfo,
  type LineListener,
  type PeerLine,
  type Placement,
  SandboxUnavailableError,
} from './peer-line.js';
import { ProcessHost } from './process-host.js';

/** A run that waits for a process. */
interface Waiter {
  readonly listener: LineListener;
  resolve(line: PeerLine | undefined): void;
  reject(cause: unknown): void;
}

/** A process whose programs have waited for so long is worth starting another one beside it, ms. */
const WAITING_MS = 50;

/** Starts in a row that may fail, where one has worked before, until those who wait are told. */
const MAX_FAILED_STARTS = 3;

/** How long processes beyond the spare ones are kept without work, ms. */
const SURPLUS_MS = 15_000;

/**
 * The sandbox processes of one runtime: starts them when runs need them, keeps spare ones, lets runs wait in order.
 *
 * Processes whose programs only wait make room for others, so that a tool may itself run a program and the first one wait for it.
 */
export class ProcessPool implements Placement {
  readonly #options: ResolvedSandboxOptions;
  readonly #modules: ChildModules;
  readonly #hosts = new Set<ProcessHost>();
  readonly #waiters: Waiter[] = [];
  /** The ways to start a process that have not failed yet. */
  #plans: readonly LaunchPlan[] | undefined;
  #info: EngineInfo | undefined;
  #booting = 0;
  /** Processes that ended while they started, since one last did. */
  #failedStarts = 0;
  #isSpareDue = false;
  #growTimer: NodeJS.Timeout | undefined;
  #surplusTimer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @param modules of the processes; replaced in tests */
  constructor(options: ResolvedSandboxOptions, modules: ChildModules = OWN_MODULES) {
    this.#options = options;
    this.#modules = modules;
  }

  open(listener: LineListener): PeerLine | Promise<PeerLine | undefined> {
    const host = this.#waiters.length === 0 ? this.#hostWithRoom() : undefined;
    if (host !== undefined) return this.#join(host, listener);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ listener, resolve, reject });
      this.#grow();
      const { maxQueue } = this.#options;
      // Those that a starting process will serve do not count as waiting.
      if (this.#waiters.length - this.#booting <= maxQueue) return;
      this.#waiters.pop();
      reject(new SandboxUnavailableError(`Too many runs wait, wanted at most ${maxQueue} (maxQueue)`));
    });
  }

  cancel(listener: LineListener): void {
    const index = this.#waiters.findIndex((waiter) => waiter.listener === listener);
    if (index >= 0) this.#waiters.splice(index, 1)[0]!.resolve(undefined);
  }

  get info(): EngineInfo | undefined {
    return this.#info;
  }

  async warm(): Promise<EngineInfo> {
    const line = await this.open({ onFrame: () => {}, onDeath: () => {} });
    line?.release();
    if (this.#info === undefined) throw new SandboxUnavailableError('The runtime was disposed');
    return this.#info;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#growTimer);
    clearTimeout(this.#surplusTimer);
    for (const { resolve } of this.#waiters.splice(0)) resolve(undefined);
    await Promise.all([...this.#hosts].map((host) => host.kill()));
  }

  /** A ready process; one whose guests would make too many compute at once is left alone. */
  #hostWithRoom(): ProcessHost | undefined {
    const mayStart = this.#atWork < this.#options.maxProcesses;
    const now = performance.now();
    let idle: ProcessHost | undefined;
    let shared: ProcessHost | undefined;
    for (const host of this.#hosts) {
      if (!host.hasRoom) continue;
      if (!host.isIdle) shared ??= host;
      else if (mayStart && (idle === undefined || isFitter(host, idle, now))) idle = host;
    }
    return idle ?? shared;
  }

  /** Processes that compute. */
  get #atWork(): number {
    let count = 0;
    for (const host of this.#hosts) if (host.isAtWork) count += 1;
    return count;
  }

  #join(host: ProcessHost, listener: LineListener): PeerLine {
    const line = host.open(listener);
    this.#keepSpare();
    return line;
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const host = this.#hostWithRoom();
      if (host === undefined) break;
      const { listener, resolve } = this.#waiters.shift()!;
      resolve(this.#join(host, listener));
    }
  }

  /** Starts as many processes as the waiting runs need and the limits allow, now and while some wait. */
  #grow(): void {
    while (this.#booting < this.#waiters.length && this.#mayGrow && this.#start()) {
      // Each one that starts will serve one of them.
    }
    if (this.#booting >= this.#waiters.length) return;
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      this.#serve();
      this.#grow();
    }, WAITING_MS).unref();
  }

  get #mayGrow(): boolean {
    let busy = this.#booting;
    for (const host of this.#hosts) if (host.hasRuns && host.waitingMs < WAITING_MS) busy += 1;
    return busy < this.#options.maxProcesses;
  }

  /** Starts spare processes, later: whoever is being served comes first. */
  #keepSpare(): void {
    if (this.#isSpareDue) return;
    this.#isSpareDue = true;
    setImmediate(() => {
      this.#isSpareDue = false;
      const isShort = () => {
        // What those who wait need is started elsewhere, and a process beside it would serve them at once.
        if (this.#waiters.length > 0) return false;
        let idle = this.#booting;
        for (const host of this.#hosts) if (host.isIdle) idle += 1;
        return idle < this.#options.minIdle;
      };
      while (isShort() && this.#start()) {
        // Each one that starts counts as idle.
      }
    });
  }

  /** @returns whether one was started */
  #start(): boolean {
    const { maxProcesses, maxWaitingProcesses, minIdle } = this.#options;
    const isFull = this.#hosts.size >= maxProcesses + maxWaitingProcesses + minIdle;
    if (this.#isDisposed || isFull) return false;
    this.#plans ??= launchPlans(this.#options, this.#modules);
    const [plan] = this.#plans;
    if (plan === undefined) return false;
    this.#booting += 1;
    this.#boot(plan).then(
      (info) => {
        this.#booting -= 1;
        this.#failedStarts = 0;
        this.#announce(info, plan);
        this.#serve();
      },
      (cause: unknown) => {
        this.#booting -= 1;
        this.#giveUp(plan, cause);
      },
    );
    return true;
  }

  async #boot(plan: LaunchPlan): Promise<EngineInfo> {
    const host = new ProcessHost(plan, this.#options, () => this.#onRoom(host));
    this.#hosts.add(host);
    try {
      return await host.boot();
    } catch (cause) {
      await host.kill();
      throw cause;
    }
  }

  #announce(info: EngineInfo, plan: LaunchPlan): void {
    if (this.#info !== undefined) return;
    this.#info = info;
    announceFallback(info, this.#options.onWarning);
    if (!plan.isConfined) {
      this.#options.onWarning(
        "Sandbox processes run without Node's permission model: it does not start here",
      );
    }
  }

  /**
   * A process did not start: the next way is tried, or those who wait are told. A way that has worked before is not given up for
   * one that is less safe, and an engine that does not load may only have been kept from its files.
   */
  #giveUp(plan: LaunchPlan, cause: unknown): void {
    if (this.#isDisposed) return;
    const isUntried = this.#info === undefined && this.#plans !== undefined && this.#plans.length > 1;
    const isRefusal = cause instanceof SandboxUnavailableError;
    if (isUntried && this.#plans?.[0] === plan && (!isRefusal || plan.isConfined)) {
      this.#plans = this.#plans.slice(1);
      this.#grow();
      return;
    }
    if (this.#plans?.[0] !== plan) {
      this.#grow();
      return;
    }
    this.#failedStarts += 1;
    if (this.#info !== undefined && this.#failedStarts < MAX_FAILED_STARTS) {
      this.#grow();
      return;
    }
    if (this.#info === undefined) this.#plans = undefined;
    const error = isRefusal
      ? cause
      : new SandboxUnavailableError(`The sandbox process does not start: ${errorMessage(cause)}`);
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  #onRoom(host: ProcessHost): void {
    if (host.isGone) this.#hosts.delete(host);
    if (this.#waiters.length > 0) {
      this.#serve();
      this.#grow();
    }
    if (host.isWaiting || this.#isDisposed) return;
    // Processes that did not even start are not replaced before somebody needs one.
    if (this.#info !== undefined) this.#keepSpare();
    if (this.#hosts.size > this.#kept)
      this.#surplusTimer ??= setTimeout(() => this.#shrink(), SURPLUS_MS).unref();
  }

  /** Processes that are kept although nobody needs them. */
  get #kept(): number {
    return Math.max(1, this.#options.minIdle);
  }

  #shrink(): void {
    this.#surplusTimer = undefined;
    const idle = [...this.#hosts].filter((host) => host.isIdle);
    for (const host of idle.slice(this.#kept)) host.retire();
  }
}
