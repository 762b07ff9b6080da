import { randomBytes } from 'node:crypto';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { withLeaves } from './replacements.js';

const MAX_HANDLES = 10_000;
const NO_FIELD = () => false;
const HANDLE = /secret:[0-9a-f]{24}/g;

/** Stand-ins for secrets; who holds one learns nothing. The oldest are forgotten beyond 10,000. */
export class Handles {
  readonly #bySecret = new Map<string, string>();
  readonly #byHandle = new Map<string, string>();

  /** The stand-in of a secret, always the same one. */
  of(secret: string): string {
    const known = this.#bySecret.get(secret);
    if (known !== undefined) return known;
    const handle = `secret:${randomBytes(12).toString('hex')}`;
    this.#bySecret.set(secret, handle);
    this.#byHandle.set(handle, secret);
    if (this.#bySecret.size > MAX_HANDLES) {
      const [oldest, its] = this.#bySecret.entries().next().value as [string, string];
      this.#bySecret.delete(oldest);
      this.#byHandle.delete(its);
    }
    return handle;
  }

  /** The value with the secrets back in place of their stand-ins. */
  reveal(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      // JSON within a text stays JSON: what a leaf of it gets back is written as JSON writes it.
      const inner = withLeaves(value, NO_FIELD, (leaf) =>
        typeof leaf === 'string' ? this.reveal(leaf) : leaf,
      );
      return inner.replace(HANDLE, (handle) => this.#byHandle.get(handle) ?? handle);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.reveal(item as JsonValue));
    return Object.fromEntries(
      Object.entries(value as { readonly [key: string]: JsonValue }).map(([key, part]) => [
        key,
        this.reveal(part),
      ]),
    );
  }
}
