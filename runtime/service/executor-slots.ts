import type { ToolExecutor, ToolPromptSection } from '../contract/executor.js';
import type { ScopeKey } from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';
import { once } from '../core/disposer.js';
import { scopeChain } from '../tools/scope-chain.js';
import { assertExecutor, sectionsOf } from './check-executor.js';

/** An executor as it was set, with the sections it came with. */
export interface Provider {
  readonly executor: ToolExecutor;
  /** In the order in which they are placed. */
  readonly sections: readonly ToolPromptSection[];
  /** False once its disposer has run. */
  isLive: boolean;
}

/** One slot per scope, and one for the deployment's default. */
export interface ExecutorSlots {
  /**
   * Fills the scope's slot, whatever was in it. The disposer leaves the slot declared and empty, unless another executor
   * was set meanwhile.
   */
  set(scope: ScopeKey | undefined, executor: ToolExecutor): Disposer;
  /**
   * The same for a scope's one declaration: the disposer restores what was there before.
   *
   * @throws {Error} when the scope has a declaration.
   */
  declare(scope: ScopeKey | undefined, executor: ToolExecutor): Disposer;
  /**
   * The provider of the nearest scope that has a slot.
   *
   * @throws {Error} when that slot is empty, or when there is none.
   */
  select(scope: ScopeKey | undefined): Provider;
}

interface Slot {
  current: Provider | undefined;
  declared: Provider | undefined;
}

/**
 * Makes slots without executors. Scopes are held weakly.
 *
 * @example
 * const slots = createExecutorSlots();
 * slots.set(undefined, nativeExecutor());
 * slots.select(agent).executor
 */
export function createExecutorSlots(): ExecutorSlots {
  const byScope = new WeakMap<ScopeKey, Slot>();
  let standard: Slot | undefined;

  const peek = (scope: ScopeKey | undefined) => (scope === undefined ? standard : byScope.get(scope));
  const ensure = (scope: ScopeKey | undefined): Slot => {
    const slot = peek(scope) ?? { current: undefined, declared: undefined };
    if (scope === undefined) standard = slot;
    else byScope.set(scope, slot);
    return slot;
  };
  const remove = (scope: ScopeKey | undefined) => {
    if (scope === undefined) standard = undefined;
    else byScope.delete(scope);
  };

  return {
    set(scope, executor) {
      const provider = createProvider(executor);
      const slot = ensure(scope);
      slot.current = provider;
      return () => {
        provider.isLive = false;
        if (slot.current === provider) slot.current = undefined;
      };
    },
    declare(scope, executor) {
      const provider = createProvider(executor);
      const before = peek(scope);
      if (before?.declared !== undefined) {
        const where = scope === undefined ? 'the deployment' : 'this scope';
        throw new Error(`Cannot declare a presentation: ${where} has one, and wants it disposed first`);
      }
      const covered = before?.current;
      const slot = ensure(scope);
      slot.current = provider;
      slot.declared = provider;
      return once(() => {
        provider.isLive = false;
        slot.declared = undefined;
        if (slot.current !== provider) return;
        slot.current = covered?.isLive ? covered : undefined;
        if (before === undefined) remove(scope);
      });
    },
    select(scope) {
      for (const link of scopeChain(scope)) {
        const slot = byScope.get(link);
        if (slot !== undefined)
          return slot.current ?? unavailable(`the executor of ${label(link)} was removed`);
      }
      if (standard === undefined) return unavailable('no executor is set, wanted one from setExecutor(…)');
      return standard.current ?? unavailable("the deployment's executor was removed");
    },
  };
}

function createProvider(executor: ToolExecutor): Provider {
  assertExecutor(executor);
  return { executor, sections: sectionsOf(executor), isLive: true };
}

function unavailable(why: string): never {
  throw new Error(`Cannot select an executor: ${why}`);
}

function label(scope: ScopeKey): string {
  const id: unknown = (scope as { readonly id?: unknown }).id;
  return typeof id === 'string' ? `scope "${id}"` : 'this scope';
}
