import type { Guest, GuestEngine } from './peer-types.js';

/** Guests built ahead, so that a run starts in a world that is already there. */
export class GuestPool {
  readonly #engine: GuestEngine;
  readonly #memoryMb: number;
  readonly #wanted: number;
  readonly #spares: Guest[] = [];
  #filling: Promise<void> | undefined;
  #disposed = false;

  /** @param wanted guests kept ready */
  constructor(engine: GuestEngine, memoryMb: number, wanted: number) {
    this.#engine = engine;
    this.#memoryMb = memoryMb;
    this.#wanted = wanted;
  }

  /** A spare guest, or a new one; the caller disposes it. */
  take(memoryMb: number): Guest | Promise<Guest> {
    const spare = memoryMb === this.#memoryMb ? this.#spares.shift() : undefined;
    return spare ?? this.#engine.create(memoryMb);
  }

  /** Builds the guests that are missing. @throws {Error} (rejects) when the engine cannot make one */
  async fill(): Promise<void> {
    while (this.#spares.length < this.#wanted) this.#spares.push(await this.#engine.create(this.#memoryMb));
  }

  /**
   * Builds the guests that are missing, one after another. One that cannot be made is left to the run that needs it, which
   * tells why.
   *
   * @returns `undefined` when nothing is left to wait for
   */
  refill(): Promise<void> | undefined {
    while (this.#filling === undefined && !this.#disposed && this.#spares.length < this.#wanted) {
      try {
        const made = this.#engine.create(this.#memoryMb);
        if (made instanceof Promise) this.#filling = this.#awaitOne(made);
        else this.#spares.push(made);
      } catch {
        break;
      }
    }
    return this.#filling;
  }

  async #awaitOne(made: Promise<Guest>): Promise<void> {
    const guest = await made.catch(() => undefined);
    this.#filling = undefined;
    if (guest === undefined) return;
    if (this.#disposed) guest.dispose();
    else this.#spares.push(guest);
    await this.refill();
  }

  dispose(): void {
    this.#disposed = true;
    for (const spare of this.#spares.splice(0)) spare.dispose();
  }
}
