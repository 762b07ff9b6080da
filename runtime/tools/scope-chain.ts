import type { ScopeKey } from '../contract/scope.js';
import { received } from '../core/option-error.js';

/**
 * Refuses what cannot be a scope, so that a mistake shows where it is made.
 *
 * @throws {TypeError} when `scope` is not an object or its parent chain is circular.
 * @example
 * assertScopeKey({ id: 'agent-1' });
 */
export function assertScopeKey(scope: unknown): asserts scope is ScopeKey {
  if (scope === undefined || scope === null) throw notAScope(scope);
  scopeChain(scope as ScopeKey);
}

/**
 * The scope itself, then its ancestors, nearest first; empty for the global view.
 *
 * @throws {TypeError} when a link is not an object or the chain is circular.
 * @example
 * const preset = {};
 * scopeChain({ parent: preset }).at(-1) === preset // true
 */
export function scopeChain(scope: ScopeKey | undefined): readonly ScopeKey[] {
  const chain = new Set<ScopeKey>();
  let link: ScopeKey | null | undefined = scope;
  while (link !== undefined && link !== null) {
    if (typeof link !== 'object' && typeof link !== 'function') {
      throw notAScope(link);
    }
    if (chain.has(link)) throw new TypeError('Cannot use a scope: its chain of parents is circular');
    chain.add(link);
    link = link.parent;
  }
  return [...chain];
}

/**
 * Whether a chain taken earlier still is the chain of its first link.
 *
 * @example
 * const agent = { parent: preset };
 * isCurrentChain(scopeChain(agent)) // true, until agent.parent changes
 */
export function isCurrentChain(chain: readonly ScopeKey[]): boolean {
  for (let index = 0; index < chain.length; index += 1) {
    if ((chain[index]!.parent ?? undefined) !== chain[index + 1]) return false;
  }
  return true;
}

function notAScope(value: unknown): TypeError {
  return new TypeError(`Cannot use a scope: wanted an object identity, received ${received(value)}`);
}
