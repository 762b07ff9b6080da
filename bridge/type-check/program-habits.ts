import { Kind, type SyntaxTree, type TreeNode } from './syntax-tree.js';

const ASSIGNMENT = /^(?:=|\?\?=|\|\|=|&&=|[-+*/%&|^]=|\*\*=|<<=|>>>?=)$/;
const COMPARISON = /^[=!]==?$/;
const NOTHING = /^(?:null|undefined|void 0)$/;
/** Functions that only look at what they are given. */
const LOOKS = /^(?:Array\s*\.\s*isArray|Boolean|Number\s*\.\s*is\w+)$/;
/** Properties that are asked for just in case. */
const JUST_IN_CASE =
  /^(?:is_?|has_?)?(?:err(?:or)?s?|warnings?|fail(?:ed|ures?)?)(?:_?(?:message|code|text))?$/i;

/** What a program itself shows about the properties that it reads: which of them it adds, and which it has doubts about. */
export class ProgramHabits {
  readonly #tree: SyntaxTree;
  readonly #text: string;
  #added: ReadonlySet<string> | undefined;
  #accesses: ReadonlyMap<string, readonly TreeNode[]> | undefined;

  /** @param text what the tree is of */
  constructor(tree: SyntaxTree, text: string) {
    this.#tree = tree;
    this.#text = text;
  }

  /** Whether a statement puts a property of that name onto something. */
  adds(name: string): boolean {
    this.#added ??= this.#addedNames();
    return this.#added.has(name);
  }

  /**
   * Whether a program doubts that what it reads is there: it asks first and then reads the same, or asks just in case
   * something went wrong. One that relies on the absence has no doubt.
   *
   * @param at where the name of the property begins
   */
  doubts(at: number): boolean {
    const path = this.#tree.pathTo(at);
    const name = this.#source(path.at(-1)!);
    const around = path.at(-2);
    if (around === undefined) return false;
    if (this.#tree.kind(around) === Kind.BindingElement) return JUST_IN_CASE.test(name);
    const same = this.#sameAccesses(around);
    if (!same.some((access) => this.#isAskedFor(access))) return false;
    return same.length > 1 || JUST_IN_CASE.test(name);
  }

  #source(node: TreeNode): string {
    return this.#text.slice(this.#tree.pos(node), this.#tree.end(node)).trim();
  }

  #addedNames(): Set<string> {
    const tree = this.#tree;
    const names = new Set<string>();
    for (const node of tree.ofKind(Kind.Binary)) {
      const [left, operator] = tree.children(node);
      if (left === undefined || operator === undefined || !ASSIGNMENT.test(this.#source(operator))) continue;
      const target = this.#inner(left);
      const key = tree.children(target).at(-1);
      if (key === undefined) continue;
      if (tree.kind(target) === Kind.PropertyAccess) names.add(this.#source(key));
      if (tree.kind(target) === Kind.ElementAccess) names.add(this.#source(key).slice(1, -1));
    }
    return names;
  }

  #inner(node: TreeNode): TreeNode {
    let inner = node;
    while (WRAPPERS.has(this.#tree.kind(inner))) inner = this.#tree.children(inner)[0]!;
    return inner;
  }

  /** The places at which the same property of the same thing is read, by the text alone. */
  #sameAccesses(access: TreeNode): readonly TreeNode[] {
    this.#accesses ??= groups(this.#tree.ofKind(Kind.PropertyAccess), (node) => this.#plain(node));
    return this.#accesses.get(this.#plain(access)) ?? [];
  }

  #plain(access: TreeNode): string {
    return this.#source(access).replace(/\s+/g, '').replaceAll('?.', '.').replaceAll('!.', '.');
  }

  /** Whether something that is read decides what happens next, and its absence does no harm. */
  #isAskedFor(access: TreeNode): boolean {
    const tree = this.#tree;
    if (/^\s*\?\./.test(this.#text.slice(tree.end(access), tree.end(access) + 20))) return true;
    let isNegated = false;
    let node = access;
    for (;;) {
      const parent = tree.parent(node);
      if (parent === 0) return false;
      const children = tree.children(parent);
      const position = children.indexOf(node);
      const kind = tree.kind(parent);
      if (CONDITIONS.has(kind)) return !isNegated && position === (kind === Kind.Do ? 1 : 0);
      if (kind === Kind.TypeOf) return true;
      if (kind === Kind.PrefixUnary) {
        if (!this.#source(parent).startsWith('!')) return false;
        isNegated = !isNegated;
      } else if (kind === Kind.Binary) {
        const operator = this.#source(children[1]!);
        if (operator === '&&' || operator === '||' || operator === '??') {
          if (position === 0) return !isNegated || operator !== '&&';
        } else if (COMPARISON.test(operator) && NOTHING.test(this.#source(children[2 - position]!))) {
          if (operator.startsWith('=')) isNegated = !isNegated;
        } else return false;
      } else if (kind === Kind.Call) {
        if (position === 0 || !LOOKS.test(this.#source(children[0]!))) return false;
      } else if (!WRAPPERS.has(kind)) return false;
      node = parent;
    }
  }
}

const CONDITIONS: ReadonlySet<number> = new Set<number>([Kind.If, Kind.While, Kind.Do, Kind.Conditional]);
const WRAPPERS: ReadonlySet<number> = new Set<number>([Kind.Parenthesized, Kind.NonNull]);

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}
