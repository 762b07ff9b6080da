import type { NodeId, TypeDeclaration, TypeDoc, TypeNode } from './type-node.js';

/** The identity of a node, given the identities of its children and of its documentation. */
function keyOf(
  node: TypeNode,
  child: (id: NodeId) => number,
  doc: (doc: TypeDoc | undefined) => string,
): string {
  switch (node.kind) {
    case 'atom':
      return `=${node.text}`;
    case 'union':
      return `|${node.members.map(child).join()}`;
    case 'intersection':
      return `&${node.members.map(child).join()}`;
    case 'array':
      return `[${child(node.item)}`;
    case 'tuple':
      return `(${node.items.map(child).join()};${node.min};${node.rest === undefined ? '' : child(node.rest)}`;
    case 'object': {
      let key = `{${node.extra};${node.index === undefined ? '' : child(node.index)}`;
      // The length in front keeps keys apart that hold the signs between them.
      for (const { key: name, optional, type, doc: words } of node.properties) {
        key += `;${name.length}:${name}${optional ? '?' : ':'}${child(type)}${doc(words)}`;
      }
      return key;
    }
    case 'record':
      return `<${child(node.value)}`;
    case 'documented':
      return `/${child(node.type)}${doc(node.doc)}`;
    case 'ref':
      return `@${node.declaration}`;
  }
}

const itself = (id: NodeId): NodeId => id;
const withoutDoc = (): string => '';

/**
 * Holds the nodes of one or several trees. A node's children have smaller indices, so every pass is a loop.
 *
 * With `merge`, equal nodes are one node, documentation included; without it only their shapes are compared.
 */
export class Arena {
  readonly nodes: TypeNode[] = [];
  readonly declarations: TypeDeclaration[] = [];
  /** Present when equal nodes are merged. */
  readonly #ids: Map<string, NodeId> | undefined;
  readonly #shapes: number[] = [];
  #shapeIds: Map<string, number> | undefined;
  readonly #atoms = new Map<string, NodeId>();

  #docIds: Map<string, number> | undefined;
  readonly #shapeAt = (id: NodeId): number => this.#shapes[id]!;

  constructor(merge: boolean) {
    this.#ids = merge ? new Map() : undefined;
  }

  /** Adds a node, or finds the equal one that is there. */
  add(node: TypeNode): NodeId {
    if (this.#ids === undefined) return this.#append(node);
    const key = keyOf(node, itself, this.#docKey);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#append(node);
    this.#ids.set(key, id);
    return id;
  }

  /** The node behind an index. */
  node(id: NodeId): TypeNode {
    return this.nodes[id]!;
  }

  /** The node of one word. */
  atom(text: string): NodeId {
    const known = this.#atoms.get(text);
    if (known !== undefined) return known;
    const id = this.#append({ kind: 'atom', text });
    this.#atoms.set(text, id);
    return id;
  }

  /** Looks through documentation. */
  bare(id: NodeId): NodeId {
    const node = this.node(id);
    return node.kind === 'documented' ? this.bare(node.type) : id;
  }

  /** Puts documentation around a type; the outer one wins where both have a description. */
  documented(id: NodeId, doc: TypeDoc | undefined): NodeId {
    if (doc === undefined) return id;
    const node = this.node(id);
    if (node.kind !== 'documented') return this.add({ kind: 'documented', doc, type: id });
    const description = doc.description ?? node.doc.description;
    const notes = [...(node.doc.notes ?? []), ...(doc.notes ?? [])];
    const joined: TypeDoc = {
      ...(description === undefined ? {} : { description }),
      ...(notes.length === 0 ? {} : { notes: [...new Set(notes)] }),
    };
    return this.add({ kind: 'documented', doc: joined, type: node.type });
  }

  /** The identity of a type alone: two nodes that differ in documentation have the same shape. */
  shape(id: NodeId): number {
    for (let next = this.#shapes.length; next <= id; next += 1)
      this.#shapes.push(this.#shapeOf(this.node(next)));
    return this.#shapes[id]!;
  }

  /** A number for each documentation: it is hashed once, not with every key that holds it. */
  readonly #docKey = (doc: TypeDoc | undefined): string => {
    if (doc === undefined) return '';
    const text =
      doc.notes === undefined ? `${doc.description}` : `${doc.description ?? ''}\n${doc.notes.join('\n')}`;
    this.#docIds ??= new Map();
    const known = this.#docIds.get(text) ?? this.#docIds.size;
    this.#docIds.set(text, known);
    return `/${known}`;
  };

  #append(node: TypeNode): NodeId {
    return this.nodes.push(node) - 1;
  }

  #shapeOf(node: TypeNode): number {
    if (node.kind === 'documented') return this.#shapes[node.type]!;
    const key = keyOf(node, this.#shapeAt, withoutDoc);
    this.#shapeIds ??= new Map();
    const known = this.#shapeIds.get(key);
    if (known !== undefined) return known;
    this.#shapeIds.set(key, this.#shapeIds.size);
    return this.#shapeIds.size - 1;
  }
}
