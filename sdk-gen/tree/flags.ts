import type { Arena } from './arena.js';
import type { NodeId, TypeNode } from './type-node.js';

/**
 * A yes or no about every node of an arena, known from the node and the answers for its children. Answers are kept, so
 * that asking costs nothing twice, and no node is reached by recursion.
 */
export class NodeFlag {
  readonly #answers = new WeakMap<Arena, boolean[]>();
  readonly #decide: (node: TypeNode, child: (id: NodeId) => boolean) => boolean;

  constructor(decide: (node: TypeNode, child: (id: NodeId) => boolean) => boolean) {
    this.#decide = decide;
  }

  /** The answer for one node. */
  of(arena: Arena, id: NodeId): boolean {
    const answers = this.#answers.get(arena) ?? [];
    this.#answers.set(arena, answers);
    const known = (child: NodeId): boolean => answers[child]!;
    for (let next = answers.length; next <= id; next += 1)
      answers.push(this.#decide(arena.node(next), known));
    return answers[id]!;
  }
}
