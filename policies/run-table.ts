import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';

type RunKey = Pick<ToolExecution, 'agent' | 'rootCallId'>;

/** What a policy keeps of each run: one root call with everything below it. */
export interface RunTable<T> {
  /** The run's entry, made when it is first asked for. */
  of(exec: RunKey): T;
  peek(exec: RunKey): T | undefined;
  /** Forgets everything and listens no more. */
  dispose: Disposer;
}

const NOBODY = {};

/**
 * Makes a table whose entries go when their root call has its result. Agents are held weakly.
 *
 * @example
 * const uses = runTable(tools, () => ({ calls: 0 }));
 * uses.of(exec).calls += 1;
 */
export function runTable<T>(tools: ToolsService, make: () => T): RunTable<T> {
  let byAgent = new WeakMap<object, Map<string, T>>();
  const peek = ({ agent, rootCallId }: RunKey): T | undefined =>
    byAgent.get(agent ?? NOBODY)?.get(rootCallId);
  const unlisten = tools.on('tools/result', ({ agent, callId, rootCallId, parent }) => {
    if (parent === undefined && callId === rootCallId) byAgent.get(agent ?? NOBODY)?.delete(rootCallId);
  });
  return {
    peek,
    of(exec) {
      const known = peek(exec);
      if (known !== undefined) return known;
      const entry = make();
      const runs = byAgent.get(exec.agent ?? NOBODY) ?? new Map<string, T>();
      byAgent.set(exec.agent ?? NOBODY, runs.set(exec.rootCallId, entry));
      return entry;
    },
    dispose() {
      unlisten();
      byAgent = new WeakMap();
    },
  };
}
