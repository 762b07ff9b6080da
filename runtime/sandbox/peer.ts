import { loadIsolatedVm } from './engines/isolated-vm.js';
import { loadQuickjs } from './engines/quickjs.js';
import { GuestPool } from './guest-pool.js';
import type { EngineLanguage } from './language.js';
import { PeerRun } from './peer-run.js';
import type { Guest, GuestEngine, PeerOptions, PeerPort, SandboxPeer } from './peer-types.js';
import { HostFrame, type HostFrameType, PeerFrame, type ReadyPayload } from './wire.js';

const loaders: Readonly<Record<PeerOptions['engine'], (options: PeerOptions) => Promise<GuestEngine>>> = {
  'isolated-vm': async () => loadIsolatedVm(),
  quickjs: (options) => loadQuickjs(options.quickjsStackKb),
};

/**
 * Makes the sandbox's end of the wire: loads the engine, builds the spare guests and says `ready`.
 *
 * @throws {Error} (rejects) when the engine does not load; nothing has been sent then
 */
export async function createPeer(options: PeerOptions, port: PeerPort): Promise<SandboxPeer> {
  const engine = await loaders[options.engine](options);
  const pool = new GuestPool(engine, options.memoryMb, options.spareGuests ?? 2);
  await pool.fill();
  const language = engine.language ?? (await askOnce(engine, options.memoryMb));
  const ready: ReadyPayload = {
    wire: 1,
    engine: engine.name,
    engineVersion: engine.version,
    pid: process.pid,
    languageLevel: language.level,
    missingLibraries: language.missing,
  };
  port.send(PeerFrame.ready, 0, JSON.stringify(ready));
  return new Peer(engine, pool, port);
}

/** Where no guest is kept ready, one is made to be asked. */
async function askOnce(engine: GuestEngine, memoryMb: number): Promise<EngineLanguage> {
  (await engine.create(memoryMb)).dispose();
  if (engine.language === undefined)
    throw new Error(`The engine "${engine.name}" did not say what it speaks`);
  return engine.language;
}

class Peer implements SandboxPeer {
  readonly #engine: GuestEngine;
  readonly #pool: GuestPool;
  readonly #port: PeerPort;
  readonly #runs = new Map<number, PeerRun>();
  /** Guests of runs that are over. */
  readonly #spent: Guest[] = [];
  #refill: NodeJS.Immediate | undefined;

  constructor(engine: GuestEngine, pool: GuestPool, port: PeerPort) {
    this.#engine = engine;
    this.#pool = pool;
    this.#port = port;
  }

  receive(type: HostFrameType, id: number, payload: string): void {
    const run = this.#runs.get(id);
    if (type === HostFrame.start && run === undefined) {
      const started = new PeerRun(id, this.#engine, this.#pool, this.#port, (spent) =>
        this.#forget(id, spent),
      );
      this.#runs.set(id, started);
      started.start(payload);
    } else if (type === HostFrame.stop || run === undefined) {
      run?.dispose();
      this.#port.send(PeerFrame.stopped, id, '');
    } else run.receive(type, payload);
  }

  #forget(id: number, spent: Guest | undefined): void {
    this.#runs.delete(id);
    if (spent !== undefined) this.#spent.push(spent);
    // Off the path of the answer that has just been sent.
    this.#refill ??= setImmediate(() => void this.idle()).unref();
  }

  idle(): Promise<void> | undefined {
    if (this.#refill !== undefined) clearImmediate(this.#refill);
    this.#refill = undefined;
    this.#disposeSpent();
    const refilled = this.#pool.refill();
    const making: Promise<void>[] = [];
    for (const run of this.#runs.values()) if (run.making !== undefined) making.push(run.making);
    if (making.length === 0) return refilled;
    return Promise.all([refilled, ...making]).then(() => undefined);
  }

  #disposeSpent(): void {
    for (const guest of this.#spent.splice(0)) guest.dispose();
  }

  dispose(): void {
    if (this.#refill !== undefined) clearImmediate(this.#refill);
    for (const run of [...this.#runs.values()]) run.dispose();
    this.#disposeSpent();
    this.#pool.dispose();
  }
}
