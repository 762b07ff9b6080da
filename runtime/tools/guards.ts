import type { ToolGuard } from '../contract/decisions.js';
import type { ToolExecution } from '../contract/execution.js';
import type { ScopeKey } from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';
import { received } from '../core/option-error.js';
import type { GuardEntry, LayerTable } from './layers.js';
import { scopeChain } from './scope-chain.js';

/** Guards filed by scope. */
export interface GuardTable {
  add(scope: ScopeKey | undefined, check: ToolGuard): Disposer;
  /**
   * The first denial: global guards in registration order, then the layers of the agent's chain, farthest first.
   *
   * Iteration is live: a guard that a guard adds is asked in the same pass, unless its table had drained meanwhile.
   *
   * @throws {TypeError} when a guard returns neither a string nor `undefined`: it has not decided, so nothing may run.
   */
  check(execution: Readonly<ToolExecution>): string | undefined;
}

/**
 * Makes the guard table over a registry's layers.
 *
 * @example
 * const guards = createGuards(createLayers());
 * guards.add(undefined, (exec) => (exec.name === 'rm' ? 'not here' : undefined));
 */
export function createGuards(layers: LayerTable): GuardTable {
  let count = 0;
  return {
    add(scope, check) {
      if (typeof check !== 'function') {
        throw new TypeError(`Cannot add a guard: wanted a function, received ${received(check)}`);
      }
      const entry: GuardEntry = { check };
      layers.ensure(scope).guards.add(entry);
      count += 1;
      return () => {
        const layer = layers.peek(scope);
        if (layer === undefined || !layer.guards.delete(entry)) return;
        count -= 1;
        if (layer.guards.size === 0) layer.guards = new Set();
        layers.release(scope);
      };
    },
    check(execution) {
      if (count === 0) return undefined;
      const farthestFirst = [undefined, ...[...scopeChain(execution.agent)].reverse()];
      for (const scope of farthestFirst) {
        for (const { check } of layers.peek(scope)?.guards ?? []) {
          const reason: unknown = check(execution);
          if (reason === undefined) continue;
          if (typeof reason === 'string') return reason;
          throw unusable(reason);
        }
      }
      return undefined;
    },
  };
}

function unusable(reason: unknown): TypeError {
  // A guard written as an async function: its rejection would otherwise take the process down.
  if (reason instanceof Promise) reason.catch(() => {});
  return new TypeError(
    `Cannot judge the call: a guard wants to return a reason or undefined at once, received ${received(reason)}`,
  );
}
