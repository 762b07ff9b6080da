import type { ToolGuard } from '../contract/decisions.js';
import type { ScopeKey } from '../contract/scope.js';
import type { Registration } from './registration.js';
import type { CompiledRestriction } from './restriction.js';

/** One guard registration; the entry's identity counts, so one function may be registered twice. */
export interface GuardEntry {
  readonly check: ToolGuard;
}

/** What one scope, or the global view, has registered. */
export interface Layer {
  readonly tools: Map<string, Registration>;
  readonly restrictions: Set<CompiledRestriction>;
  /** Replaced by a new set when it drains, so that a pass over the old one ends there. */
  guards: Set<GuardEntry>;
}

/** The layers of a registry: one for the global view, one per scope that has registered something. */
export interface LayerTable {
  readonly global: Layer;
  /** The layer of a scope (or the global one), if it has any. */
  peek(scope: ScopeKey | undefined): Layer | undefined;
  /** The layer of a scope, made when it has none. */
  ensure(scope: ScopeKey | undefined): Layer;
  /** Drops a scope's layer when nothing is left in it. */
  release(scope: ScopeKey | undefined): void;
}

/**
 * Makes an empty table. Scopes are held weakly.
 *
 * @example
 * const layers = createLayers();
 * layers.ensure(agent).tools.size // 0
 */
export function createLayers(): LayerTable {
  const global = emptyLayer();
  const byScope = new WeakMap<ScopeKey, Layer>();
  return {
    global,
    peek: (scope) => (scope === undefined ? global : byScope.get(scope)),
    ensure(scope) {
      if (scope === undefined) return global;
      let layer = byScope.get(scope);
      if (layer === undefined) {
        layer = emptyLayer();
        byScope.set(scope, layer);
      }
      return layer;
    },
    release(scope) {
      if (scope === undefined) return;
      const layer = byScope.get(scope);
      if (layer === undefined) return;
      if (layer.tools.size + layer.restrictions.size + layer.guards.size === 0) byScope.delete(scope);
    },
  };
}

function emptyLayer(): Layer {
  return { tools: new Map(), restrictions: new Set(), guards: new Set() };
}
