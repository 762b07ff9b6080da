import { describe, expect, it } from 'vitest';
import { GuestPool } from '#dist/runtime/sandbox/guest-pool.js';
import type { Guest, GuestEngine } from '#dist/runtime/sandbox/peer-types.js';

/** An engine that counts, and fails when it is told to. */
class CountingEngine implements GuestEngine {
  readonly name = 'counting';
  readonly version = '1.0.0';
  readonly countsFromColumnOffset = true;
  readonly language = undefined;
  made = 0;
  disposed = 0;
  isBroken = false;
  readonly #isAsync: boolean;

  constructor(isAsync: boolean) {
    this.#isAsync = isAsync;
  }

  create(memoryMb: number): Guest | Promise<Guest> {
    if (this.isBroken && !this.#isAsync) throw new Error('no memory');
    if (this.isBroken) return Promise.reject(new Error('no memory'));
    this.made++;
    const guest = { memoryMb, dispose: () => this.disposed++ } as unknown as Guest;
    return this.#isAsync ? Promise.resolve(guest) : guest;
  }
}

describe.each([false, true])('the pool of guests, made asynchronously: %s', (isAsync) => {
  it('keeps as many guests ready as it is told to, and makes those that are taken again', async () => {
    const engine = new CountingEngine(isAsync);
    const pool = new GuestPool(engine, 64, 2);
    await pool.fill();
    expect(engine.made).toBe(2);
    expect(pool.refill()).toBeUndefined();
    await pool.take(64);
    await pool.take(64);
    expect(engine.made).toBe(2);
    await pool.refill();
    expect(engine.made).toBe(4);
    pool.dispose();
    expect(engine.disposed).toBe(2);
  });

  it('makes a guest on demand when none is ready, or none with that heap', async () => {
    const engine = new CountingEngine(isAsync);
    const pool = new GuestPool(engine, 64, 1);
    await pool.fill();
    expect((await pool.take(32)).memoryMb).toBe(32);
    await pool.take(64);
    await pool.take(64);
    expect(engine.made).toBe(3);
  });

  it('an engine that makes no guest fails the first fill and the run that needs one, not the refill', async () => {
    const engine = new CountingEngine(isAsync);
    engine.isBroken = true;
    const pool = new GuestPool(engine, 64, 1);
    await expect(pool.fill()).rejects.toThrow('no memory');
    await expect(Promise.resolve(pool.refill())).resolves.toBeUndefined();
    await expect((async () => pool.take(64))()).rejects.toThrow('no memory');
    engine.isBroken = false;
    await pool.refill();
    expect(engine.made).toBe(1);
  });

  it('a guest that comes after the end of the pool is thrown away', async () => {
    const engine = new CountingEngine(isAsync);
    const pool = new GuestPool(engine, 64, 1);
    const filling = pool.refill();
    pool.dispose();
    await filling;
    expect([engine.made, engine.disposed]).toEqual([1, 1]);
    expect(pool.refill()).toBeUndefined();
  });
});
