import { childrenOf, type NodeId, type TypeDoc, type TypeNode } from '../tree/type-node.js';
import type { MergedTrees } from './merge-trees.js';

/** Names of the types that are declared on their own. */
export interface TypeNames {
  readonly byNode: ReadonlyMap<NodeId, string>;
  /** By declaration index. */
  readonly recursive: readonly string[];
}

/** What `type TName = …;` costs beside the type itself, in tokens. */
const DECLARATION_COST = 7;
const NAME_COST = 3;
/** Sizes stop growing here: a schema can double its own size at each level. */
const LARGEST = 1e9;

/** Chooses the types that get a name: recursive ones, and those whose repetition would cost more than a name. */
export function nameTypes(trees: MergedTrees, roots: readonly NodeId[]): TypeNames {
  const { nodes, declarations } = trees.arena;
  const fresh = new FreshNames();
  const recursive = declarations.map(({ hint }) => fresh.for(hint ?? 'node'));
  const sizes: number[] = [];
  for (const node of nodes) sizes.push(Math.min(sizeOf(node, sizes), LARGEST));
  // How often each type is written. Parents stand behind their children, so their own count is known first.
  const counts = nodes.map(() => 0);
  for (const root of roots) counts[root]! += 1;
  for (const { body } of declarations) counts[body]! += 1;
  const named: NodeId[] = [];
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id]!;
    const count = counts[id]!;
    const isNamed = saving(count, sizes[id]!) > 0 && canBeNamed(node);
    if (isNamed) named.push(id);
    for (const child of childrenOf(node))
      counts[child] = Math.min(counts[child]! + (isNamed ? 1 : count), LARGEST);
  }
  const byNode = new Map<NodeId, string>();
  for (const id of worthNaming(nodes, counts, named)) {
    byNode.set(id, fresh.for(trees.hints.get(id)?.text ?? wordsOf(nodes[id]!)));
  }
  return { byNode, recursive };
}

/** Of the types chosen, those that still pay once the types inside them have names; children first. */
function worthNaming(
  nodes: readonly TypeNode[],
  counts: readonly number[],
  chosen: readonly NodeId[],
): NodeId[] {
  const candidates = new Set(chosen);
  const sizes: number[] = [];
  return nodes.flatMap((node, id) => {
    const size = Math.min(sizeOf(node, sizes), LARGEST);
    const isNamed = candidates.has(id) && saving(counts[id]!, size) > 0;
    sizes.push(isNamed ? NAME_COST : size);
    return isNamed ? [id] : [];
  });
}

/** What a name saves, in tokens. */
function saving(count: number, size: number): number {
  return (count - 1) * size - count * NAME_COST - DECLARATION_COST;
}

/** Makes type names out of words, each once. */
class FreshNames {
  /** For each name that was given, the number to try next when it is wanted again. */
  readonly #next = new Map<string, number>();

  for(hint: string): string {
    const words = hint.match(/[A-Za-z0-9]+/g) ?? ['type'];
    // The T keeps the names apart from the library's own types, such as `Node` and `File`.
    const base = `T${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}`.slice(0, 40);
    let name = base;
    let n = this.#next.get(base) ?? 1;
    while (this.#next.has(name)) {
      n += 1;
      name = `${base}${n}`;
    }
    this.#next.set(base, n);
    if (name !== base) this.#next.set(name, 1);
    return name;
  }
}

function canBeNamed(node: TypeNode): boolean {
  return (
    node.kind === 'object' || node.kind === 'union' || node.kind === 'intersection' || node.kind === 'tuple'
  );
}

function wordsOf(node: TypeNode): string {
  if (node.kind !== 'object') return node.kind === 'union' ? 'choice' : node.kind;
  return node.properties
    .slice(0, 3)
    .map(({ key }) => key)
    .join(' ');
}

/** Roughly how many tokens a type takes when nothing in it has a name. */
function sizeOf(node: TypeNode, sizes: readonly number[]): number {
  if (node.kind === 'atom') return wordSize(node.text);
  if (node.kind === 'ref') return NAME_COST;
  let size = node.kind === 'documented' ? docSize(node.doc) : BRACKETS[node.kind];
  for (const child of childrenOf(node)) size += sizes[child]!;
  if (node.kind === 'union' || node.kind === 'intersection') return size + node.members.length - 1;
  if (node.kind !== 'object') return size;
  // A key, its colon, the sign before the next one.
  for (const { key, doc } of node.properties) size += wordSize(key) + 2 + docSize(doc);
  return size - 1;
}

const BRACKETS = { union: 0, intersection: 0, array: 1, tuple: 2, object: 2, record: 4 } as const;

const wordSizes = new Map<string, number>();
/** More words than this are not remembered. */
const MOST_WORDS = 10_000;

function wordSize(text: string): number {
  const known = wordSizes.get(text);
  if (known !== undefined) return known;
  const size = Math.ceil(text.length / 8) + (text.match(/[a-z_"][A-Z]/g)?.length ?? 0);
  if (wordSizes.size < MOST_WORDS) wordSizes.set(text, size);
  return size;
}

function docSize(doc: TypeDoc | undefined): number {
  if (doc === undefined) return 0;
  let length = doc.description?.length ?? 0;
  for (const note of doc.notes ?? []) length += note.length + 3;
  return (length + 18) / 5;
}
