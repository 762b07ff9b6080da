import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { attachedTo } from './attached-to.js';
import { canonicalJson } from './canonical-json.js';

/** What a grant needs to know of a call. */
export type GrantedCall = Pick<ToolExecution, 'agent' | 'callId' | 'rootCallId' | 'name' | 'arguments'>;

/** Permissions that people gave; only rules that ask consult them. */
export interface Grants {
  /**
   * Lets further calls of the same tool pass for the rest of the agent's session. The tool is known by its source and its own
   * name there, so that no other tool inherits the permission by a name that looks alike.
   *
   * @param options `exactArguments`: only with the very same arguments
   */
  allowForSession(call: GrantedCall, options?: { readonly exactArguments?: boolean }): void;
  /** Lets one call pass, known by its id, with the name and the arguments that were shown; it ends with its run. */
  allowOnce(call: GrantedCall): void;
  /** Which grant lets a call pass; one for a single call is used up by it. */
  use(call: GrantedCall): 'session' | 'once' | undefined;
  /** Takes back everything that an agent's session was granted. */
  revoke(agent: Agent | undefined): void;
  /** Takes back everything. */
  dispose: Disposer;
}

interface Granted {
  readonly forSession: Set<string>;
  readonly once: Map<string, { readonly rootCallId: string; readonly what: string }>;
}

const NOBODY = {};

/**
 * Makes a store of grants, in memory, by session (by agent, where it has none).
 *
 * @example
 * const grants = createGrants(tools);
 * rules(tools, { rules: list, grants });
 */
export function createGrants(tools: ToolsService, ...extra: readonly never[]): Grants {
  attachedTo('createGrants', tools, extra);
  let bySession = new WeakMap<object, Granted>();
  const peek = (agent: Agent | undefined): Granted | undefined =>
    bySession.get(agent?.session ?? agent ?? NOBODY);
  const of = (agent: Agent | undefined): Granted => {
    const granted = peek(agent) ?? { forSession: new Set(), once: new Map() };
    bySession.set(agent?.session ?? agent ?? NOBODY, granted);
    return granted;
  };
  const toolKey = ({ name, agent }: GrantedCall): readonly JsonValue[] => {
    const { source, sourceName } = tools.registration(name, agent) ?? {};
    return [source ?? null, sourceName ?? name];
  };
  const anyArguments = (call: GrantedCall): string => canonicalJson(toolKey(call));
  const sameArguments = (call: GrantedCall): string =>
    canonicalJson([...toolKey(call), call.arguments as JsonValue]);

  const unlisten = tools.on('tools/result', ({ agent, callId, rootCallId, parent }) => {
    if (parent !== undefined || callId !== rootCallId) return;
    const once = peek(agent)?.once;
    for (const [id, grant] of once ?? []) if (grant.rootCallId === rootCallId) once?.delete(id);
  });
  return {
    allowForSession(call, options = {}) {
      of(call.agent).forSession.add(
        options.exactArguments === true ? sameArguments(call) : anyArguments(call),
      );
    },
    allowOnce(call) {
      of(call.agent).once.set(call.callId, { rootCallId: call.rootCallId, what: sameArguments(call) });
    },
    use(call) {
      const granted = peek(call.agent);
      if (granted === undefined) return undefined;
      const once = granted.once.get(call.callId);
      if (once?.rootCallId === call.rootCallId && once.what === sameArguments(call)) {
        granted.once.delete(call.callId);
        return 'once';
      }
      const isGranted =
        granted.forSession.has(anyArguments(call)) || granted.forSession.has(sameArguments(call));
      return isGranted ? 'session' : undefined;
    },
    revoke(agent) {
      bySession.delete(agent?.session ?? agent ?? NOBODY);
    },
    dispose() {
      unlisten();
      bySession = new WeakMap();
    },
  };
}
