import type { ToolGuard } from '../contract/decisions.js';
import type { ToolDefinition } from '../contract/definition.js';
import type { ToolExecution } from '../contract/execution.js';
import type {
  ResolvedToolSet,
  ScopeKey,
  ToolActivationContext,
  ToolRegistrationOptions,
  ToolRestriction,
} from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';
import { type Admission, activationContext, admit, createResolvedSet } from './admission.js';
import { assertToolDefinition } from './check-definition.js';
import { createGuards } from './guards.js';
import { createLayers } from './layers.js';
import { createRegistration, type Registration } from './registration.js';
import { compileRestriction } from './restriction.js';
import { createVisibleTools } from './visible-tools.js';

/**
 * Tools, restrictions and guards of every scope. An `undefined` scope is the global view.
 *
 * Every method that adds something returns its exact, synchronous disposer: it removes that one insertion, and a second
 * call is harmless.
 */
export interface Registry {
  register(
    scope: ScopeKey | undefined,
    definition: ToolDefinition,
    options?: ToolRegistrationOptions,
  ): Disposer;
  restrict(scope: ScopeKey | undefined, filter: ToolRestriction): Disposer;
  guard(scope: ScopeKey | undefined, check: ToolGuard): Disposer;
  checkGuards(execution: Readonly<ToolExecution>): string | undefined;
  /** What may be looked at: without a set all visible registrations, with one only the admitted ones. */
  find(name: string, scope?: ScopeKey, toolSet?: ResolvedToolSet): Registration | undefined;
  /** What may be executed: without a set only unconditional registrations, with one the set decides. */
  executable(name: string, scope?: ScopeKey, toolSet?: ResolvedToolSet): Registration | undefined;
  /** All that `find` would give, in listing order. */
  list(scope?: ScopeKey, toolSet?: ResolvedToolSet): readonly Registration[];
  resolve(context: ToolActivationContext): Promise<ResolvedToolSet>;
}

/**
 * Tells everyone that the tools have changed.
 *
 * @param undo given when the change is to be taken back if a listener throws; the announcement then throws that error.
 *   Without it, listeners are contained.
 */
export type AnnounceChange = (undo?: () => void) => void;

/**
 * Makes an empty registry.
 *
 * @param announce called after each change of tools or restrictions, never for guards
 * @param layers where everything is filed; empty
 * @example
 * const registry = createRegistry(() => {});
 * const dispose = registry.register(undefined, definition);
 */
export function createRegistry(announce: AnnounceChange, layers = createLayers()): Registry {
  const visible = createVisibleTools(layers);
  const guards = createGuards(layers);
  const admissions = new WeakMap<ResolvedToolSet, Admission>();

  /**
   * Announces an insertion that is in place, and hands out its removal.
   *
   * @param remove says whether the insertion was still there
   */
  const inserted = (remove: () => boolean): Disposer => {
    const removed = () => {
      if (!remove()) return false;
      visible.invalidate();
      return true;
    };
    visible.invalidate();
    announce(removed);
    return () => {
      if (removed()) announce();
    };
  };

  const admitted = (toolSet: ResolvedToolSet, scope: ScopeKey | undefined): Map<string, Registration> => {
    const admission = admissions.get(toolSet);
    const kept = new Map<string, Registration>();
    if (admission !== undefined && admission.scope !== scope) return kept;
    const foreign = admission === undefined ? toolSet.view(scope) : undefined;
    for (const [name, registration] of visible.of(scope)) {
      const isAdmitted =
        foreign === undefined
          ? admission?.registrations.has(registration)
          : foreign.get(name) === registration.definition;
      if (isAdmitted) kept.set(name, registration);
    }
    return kept;
  };

  const find: Registry['find'] = (name, scope, toolSet) => {
    const registration = visible.of(scope).get(name);
    if (registration === undefined || toolSet === undefined) return registration;
    const admission = admissions.get(toolSet);
    if (admission === undefined) {
      return toolSet.view(scope).get(name) === registration.definition ? registration : undefined;
    }
    return admission.scope === scope && admission.registrations.has(registration) ? registration : undefined;
  };

  return {
    register(scope, definition, options) {
      assertToolDefinition(definition);
      const registration = createRegistration(definition, options);
      const { name } = registration;
      if (layers.peek(scope)?.tools.has(name)) throw duplicate(name, scope);
      layers.ensure(scope).tools.set(name, registration);
      return inserted(() => {
        const tools = layers.peek(scope)?.tools;
        if (tools?.get(name) !== registration) return false;
        tools.delete(name);
        layers.release(scope);
        return true;
      });
    },
    restrict(scope, filter) {
      if (scope === undefined) {
        throw new Error(
          'Cannot restrict tools: a restriction wants a scope, as in scoped(agent).restrict(…), received the global view',
        );
      }
      const restriction = compileRestriction(filter, visible.inheritedNames(scope));
      layers.ensure(scope).restrictions.add(restriction);
      return inserted(() => {
        if (!layers.peek(scope)?.restrictions.delete(restriction)) return false;
        layers.release(scope);
        return true;
      });
    },
    guard: guards.add,
    checkGuards: guards.check,
    find,
    executable(name, scope, toolSet) {
      const registration = find(name, scope, toolSet);
      return toolSet === undefined && registration?.when !== undefined ? undefined : registration;
    },
    list: (scope, toolSet) => [
      ...(toolSet === undefined ? visible.of(scope) : admitted(toolSet, scope)).values(),
    ],
    async resolve(context) {
      const told = activationContext(context);
      const scope = told.agent;
      const registrations = await admit([...visible.of(scope).values()], told);
      // An abort may have come since the last condition answered.
      told.signal.throwIfAborted();
      const admission: Admission = { scope, registrations };
      const toolSet: ResolvedToolSet = createResolvedSet(admission, (viewer) => admitted(toolSet, viewer));
      admissions.set(toolSet, admission);
      return toolSet;
    },
  };
}

function duplicate(name: string, scope: ScopeKey | undefined): Error {
  const subject = `Cannot register tool ${JSON.stringify(name)}`;
  return scope === undefined
    ? new Error(
        `${subject}: the global layer already has one; for one agent's own, register it with scoped(agent).register(…)`,
      )
    : new Error(`${subject}: this scope already has one of its own`);
}
