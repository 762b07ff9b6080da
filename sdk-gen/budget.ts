import { declareTools, type ShownTool } from './text/declarations.js';
import type { DocDetail } from './text/doc-comment.js';
import { byText } from './text/keys.js';
import { type SectionPlan, writeSection } from './text/section.js';
import type { ToolTree } from './tree/tool-tree.js';

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
 * and the names of the rest. Where every signature fits, what is left goes to documentation.
 *
 * @param trees in name order.
 */
export function fitSection(trees: readonly ToolTree[], budget: Budget): Section {
  const preferred = preferredTools(trees, budget);
  const first = new Set(preferred);
  const others = trees.filter((tree) => !first.has(tree)).sort(bySize);
  const order = [...preferred, ...others];
  const fitter = new Fitter(trees, order, budget);
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
  readonly #trees: readonly ToolTree[];
  readonly #order: readonly ToolTree[];
  readonly #budget: Budget;
  readonly #counted: boolean;

  constructor(trees: readonly ToolTree[], order: readonly ToolTree[], budget: Budget) {
    this.#trees = trees;
    this.#order = order;
    this.#budget = budget;
    this.#counted = !this.#fits(
      this.#write(
        order.map(() => undefined),
        false,
      ),
    );
  }

  /** Raises the first tools, up to `end`, to a detail: as many as fit. Those that have it or more stay as they are. */
  grow(levels: readonly Level[], end: number, detail: DocDetail): readonly Level[] {
    const raised = (count: number): Level[] =>
      levels.map((level, i) => (i < count && rank(level) < rank(detail) ? detail : level));
    let low = 0;
    let high = Math.min(end, this.#mostOf(detail));
    // A complete list saves what is said about the rest, so more can fit where less does not.
    if (this.#fits(this.#write(raised(high), this.#counted))) return raised(high);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#fits(this.#write(raised(middle), this.#counted))) low = middle;
      else high = middle - 1;
    }
    return raised(low);
  }

  section(levels: readonly Level[]): Section {
    return this.#write(levels, this.#counted);
  }

  #fits(section: Section): boolean {
    return this.#budget.count(section.text) <= this.#budget.tokens;
  }

  /** More tools than this cannot fit, however much they share. */
  #mostOf(detail: DocDetail): number {
    let room = this.#budget.tokens / SHARED;
    for (const [i, tree] of this.#order.entries()) {
      room -= roughSize(tree, detail);
      if (room < 0) return i + 1;
    }
    return this.#order.length;
  }

  #write(levels: readonly Level[], counted: boolean): Section {
    const byTree = new Map(this.#order.map((tree, i) => [tree, levels[i]]));
    const shown = this.#trees.flatMap((tree): ShownTool[] => {
      const detail = byTree.get(tree);
      return detail === undefined ? [] : [{ tree, detail }];
    });
    const rest = this.#trees.filter((tree) => byTree.get(tree) === undefined);
    const plan: SectionPlan = { shown, rest, counted, languageLevel: this.#budget.languageLevel };
    return { text: writeSection(plan), plan };
  }
}

const rank = (level: Level): number => (level === undefined ? -1 : DETAILS.indexOf(level));

function preferredTools(trees: readonly ToolTree[], { priority, recentlyUsed }: Budget): ToolTree[] {
  const byName = new Map(trees.map((tree) => [tree.name, tree]));
  const names = new Set([...priority, ...recentlyUsed]);
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

const sizes = new WeakMap<ToolTree, number>();

/** Characters of a tool's signature when it stands alone. */
function signatureLength(tree: ToolTree): number {
  const known = sizes.get(tree);
  if (known !== undefined) return known;
  const { types, members } = declareTools([{ tree, detail: 'none' }]);
  const size = [...types, ...members].join('\n').length;
  sizes.set(tree, size);
  return size;
}

const bySize = (a: ToolTree, b: ToolTree): number =>
  signatureLength(a) - signatureLength(b) || byText(a.name, b.name);

/** Tokens of a tool on its own, roughly. */
function roughSize(tree: ToolTree, detail: DocDetail): number {
  const words = detail === 'full' ? (tree.description?.length ?? 0) : 0;
  return (signatureLength(tree) + words) / 5;
}
