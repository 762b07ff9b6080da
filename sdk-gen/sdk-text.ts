import type { ToolDefinition } from '../runtime/contract/definition.js';
import { functionOption, knownOptions, oneOf, positiveFinite } from '../runtime/core/options.js';
import { type Budget, fitSection } from './budget.js';
import { estimateTokens } from './estimate-tokens.js';
import type { SdkOptions, SdkText } from './sdk-options.js';
import type { DocDetail } from './text/doc-comment.js';
import { byText } from './text/keys.js';
import { writeSection } from './text/section.js';
import { toolTree } from './tree/tool-tree.js';

const DETAILS: ReadonlyMap<string, DocDetail> = new Map([
  ['full', 'full'],
  ['brief', 'brief'],
  ['signatures', 'none'],
]);

interface Remembered {
  readonly tools: readonly ToolDefinition[];
  readonly key: string;
  readonly countTokens: SdkOptions['countTokens'];
  readonly result: SdkText;
}

/** How many texts are kept for the lists that begin with the same definition. */
const KEPT = 8;
const remembered = new WeakMap<ToolDefinition, Remembered[]>();

/**
 * The SDK section: fixed instructions, then the tools as TypeScript declarations.
 *
 * Sorted by name and byte-identical for the same tools in any order. Never throws for a tool's schema. With a budget the
 * text stays within it where the instructions and the count of the tools do; see {@link SdkOptions}.
 *
 * @param tools the tools a program may call; the transport itself is left out by the caller. Definitions are compared by
 * identity: for the same ones the same text is given again.
 * @throws {TypeError} when an option has no meaning.
 * @example
 * sdkText(tools, { tokenBudget: 4000, priority: ['read_file'] }).text
 */
export function sdkText(tools: readonly ToolDefinition[], options: SdkOptions = {}): SdkText {
  const first = tools[0];
  if (first === undefined) return makeText(tools, options);
  const key = JSON.stringify(options);
  const { countTokens } = options;
  const kept = remembered.get(first) ?? [];
  const known = kept.find(
    (entry) => entry.key === key && entry.countTokens === countTokens && isSame(entry.tools, tools),
  );
  if (known !== undefined) return known.result;
  const result = makeText(tools, options);
  remembered.set(first, [{ tools: [...tools], key, countTokens, result }, ...kept].slice(0, KEPT));
  return result;
}

function makeText(tools: readonly ToolDefinition[], options: SdkOptions): SdkText {
  const budget = checked(options);
  const sorted = [...tools].sort((a, b) => byText(a.name, b.name));
  const total = sorted.length;
  if (budget.tokens === Number.POSITIVE_INFINITY || mayFit(sorted, budget)) {
    const text = wholeText(sorted, budget);
    if (budget.tokens === Number.POSITIVE_INFINITY || budget.count(text) <= budget.tokens) {
      return { text, complete: true, shown: total, total };
    }
  }
  const { text, plan } = fitSection(sorted, budget);
  return { text, complete: plan.rest.length === 0, shown: plan.shown.length, total };
}

/** By our own count no tool takes less than this; of another counter nothing is known. */
const SMALLEST_MEMBER = 10;

const mayFit = (tools: readonly ToolDefinition[], { tokens, count }: Budget): boolean =>
  count !== estimateTokens || tools.length * SMALLEST_MEMBER <= tokens;

function wholeText(tools: readonly ToolDefinition[], { detail, languageLevel }: Budget): string {
  const shown = tools.map((tool) => ({ tree: toolTree(tool), detail }));
  return writeSection({ shown, rest: [], counted: false, languageLevel });
}

function checked(options: SdkOptions): Budget {
  knownOptions('sdkText', options, [
    'tokenBudget',
    'priority',
    'recentlyUsed',
    'detail',
    'languageLevel',
    'countTokens',
  ]);
  const { tokenBudget, detail = 'full', countTokens, priority = [], recentlyUsed = [] } = options;
  return {
    tokens: tokenBudget === undefined ? Number.POSITIVE_INFINITY : positiveFinite('tokenBudget', tokenBudget),
    count: countTokens === undefined ? estimateTokens : functionOption('countTokens', countTokens),
    detail: DETAILS.get(oneOf('detail', detail, ['full', 'brief', 'signatures']))!,
    priority,
    recentlyUsed,
    languageLevel: options.languageLevel,
  };
}

function isSame(a: readonly ToolDefinition[], b: readonly ToolDefinition[]): boolean {
  return a.length === b.length && a.every((tool, i) => tool === b[i]);
}
