import { Arena } from '../tree/arena.js';
import type { NameHint } from '../tree/ground.js';
import type { ToolTree } from '../tree/tool-tree.js';
import {
  childrenOf,
  type ExtraProperties,
  type NodeId,
  type TypeDoc,
  type TypeNode,
} from '../tree/type-node.js';

/** The nodes of several trees in one arena, so that equal types of different tools are one node. */
export class MergedTrees {
  readonly arena = new Arena(true);
  readonly hints = new Map<NodeId, NameHint>();
  readonly #declarations = new Map<string, number>();

  /**
   * Adds a tool's trees and gives their roots: arguments, result.
   *
   * @param docs whether documentation is part of the types; without it more types are equal.
   */
  add(tree: ToolTree, docs: boolean): [NodeId, NodeId] {
    const declarations = tree.arena.declarations.map((declaration, i) =>
      this.#declare(groupKey(tree.arena, i, docs), declaration.hint),
    );
    const ids: NodeId[] = [];
    tree.arena.nodes.forEach((node, id) => {
      ids.push(this.#copy(node, ids, declarations, docs));
      const hint = tree.hints.get(id);
      const known = this.hints.get(ids[id]!);
      if (hint !== undefined && (known === undefined || known.rank > hint.rank))
        this.hints.set(ids[id]!, hint);
    });
    tree.arena.declarations.forEach(({ body }, i) => {
      this.arena.declarations[declarations[i]!]!.body = ids[body]!;
    });
    return [ids[tree.args]!, ids[tree.result]!];
  }

  #declare(key: string, hint: string | undefined): number {
    const known = this.#declarations.get(key);
    if (known !== undefined) return known;
    const index = this.arena.declarations.push({ body: -1, hint }) - 1;
    this.#declarations.set(key, index);
    return index;
  }

  #copy(node: TypeNode, ids: readonly NodeId[], declarations: readonly number[], docs: boolean): NodeId {
    const at = (id: NodeId): NodeId => ids[id]!;
    switch (node.kind) {
      case 'atom':
        return this.arena.atom(node.text);
      case 'union':
      case 'intersection':
        return this.arena.add({ kind: node.kind, members: node.members.map(at) });
      case 'array':
        return this.arena.add({ kind: 'array', item: at(node.item) });
      case 'tuple': {
        const items = node.items.map(at);
        const rest = node.rest === undefined ? {} : { rest: at(node.rest) };
        return this.arena.add({ kind: 'tuple', items, min: node.min, ...rest });
      }
      case 'object': {
        const properties = node.properties.map(({ key, optional, type, doc }) => ({
          key,
          optional,
          type: at(type),
          ...(doc === undefined || !docs ? {} : { doc }),
        }));
        const index = node.index === undefined ? {} : { index: at(node.index) };
        return this.arena.add({ kind: 'object', properties, extra: written(node.extra), ...index });
      }
      case 'record':
        return this.arena.add({ kind: 'record', value: at(node.value) });
      case 'documented':
        return docs ? this.arena.add({ ...node, type: at(node.type) }) : at(node.type);
      case 'ref':
        return this.arena.add({ kind: 'ref', declaration: declarations[node.declaration]! });
    }
  }
}

/** A closed object is written like one that does not say: the text lists what is declared. */
const written = (extra: ExtraProperties): ExtraProperties => (extra === 'open' ? 'open' : 'undeclared');

/** A text that is equal for two recursive types exactly when they and all that they reach are equal. */
function groupKey(arena: Arena, declaration: number, docs: boolean): string {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  const queue: { key: string; id: NodeId }[] = [];
  const numberOf = (id: NodeId): number => {
    const node = arena.node(id);
    const key = node.kind === 'ref' ? `@${node.declaration}` : String(id);
    const target = node.kind === 'ref' ? arena.declarations[node.declaration]!.body : id;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    queue.push({ key, id: target });
    return numbers.size - 1;
  };
  numbers.set(`@${declaration}`, 0);
  queue.push({ key: `@${declaration}`, id: arena.declarations[declaration]!.body });
  for (let i = 0; i < queue.length; i += 1) {
    const node = arena.node(queue[i]!.id);
    lines.push(`${labelOf(node, docs)}:${childrenOf(node).map(numberOf).join()}`);
  }
  return lines.join('\n');
}

const docLabel = (doc: TypeDoc | undefined, docs: boolean): string =>
  docs && doc !== undefined ? JSON.stringify(doc) : '';

function labelOf(node: TypeNode, docs: boolean): string {
  switch (node.kind) {
    case 'atom':
      return node.text;
    case 'tuple':
      return `tuple${node.min}${node.rest === undefined ? '' : '+'}`;
    case 'object':
      return `object ${written(node.extra)} ${node.properties
        .map(({ key, optional, doc }) => `${JSON.stringify(key)}${optional ? '?' : ''}${docLabel(doc, docs)}`)
        .join()}`;
    case 'documented':
      return `documented${docLabel(node.doc, docs)}`;
    default:
      return node.kind;
  }
}
