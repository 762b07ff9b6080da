import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/** How many given-up requests are remembered. */
const MOST_GIVEN_UP = 10_000;

/** Knows which requests of one connection wait, so that what comes too late for them is nothing to complain about. */
export class LateMessages {
  readonly #waiting = new Set<RequestId>();
  readonly #givenUp = new Set<RequestId>();

  isWaiting(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  sent(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    for (const one of [message].flat() as JSONRPCMessage[]) {
      if (!('method' in one)) continue;
      if ('id' in one) this.#waiting.add(one.id);
      else if (one.method === 'notifications/cancelled') this.#giveUp(one.params?.['requestId'] as RequestId);
    }
  }

  failed(id: RequestId): void {
    this.#waiting.delete(id);
  }

  /** Whether a message that arrives is for a request that nobody waits for any more. */
  isLate(message: JSONRPCMessage): boolean {
    if ('method' in message) {
      if (message.method !== 'notifications/progress') return false;
      return !this.#waiting.has(message.params?.['progressToken'] as RequestId);
    }
    if (message.id === undefined) return false;
    this.#waiting.delete(message.id);
    return this.#givenUp.delete(message.id);
  }

  #giveUp(id: RequestId): void {
    if (!this.#waiting.delete(id)) return;
    this.#givenUp.add(id);
    const [oldest] = this.#givenUp;
    if (this.#givenUp.size > MOST_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest);
  }
}
