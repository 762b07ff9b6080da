import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { knownOptions } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { awaitInPolicy, inPolicy } from './in-policy.js';
import { isTransport } from './is-transport.js';
import { runTable } from './run-table.js';
import { sharedText, textsOf } from './shared-text.js';
import { type ToolMatch, toolTest } from './tool-match.js';
import { noteVerdict } from './verdicts.js';

/** What can be set of `provenance`. */
export interface ProvenanceOptions {
  /** Tools whose results may have been written by anybody. */
  readonly untrusted: readonly ToolMatch[];
  /** Tools that must not do what such a text wants. */
  readonly sensitive: readonly ToolMatch[];
}

/** One read of an untrusted source. */
interface Read {
  readonly name: string;
  readonly source: string | undefined;
  readonly texts: readonly string[];
}

const POLICY = 'provenance';

/**
 * Asks before a sensitive call in a run that has read something untrusted.
 *
 * Hooks: a `tools/execute` wrapper that notes what was read, and a `tools/pre-execute` listener. Default: none; both lists are
 * wanted. It goes by run: once any untrusted tool has answered, or failed, every sensitive call of that run becomes a
 * question with the reason. Where an argument provably holds text of such an answer, the reason names both. What an inner
 * listener decides counts where it is stricter.
 *
 * What it does not do: it does not prove a call harmless, since a program may follow what it read without copying it; it
 * remembers nothing beyond a run, so a model that reads in one and writes in the next is not noticed.
 *
 * @returns removes the policy
 * @throws {TypeError} that names the entry, when one has no meaning
 * @example
 * const dispose = provenance(tools, { untrusted: [{ kind: 'fetch' }], sensitive: [{ tool: 'send_*' }] });
 */
export function provenance(tools: ToolsService, options: ProvenanceOptions): Disposer {
  attachedTo('provenance', tools);
  knownOptions(POLICY, options, ['untrusted', 'sensitive']);
  const isUntrusted = toolTest('untrusted', options.untrusted);
  const isSensitive = toolTest('sensitive', options.sensitive);
  const reads = runTable<Read[]>(tools, () => []);
  const about = ({ name, agent }: Pick<ToolExecution, 'name' | 'agent'>): Readonly<ToolRegistrationOptions> =>
    tools.registration(name, agent) ?? {};

  const wrapper = tools.on(
    'tools/execute',
    async (exec, next) => {
      if (isTransport(exec) || !isUntrusted(exec.name, about(exec))) return next();
      const read = (value: JsonValue | undefined): void =>
        void reads.of(exec).push({ name: exec.name, source: about(exec).source, texts: textsOf(value) });
      try {
        const result = await next();
        inPolicy(POLICY, () => read(result.isError ? result.error.message : result.value));
        return result;
      } catch (error) {
        read(undefined);
        throw error;
      }
    },
    { prepend: true },
  );
  const listener = tools.on('tools/pre-execute', async (exec, next) => {
    const decision = await next();
    const seen = reads.peek(exec);
    if (seen === undefined || decision?.kind === 'deny' || decision?.kind === 'cancel') return decision;
    const reason = await awaitInPolicy(POLICY, () =>
      isTransport(exec) || !isSensitive(exec.name, about(exec)) ? undefined : reasonOf(exec, seen),
    );
    if (reason === undefined) return decision;
    noteVerdict(exec, { policy: POLICY, decision: 'ask', reason });
    if (decision.kind !== 'ask') return { kind: 'ask', reason };
    return { ...decision, reason: decision.reason === undefined ? reason : `${reason}; ${decision.reason}` };
  });
  return () => {
    wrapper();
    listener();
    reads.dispose();
  };
}

function reasonOf({ name, arguments: args }: ToolExecution, reads: readonly Read[]): string {
  for (const read of reads) {
    const shared = sharedText(args as JsonValue | undefined, read.texts);
    if (shared !== undefined) {
      return `"${name}" is sensitive, and its argument "${shared}" holds text that ${nameOf(read)} has answered`;
    }
  }
  const names = [...new Set(reads.map(nameOf))];
  return `"${name}" is sensitive, and this run has read untrusted text from ${names.join(', ')}`;
}

function nameOf({ name, source }: Read): string {
  return source === undefined ? `"${name}"` : `"${name}" (${source})`;
}
