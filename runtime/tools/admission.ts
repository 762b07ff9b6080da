import type { ResolvedToolSet, ScopeKey, ToolActivationContext } from '../contract/scope.js';
import { received } from '../core/option-error.js';
import type { Registration } from './registration.js';

/** What `resolve` admitted, and for whom. */
export interface Admission {
  readonly scope: ScopeKey | undefined;
  /** Empty once the set is disposed. */
  readonly registrations: Set<Registration>;
}

/**
 * Asks every condition once and keeps the registrations that hold.
 *
 * All conditions are asked in listing order before any is awaited. Only an exact `true` admits.
 *
 * @param visible what the agent sees at the moment of the call
 * @returns settles when all conditions have, or as soon as one fails or the signal aborts; late answers count for nothing
 * @throws the signal's reason when it aborts, else what the first failing condition threw.
 * @example
 * const registrations = await admit(visible, { agent, modelSelection, signal });
 */
export async function admit(
  visible: readonly Registration[],
  context: ToolActivationContext,
): Promise<Set<Registration>> {
  const { signal } = context;
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  try {
    const verdicts = await Promise.race([
      Promise.all(visible.map((entry) => holds(entry, context))),
      aborted,
    ]);
    return new Set(visible.filter((_, index) => verdicts[index]));
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function holds(registration: Registration, context: ToolActivationContext): Promise<boolean> {
  return registration.when === undefined || (await registration.when(context)) === true;
}

/**
 * A frozen snapshot of what conditions are told: they must not change the host's selection.
 *
 * @throws {TypeError} when the context, the signal or the model selection is missing.
 * @example
 * activationContext({ modelSelection: { provider: 'local', model: 'm' }, signal });
 */
export function activationContext(context: ToolActivationContext): ToolActivationContext {
  if (typeof context !== 'object' || context === null) {
    throw new TypeError(
      `Cannot resolve tools: wanted { agent, modelSelection, signal }, received ${received(context)}`,
    );
  }
  const { agent, modelSelection, signal } = context;
  if (typeof signal?.throwIfAborted !== 'function') {
    throw new TypeError(`Cannot resolve tools: "signal" wants an AbortSignal, received ${received(signal)}`);
  }
  if (typeof modelSelection !== 'object' || modelSelection === null) {
    throw new TypeError(
      `Cannot resolve tools: "modelSelection" wants { provider, model }, received ${received(modelSelection)}`,
    );
  }
  const { provider, model, reasoningEffort } = modelSelection;
  const selection = Object.freeze({
    provider,
    model,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  });
  return Object.freeze({ ...(agent === undefined ? {} : { agent }), modelSelection: selection, signal });
}

/** What a set shows of an admission: the registrations that are still visible, for the exact scope. */
export type AdmittedView = (scope: ScopeKey | undefined) => ReadonlyMap<string, Registration>;

/**
 * The caller's handle on an admission.
 *
 * @example
 * const set = createResolvedSet(admission, view);
 * set.dispose();
 * set.view(agent).size // 0
 */
export function createResolvedSet(admission: Admission, view: AdmittedView): ResolvedToolSet {
  return {
    dispose() {
      admission.registrations.clear();
    },
    view(scope: ScopeKey | undefined) {
      return new Map([...view(scope)].map(([name, registration]) => [name, registration.definition]));
    },
  };
}
