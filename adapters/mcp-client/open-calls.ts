import { AsyncLocalStorage } from 'node:async_hooks';

/** The calls of one server that are under way, and which of them something belongs to that the server sends meanwhile. */
export class OpenCalls {
  readonly #open = new Set<{ readonly callId: string }>();
  /** Follows a call into the stream of its own answer, where there is one. */
  readonly #current = new AsyncLocalStorage<string | undefined>();

  /** Runs a call; it is under way until the function has settled. */
  async during<T>(callId: string, work: () => Promise<T>): Promise<T> {
    const call = { callId };
    this.#open.add(call);
    try {
      return await this.#current.run(callId, work);
    } finally {
      this.#open.delete(call);
    }
  }

  /** Runs what belongs to no call, whoever started it. */
  outside<T>(work: () => T): T {
    return this.#current.run(undefined, work);
  }

  /** The call that is known to be meant, else every one that may be. */
  meant(): readonly string[] {
    const current = this.#current.getStore();
    return current === undefined ? [...this.#open].map(({ callId }) => callId) : [current];
  }
}
