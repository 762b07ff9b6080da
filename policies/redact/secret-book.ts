import type { Agent } from '../../runtime/contract/scope.js';

/** Shorter secrets would blot out half of every text; they are only hidden where their field is known. */
export const MIN_SECRET_CHARS = 4;

/** Secrets an agent has seen, newest last; the oldest are forgotten beyond this many. */
const MAX_SECRETS = 1000;

const NOBODY = {};

/** The secrets that have been seen, by agent, held weakly. They are compared letter by letter in every text. */
export class SecretBook {
  readonly #byAgent = new WeakMap<object, Set<string>>();

  /** Longest first, so that a secret inside another one leaves no rest of it. */
  of(agent: Agent | undefined): readonly string[] {
    return [...(this.#byAgent.get(agent ?? NOBODY) ?? [])].sort((a, b) => b.length - a.length);
  }

  add(agent: Agent | undefined, secret: string): void {
    if (secret.length < MIN_SECRET_CHARS) return;
    const known = this.#byAgent.get(agent ?? NOBODY) ?? new Set<string>();
    this.#byAgent.set(agent ?? NOBODY, known);
    known.delete(secret);
    known.add(secret);
    if (known.size > MAX_SECRETS) known.delete(known.values().next().value as string);
  }
}
