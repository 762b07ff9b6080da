import type { ToolDefinition } from '../runtime/contract/definition.js';
import { roughSize } from './rough-size.js';
import type { DocDetail } from './text/doc-comment.js';
import { byText } from './text/keys.js';
import { type SectionPlan, writeSection } from './text/section.js';
import { toolTree } from './tree/tool-tree.js';

/** What the tools are fitted into. */
export interface Budget {
  readonly tokens: number;
  count(text: string): number;
  readonly detail: DocDetail;
  readonly priority: readonly string[];
  readonly recentlyUsed: readonly string[];
  readonly languageLevel: string | undefined;
}

/** A section and what it shows. */
export interface Section {
  readonly text: string;
  readonly plan: SectionPlan;
}

/** Declarations that many tools share make the whole smaller than its parts, but hardly below this share. */
const SHARED = 0.2;
const DETAILS: readonly DocDetail[] = ['none', 'brief', 'full'];

/**
 * Fits tools into a budget: the preferred ones with their documentation, then as many signatures as there is room for,
 * and the names of the rest. Where every signature fits, what is left goes to documentation. Of a tool that cannot fit
 * no more is read than its size.
 *
 * @param tools in name order.
 */
export function fitSection(tools: readonly ToolDefinition[], budget: Budget): Section {
  const preferred = preferredTools(tools, budget);
  const first = new Set(preferred);
  const others = tools.filter((tool) => !first.has(tool)).sort(bySize);
  const order = [...preferred, ...others];
  const fitter = new Fitter(tools, order, budget);
  const details = DETAILS.slice(0, DETAILS.indexOf(budget.detail) + 1);
  const best = details[details.length - 1]!;

  const nothing = order.map(() => undefined);
  let levels = fitter.grow(nothing, order.length, 'none');
  const isComplete = !levels.includes(undefined);
  // Where some tools are left out anyway, the preferred ones come with their documentation before any other comes.
  levels = fitter.grow(isComplete ? levels : nothing, preferred.length, best);
  if (!isComplete) return fitter.section(fitter.grow(levels, order.length, 'none'));
  for (const detail of details.slice(1)) levels = fitter.grow(levels, order.length, detail);
  return fitter.section(levels);
}

type Level = DocDetail | undefined;

class Fitter {
  readonly #names: readonly string[];
  readonly #order: readonly ToolDefinition[];
  readonly #budget: Budget;
  readonly #counted: boolean;
  /** Tokens of a text that shows no tool. */
  readonly #empty: number;

  constructor(tools: readonly ToolDefinition[], order: readonly ToolDefinition[], budget: Budget) {
    this.#names = tools.map(({ name }) => name);
    this.#order = order;
    this.#budget = budget;
    const nothing = order.map(() => undefined);
    const named = this.#tokensOf(this.#write(nothing, false));
    this.#counted = named > budget.tokens;
    this.#empty = this.#counted ? this.#tokensOf(this.#write(nothing, true)) : named;
  }

  /** Raises the first tools, up to `end`, to a detail: as many as fit. Those that have it or more stay as they are. */
  grow(levels: readonly Level[], end: number, detail: DocDetail): readonly Level[] {
    const raised = (count: number): Level[] =>
      levels.map((level, i) => (i < count && rank(level) < rank(detail) ? detail : level));
    const fits = (count: number): boolean => this.#fits(this.#write(raised(count), this.#counted));
    const high = Math.min(end, this.#mostOf(detail, SHARED));
    // A complete list saves what is said about the rest, so more can fit where less does not.
    if (high === end && fits(high)) return raised(high);
    return raised(largest(high, this.#mostOf(detail, 1), fits));
  }

  section(levels: readonly Level[]): Section {
    return this.#write(levels, this.#counted);
  }

  #fits(section: Section): boolean {
    return this.#tokensOf(section) <= this.#budget.tokens;
  }

  #tokensOf({ text }: Section): number {
    return this.#budget.count(text);
  }

  /** How many tools fill the budget when each takes that share of its own size. */
  #mostOf(detail: DocDetail, share: number): number {
    let room = (this.#budget.tokens - this.#empty) / share;
    for (const [i, tool] of this.#order.entries()) {
      room -= roughSize(tool) + (detail === 'full' ? (tool.description?.length ?? 0) / 5 : 0);
      if (room < 0) return i + 1;
    }
    return this.#order.length;
  }

  #write(levels: readonly Level[], counted: boolean): Section {
    const { languageLevel } = this.#budget;
    const details = new Map<ToolDefinition, DocDetail>();
    for (const [i, level] of levels.entries()) if (level !== undefined) details.set(this.#order[i]!, level);
    const shown = [...details]
      .map(([tool, detail]) => ({ tree: toolTree(tool), detail }))
      .sort((a, b) => byText(a.tree.name, b.tree.name));
    const declared = new Set(shown.map(({ tree }) => tree.name));
    const rest = this.#names.filter((name) => !declared.has(name));
    const plan: SectionPlan = { shown, rest, counted, languageLevel };
    return { text: writeSection(plan), plan };
  }
}

/** The largest count up to `high` that fits, where 0 does; sought from a guess outwards, then between what is known. */
function largest(high: number, guess: number, fits: (count: number) => boolean): number {
  let low = 0;
  let top = high;
  let step = Math.ceil(guess / 8);
  let probe = guess;
  let isBetween = false;
  for (let last: boolean | undefined; low < top; step *= 2) {
    probe = Math.min(Math.max(probe, low + 1), top);
    const isFit = fits(probe);
    if (isFit) low = probe;
    else top = probe - 1;
    isBetween ||= last !== undefined && last !== isFit;
    last = isFit;
    probe = isBetween ? Math.ceil((low + top) / 2) : isFit ? low + step : top - step;
  }
  return low;
}

const rank = (level: Level): number => (level === undefined ? -1 : DETAILS.indexOf(level));

function preferredTools(
  tools: readonly ToolDefinition[],
  { priority, recentlyUsed }: Budget,
): ToolDefinition[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const names = new Set([...priority, ...recentlyUsed]);
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

const bySize = (a: ToolDefinition, b: ToolDefinition): number =>
  roughSize(a) - roughSize(b) || byText(a.name, b.name);
