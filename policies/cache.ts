import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutionSuccess } from '../runtime/contract/result.js';
import type { ScopeKey } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { functionOption, knownOptions, oneOf, positiveInteger, timerMs } from '../runtime/core/options.js';
import { canonicalJson } from './canonical-json.js';

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
  readonly result: ToolExecutionSuccess;
  readonly rootCallId: string;
  readonly at: number;
}

/**
 * Answers a read-only call from an earlier one with the same arguments.
 *
 * Hook: one `tools/execute` wrapper, so policy, approval and guards judge every call all the same, and the pipeline
 * validates and renders the value anew. Default: within one run, 1,000 values, one minute. Only tools that are declared
 * read-only are answered, only for the same agent and the same registration, and only successes are kept. A call of any
 * tool that is not read-only empties the cache of its run, since it may have changed what a read would see.
 *
 * What it does not do: it shares no call that is still running, and it keeps nothing across processes.
 *
 * @returns removes the policy with everything it kept
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = cache(tools, { scope: 'host', maxAgeMs: 10_000 });
 */
export function cache(tools: ToolsService, options: CacheOptions = {}): Disposer {
  knownOptions('cache', options, ['scope', 'maxEntries', 'maxAgeMs', 'now']);
  const isPerRun = oneOf('scope', options.scope ?? 'run', ['run', 'host']) === 'run';
  const maxEntries = positiveInteger('maxEntries', options.maxEntries ?? 1000);
  const maxAgeMs = timerMs('maxAgeMs', options.maxAgeMs ?? 60_000);
  const now = functionOption('now', options.now ?? Date.now);
  const entries = new Map<string, Entry>();
  const identities = new IdentityNumbers();

  const keyOf = (
    exec: Pick<ToolExecution, 'name' | 'agent' | 'toolSet' | 'rootCallId' | 'arguments'>,
  ): string => {
    const definition = tools.executable(exec.name, exec.agent, exec.toolSet);
    return canonicalJson([
      isPerRun ? exec.rootCallId : '',
      exec.name,
      identities.of(definition),
      identities.of(exec.agent),
      exec.arguments as JsonValue,
    ]);
  };
  const wrapper = tools.on('tools/execute', async (exec, next) => {
    if (tools.registration(exec.name, exec.agent)?.readOnly !== true) {
      if (tools.executable(exec.name, exec.agent, exec.toolSet) !== undefined) entries.clear();
      return next();
    }
    const key = keyOf(exec);
    const kept = entries.get(key);
    if (kept !== undefined && now() - kept.at < maxAgeMs) return kept.result;
    entries.delete(key);
    const result = await next();
    if (!result.isError && !exec.signal.aborted) {
      entries.set(key, { result, rootCallId: exec.rootCallId, at: now() });
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string);
    }
    return result;
  });
  const forget = tools.on('tools/result', ({ parent, rootCallId }) => {
    if (!isPerRun || parent !== undefined) return;
    for (const [key, entry] of entries) if (entry.rootCallId === rootCallId) entries.delete(key);
  });
  return () => {
    wrapper();
    forget();
    entries.clear();
  };
}

/** Numbers for object identities, so that they can stand in a key. */
class IdentityNumbers {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  of(identity: object | ScopeKey | undefined): number {
    if (identity === undefined) return 0;
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(identity, this.#last);
    return this.#last;
  }
}
