import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { functionOption, knownOptions, oneOf, positiveInteger, timerMs } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { canonicalJson } from './canonical-json.js';
import { IdentityNumbers } from './identity-numbers.js';
import { inPolicy } from './in-policy.js';

/** What can be set of `cache`. */
export interface CacheOptions {
  /** `run`: values live as long as the root call. `host`: they outlive it, up to `maxAgeMs`. @default 'run' */
  readonly scope?: 'run' | 'host';
  /** Values kept, the oldest go first. @default 1000 */
  readonly maxEntries?: number;
  /** How long a value may be used, ms. @default 60000 */
  readonly maxAgeMs?: number;
  /** The clock, ms. @default Date.now */
  readonly now?: () => number;
}

interface Entry {
  readonly value: JsonValue;
  readonly rootCallId: string;
  readonly at: number;
}

/**
 * Answers a read-only call from an earlier one with the same arguments.
 *
 * Hook: one `tools/execute` wrapper, so policy, approval and guards judge every call all the same, and the pipeline
 * validates and renders the value anew. Default: within one run, 1,000 values, one minute. Only tools that are registered as
 * read-only are answered, only for the same agent and the same definition, and only successes are kept. A call of any tool
 * that is not read-only empties the cache when it starts and when it ends, since it may have changed what a read would see.
 *
 * What it does not do: it replays no contexts and no end of the turn, it shares no call that is still running, and it keeps
 * nothing across processes.
 *
 * @returns removes the policy with everything it kept
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = cache(tools, { scope: 'host', maxAgeMs: 10_000 });
 */
export function cache(tools: ToolsService, options: CacheOptions = {}): Disposer {
  attachedTo('cache', tools);
  knownOptions('cache', options, ['scope', 'maxEntries', 'maxAgeMs', 'now']);
  const isPerRun = oneOf('scope', options.scope ?? 'run', ['run', 'host']) === 'run';
  const maxEntries = positiveInteger('maxEntries', options.maxEntries ?? 1000);
  const maxAgeMs = timerMs('maxAgeMs', options.maxAgeMs ?? 60_000);
  const now = functionOption('now', options.now ?? Date.now);
  const entries = new Map<string, Entry>();
  const identities = new IdentityNumbers();
  /** Goes up whenever something may have changed: a read that began before must not be kept. */
  let generation = 0;
  const forgetAll = (): void => {
    generation += 1;
    entries.clear();
  };

  const wrapper = tools.on('tools/execute', async (exec, next) => {
    const definition = tools.executable(exec.name, exec.agent, exec.toolSet);
    if (definition === undefined) return next();
    if (tools.registration(exec.name, exec.agent)?.readOnly !== true) {
      forgetAll();
      try {
        return await next();
      } finally {
        forgetAll();
      }
    }
    const { rootCallId } = exec;
    const key = canonicalJson([
      isPerRun ? rootCallId : '',
      identities.of(definition),
      identities.of(exec.agent),
      exec.arguments as JsonValue,
    ]);
    const at = inPolicy('cache', now);
    const kept = entries.get(key);
    if (kept !== undefined && at - kept.at < maxAgeMs) {
      return { isError: false, value: kept.value, content: [] };
    }
    const begun = generation;
    const result = await next();
    if (result.isError || exec.signal.aborted || begun !== generation) return result;
    entries.delete(key);
    entries.set(key, { value: result.value, rootCallId, at });
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string);
    return result;
  });
  const forget = tools.on('tools/result', ({ parent, rootCallId }) => {
    if (!isPerRun || parent !== undefined) return;
    for (const [key, entry] of entries) if (entry.rootCallId === rootCallId) entries.delete(key);
  });
  return () => {
    wrapper();
    forget();
    forgetAll();
  };
}
