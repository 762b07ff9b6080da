import type { ApprovalService } from '../contract/approval.js';
import type { ScopeKey } from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';
import { once } from '../core/disposer.js';
import { received } from '../core/option-error.js';
import { scopeChain } from '../tools/scope-chain.js';

/** Who answers for which scope. */
export interface Approvers {
  /** The latest one set for a scope answers; its disposer brings back the one before. */
  set(scope: ScopeKey | undefined, approval: ApprovalService): Disposer;
  /** The nearest scope's, else the deployment's. */
  select(scope: ScopeKey | undefined): ApprovalService | undefined;
}

interface Entry {
  readonly approval: ApprovalService;
}

/**
 * Makes the table of approvers. Scopes are held weakly.
 *
 * @param initial answers where nobody else is set
 * @throws {TypeError} when an approver has no `request` method.
 * @example
 * createApprovers(approval).select(agent) === approval // true
 */
export function createApprovers(initial?: ApprovalService): Approvers {
  const standard: Entry[] = [];
  const byScope = new WeakMap<ScopeKey, Entry[]>();
  if (initial !== undefined) standard.push(entryOf(initial));
  return {
    set(scope, approval) {
      const entry = entryOf(approval);
      const entries = scope === undefined ? standard : (byScope.get(scope) ?? []);
      entries.push(entry);
      if (scope !== undefined) byScope.set(scope, entries);
      return once(() => {
        entries.splice(entries.indexOf(entry), 1);
      });
    },
    select(scope) {
      for (const link of scopeChain(scope)) {
        const entry = byScope.get(link)?.at(-1);
        if (entry !== undefined) return entry.approval;
      }
      return standard.at(-1)?.approval;
    },
  };
}

function entryOf(approval: ApprovalService): Entry {
  if (typeof approval?.request !== 'function') {
    throw new TypeError(
      `Cannot set an approver: "request" wants a function, received ${received(approval?.request)}`,
    );
  }
  return { approval };
}
