import type { ScopeKey } from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';

/** What each scope has registered, so that it can go together. */
export interface ScopeEffects {
  /** Files a disposer under its scope and hands it back; calling it takes it out again. */
  track(scope: ScopeKey | undefined, dispose: Disposer): Disposer;
  /** Undoes what the scope has registered, latest first. */
  disposeAll(scope: ScopeKey): void;
}

/**
 * Makes the book of effects. Scopes are held weakly; the global view has no common end.
 *
 * @example
 * const effects = createScopeEffects();
 * effects.track(agent, registry.guard(agent, check));
 * effects.disposeAll(agent);
 */
export function createScopeEffects(): ScopeEffects {
  const byScope = new WeakMap<ScopeKey, Set<Disposer>>();
  return {
    track(scope, dispose) {
      if (scope === undefined) return dispose;
      const effects = byScope.get(scope) ?? new Set<Disposer>();
      byScope.set(scope, effects);
      const effect = () => {
        effects.delete(effect);
        dispose();
      };
      effects.add(effect);
      return effect;
    },
    disposeAll(scope) {
      for (const effect of [...(byScope.get(scope) ?? [])].reverse()) effect();
    },
  };
}
