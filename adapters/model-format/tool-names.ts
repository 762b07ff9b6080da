import { createHash } from 'node:crypto';
import type { NameLimits } from './format.js';

const HASH_LENGTH = 8;

/** Names of tools in both directions. */
export interface ToolNames {
  /** The API's name of a registered tool. */
  outward(name: string): string;
  /** The registered name; one that is not in the map, such as an invented one, stays as it is. */
  inward(name: string): string;
}

/**
 * Gives every registered name one that an API accepts, and finds it again.
 *
 * A name that is accepted stays. Any other is cleaned, cut, and ends in a hash of itself, so that it stays the same from
 * step to step whatever other tools come and go. No two names share one.
 *
 * @example
 * const names = toolNames(['read', 'files.read'], { maxLength: 64, dashes: true });
 * names.inward(names.outward('files.read')) // 'files.read'
 */
export function toolNames(registered: readonly string[], limits: NameLimits): ToolNames {
  const accepted = new RegExp(`^[A-Za-z0-9_${limits.dashes ? '-' : ''}]{1,${limits.maxLength}}$`);
  const outward = new Map<string, string>();
  const inward = new Map<string, string>();
  const give = (name: string, given: string) => {
    outward.set(name, given);
    inward.set(given, name);
  };
  const distinct = [...new Set(registered)];
  for (const name of distinct) if (accepted.test(name)) give(name, name);
  // Sorted, so that even names whose hashes meet do not depend on the order of the registrations.
  const others = distinct.filter((name) => !outward.has(name)).sort();
  for (const name of others) {
    for (let n = 0; !outward.has(name); n += 1) {
      const candidate = cleaned(name, n, limits);
      if (!inward.has(candidate)) give(name, candidate);
    }
  }
  return {
    outward: (name) => outward.get(name) ?? name,
    inward: (name) => inward.get(name) ?? name,
  };
}

function cleaned(name: string, n: number, { maxLength, dashes }: NameLimits): string {
  const text = name.replace(dashes ? /[^A-Za-z0-9_-]+/g : /[^A-Za-z0-9_]+/g, '_');
  const hash = createHash('sha256')
    .update(n === 0 ? name : `${n}:${name}`, 'utf16le')
    .digest('hex')
    .slice(0, HASH_LENGTH);
  return `${text.slice(0, maxLength - HASH_LENGTH - 1)}_${hash}`;
}
