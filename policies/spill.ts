import type { ContentBlock, UserMessage } from '../runtime/contract/content.js';
import type { PostToolDecision } from '../runtime/contract/decisions.js';
import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { errorMessage } from '../runtime/core/error-text.js';
import { optionError } from '../runtime/core/option-error.js';
import { functionOption, knownOptions, nonNegativeInteger } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { byteBudget, type SpillBudget, tokenBudget } from './spill-budget.js';
import type { SpilledText, SpillStore } from './spill-store.js';
import { wildcard } from './wildcard.js';

/** What can be set of `spill`. Without a limit nothing is registered. */
export interface SpillOptions {
  /** UTF-8 bytes of text that may stay in a result. */
  readonly maxInlineBytes?: number;
  /** The same in tokens, shared by text and images; instead of `maxInlineBytes`. */
  readonly maxInlineTokens?: number;
  /** @default a token for every four bytes */
  readonly countTokens?: (text: string) => number;
  /** Tokens of an image. @default nobody knows, so content with images stays as it is */
  readonly imageTokens?: (image: ContentBlock) => number | undefined;
  /** Where texts go, or whom to ask for an agent's own store. */
  readonly store: SpillStore | ((agent: Agent) => SpillStore | undefined);
  /** Tools whose results stay, since they are how a model reads what was put away; `*` stands for any text. @default ['read'] */
  readonly exempt?: readonly string[];
  /** Told why a large text stayed. @default a process warning */
  readonly onWarning?: (message: string, cause?: unknown) => void;
}

type Source = SpilledText['source'];

/**
 * Puts texts that are too large into a store and leaves head, tail and a notice in their place.
 *
 * Hooks: `tools/post-execute` and `tools/ptc-dispatch-log`, both outermost, so that they bound what others made. Default: no
 * limit, so nothing is registered. Direct results lose what does not fit; of sub-calls only the logged copy does, since their
 * values are the program's, and content with images, under a limit of tokens, since it goes into the conversation. Best
 * effort: without an agent's session, without a store, or when the store fails, it warns and the text stays.
 *
 * What it does not do: it changes no value, no contexts and no outcome; it leaves other kinds of blocks alone.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning, or the store is missing
 * @example
 * const dispose = spill(tools, { maxInlineBytes: 16_384, store: fileSpillStore() });
 */
export function spill(tools: ToolsService, options: SpillOptions): Disposer {
  attachedTo('spill', tools);
  knownOptions('spill', options, [
    'maxInlineBytes',
    'maxInlineTokens',
    'countTokens',
    'imageTokens',
    'store',
    'exempt',
    'onWarning',
  ]);
  const budget = budgetOf(options);
  if (budget === undefined) return () => {};
  const storeOf = storeFinder(options.store);
  const exempt = (options.exempt ?? ['read']).map(wildcard);
  const warn = functionOption('onWarning', options.onWarning ?? warnProcess);

  const shrunk = async (
    content: readonly ContentBlock[],
    agent: Agent | undefined,
    source: Source,
  ): Promise<readonly ContentBlock[]> => {
    try {
      const text = budget.excess(content);
      if (text === undefined) return content;
      const { toolName } = source;
      const owner = agent?.session?.id;
      if (agent === undefined || owner === undefined) return keep(source, 'its agent has no session');
      const store = storeOf(agent);
      if (store === undefined) return keep(source, 'there is no store');
      const entry = { owner, source, suggestedName: `${toolName}.txt`, content: text };
      const saved = text === '' ? { locator: '', bytes: 0, retrievalHint: '' } : await store.save(entry);
      return (
        budget.replace(content, text, saved) ?? keep(source, 'the notice alone is larger than the limit')
      );
    } catch (error) {
      return keep(source, errorMessage(error), error);
    }
    function keep({ toolName, callId }: Source, why: string, cause?: unknown): readonly ContentBlock[] {
      warn(`The large content of "${toolName}" (${callId}) stays where it is: ${why}`, cause);
      return content;
    }
  };

  const post = tools.on(
    'tools/post-execute',
    async (exec, result, next) => {
      const decision = await next();
      if (decision?.kind !== 'accept' || Object.hasOwn(decision, 'value')) return decision;
      if (exempt.some((isExempt) => isExempt(exec.name))) return decision;
      const content = decision.content ?? result.content;
      const isNested = exec.parent !== undefined;
      if (isNested && (options.maxInlineTokens === undefined || !hasImage(content))) return decision;
      const source = { toolName: exec.name, callId: exec.callId, label: 'result' } as const;
      const left = await shrunk(content, exec.agent, source);
      if (left === content) return decision;
      return isNested && !result.isError && !hasImage(left)
        ? withForwarded(decision, left)
        : ({ ...decision, content: left } as PostToolDecision);
    },
    { prepend: true },
  );
  const log = tools.on(
    'tools/ptc-dispatch-log',
    async ({ agent, name, subCallId }, next) =>
      shrunk(await next(), agent, { toolName: name, callId: subCallId, label: 'dispatch' }),
    { prepend: true },
  );
  return () => {
    post();
    log();
  };
}

function budgetOf({
  maxInlineBytes,
  maxInlineTokens,
  countTokens,
  imageTokens,
}: SpillOptions): SpillBudget | undefined {
  const ofText = functionOption(
    'countTokens',
    countTokens ?? ((text) => Math.ceil(Buffer.byteLength(text) / 4)),
  );
  const ofImage = functionOption('imageTokens', imageTokens ?? (() => undefined));
  if (maxInlineBytes !== undefined && maxInlineTokens !== undefined) {
    throw optionError('maxInlineTokens', 'either it or "maxInlineBytes"', maxInlineTokens);
  }
  if (maxInlineBytes !== undefined) return byteBudget(nonNegativeInteger('maxInlineBytes', maxInlineBytes));
  if (maxInlineTokens === undefined) return undefined;
  return tokenBudget(nonNegativeInteger('maxInlineTokens', maxInlineTokens), { ofText, ofImage });
}

function storeFinder(store: SpillOptions['store']): (agent: Agent) => SpillStore | undefined {
  if (typeof store === 'function') return store;
  if (typeof store?.save === 'function') return () => store;
  throw optionError('store', 'a store with "save", or a function that finds one', store);
}

function hasImage(content: readonly ContentBlock[]): boolean {
  return content.some(({ type }) => type === 'image');
}

/** Without an image a sub-call's content would not reach the conversation any more, so a context carries it there. */
function withForwarded(decision: PostToolDecision, content: readonly ContentBlock[]): PostToolDecision {
  const forwarded: UserMessage = { role: 'user', content, source: { kind: 'plugin', plugin: 'tools-ptc' } };
  const contexts = [forwarded, ...(decision.additionalContexts ?? [])];
  return { ...decision, content, additionalContexts: contexts } as PostToolDecision;
}

function warnProcess(message: string): void {
  process.emitWarning(message, 'PtcWarning');
}
