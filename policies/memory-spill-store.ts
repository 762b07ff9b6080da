import { knownOptions, positiveInteger } from '../runtime/core/options.js';
import type { SpilledText, SpillStore } from './spill-store.js';

/** A store whose texts the host can read back. */
export interface MemorySpillStore extends SpillStore {
  /** @returns `undefined` for a text that is gone, or never was */
  read(locator: string): SpilledText | undefined;
}

/** What can be set of `memorySpillStore`. */
export interface MemorySpillStoreOptions {
  /** UTF-8 bytes of all texts; the oldest go first, and one larger than all is refused. @default 67108864 */
  readonly maxBytes?: number;
}

/**
 * Keeps texts in memory, bounded, for hosts without a file system and for tests.
 *
 * @throws {TypeError} when the bound has no meaning
 * @example
 * const store = memorySpillStore();
 * spill(tools, { maxInlineBytes: 16_384, store });
 */
export function memorySpillStore(options: MemorySpillStoreOptions = {}): MemorySpillStore {
  knownOptions('memorySpillStore', options, ['maxBytes']);
  const maxBytes = positiveInteger('maxBytes', options.maxBytes ?? 64 * 1024 * 1024);
  const texts = new Map<string, { readonly text: SpilledText; readonly bytes: number }>();
  let used = 0;
  let count = 0;
  return {
    save(text) {
      const bytes = Buffer.byteLength(text.content);
      if (bytes > maxBytes)
        throw new Error(`Cannot save a text: wanted at most ${maxBytes} bytes, received ${bytes}`);
      count += 1;
      const locator = `memory:${count}`;
      texts.set(locator, { text, bytes });
      used += bytes;
      for (const [oldest, entry] of texts) {
        if (used <= maxBytes) break;
        texts.delete(oldest);
        used -= entry.bytes;
      }
      return { locator, bytes, retrievalHint: `The host keeps the rest as ${locator}.` };
    },
    read: (locator) => texts.get(locator)?.text,
  };
}
