import { createHash } from 'node:crypto';

/** How many refused programs are remembered. */
const KEPT = 256;

/** The programs that were refused lately, so that one sent again can be let through. */
export class SentTexts {
  readonly #hashes = new Set<string>();

  add(text: string): void {
    const hash = hashOf(text);
    this.#hashes.delete(hash);
    this.#hashes.add(hash);
    const oldest = this.#hashes.values().next();
    if (this.#hashes.size > KEPT && !oldest.done) this.#hashes.delete(oldest.value);
  }

  has(text: string): boolean {
    return this.#hashes.has(hashOf(text));
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
