import type { ScopeKey } from '../contract/scope.js';
import type { LayerTable } from './layers.js';
import type { Registration } from './registration.js';
import { isCurrentChain, scopeChain } from './scope-chain.js';

/** What each scope sees, by name, in listing order. */
export interface VisibleTools {
  /** Valid until the next change; not for keeping. */
  of(scope: ScopeKey | undefined): ReadonlyMap<string, Registration>;
  /** Every name that a scope inherits, hidden ones included. */
  inheritedNames(scope: ScopeKey): ReadonlySet<string>;
  /** Forgets all views; to be called after any change of tools or restrictions. */
  invalidate(): void;
}

interface View {
  readonly version: number;
  readonly chain: readonly ScopeKey[];
  readonly tools: ReadonlyMap<string, Registration>;
}

/**
 * Makes the views over a registry's layers; each is built on demand and kept until something changes.
 *
 * @example
 * createVisibleTools(layers).of(agent).get('read_file')
 */
export function createVisibleTools(layers: LayerTable): VisibleTools {
  let version = 0;
  const views = new WeakMap<ScopeKey, View>();
  return {
    of(scope) {
      if (scope === undefined) return layers.global.tools;
      const known = views.get(scope);
      if (known !== undefined && known.version === version && isCurrentChain(known.chain)) return known.tools;
      const chain = scopeChain(scope);
      const tools = buildView(layers, chain);
      views.set(scope, { version, chain, tools });
      return tools;
    },
    inheritedNames: (scope) => new Set(inherited(layers, scopeChain(scope)).keys()),
    invalidate() {
      version += 1;
    },
  };
}

/** A shadow keeps the place of the name it shadows, because setting a present key of a map does not move it. */
function inherited(layers: LayerTable, chain: readonly ScopeKey[]): Map<string, Registration> {
  const tools = new Map(layers.global.tools);
  for (const ancestor of chain.slice(1).reverse()) {
    for (const [name, registration] of layers.peek(ancestor)?.tools ?? []) tools.set(name, registration);
  }
  return tools;
}

function buildView(layers: LayerTable, chain: readonly ScopeKey[]): ReadonlyMap<string, Registration> {
  const filed = chain.map((scope) => layers.peek(scope));
  if (filed.every((layer) => layer === undefined)) return layers.global.tools;
  const tools = inherited(layers, chain);
  const restrictions = filed.flatMap((layer) => [...(layer?.restrictions ?? [])]);
  for (const name of [...tools.keys()]) {
    if (!restrictions.every((restriction) => restriction.admits(name))) tools.delete(name);
  }
  for (const [name, registration] of filed[0]?.tools ?? []) tools.set(name, registration);
  return tools;
}
