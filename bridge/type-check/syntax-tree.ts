import { Buffer } from 'node:buffer';

// The checker's tree as it sends it: a header of numbers, then one record of seven numbers for each node.
const HEADER = 44;
const NODES_AT = 40;
const RECORD = 28;
const LIST = 0xffffffff;

/** The kinds of node that the rules look at, as numbered by the tested version. */
export const Kind = {
  ExclamationToken: 53,
  PlusToken: 39,
  StringLiteral: 10,
  NoSubstitutionTemplateLiteral: 14,
  Identifier: 79,
  FirstType: 183,
  LastType: 206,
  TypeQuery: 187,
  BindingElement: 209,
  ArrayLiteral: 210,
  ObjectLiteral: 211,
  PropertyAccess: 212,
  ElementAccess: 213,
  Call: 214,
  Parenthesized: 218,
  TypeOf: 222,
  PrefixUnary: 225,
  Binary: 227,
  Conditional: 228,
  Spread: 231,
  ExpressionWithTypeArguments: 234,
  NonNull: 236,
  TemplateSpan: 240,
  If: 246,
  Do: 247,
  While: 248,
  PropertyAssignment: 303,
  ShorthandProperty: 304,
  SpreadAssignment: 305,
} as const;

/** A node: its number in the tree. */
export type TreeNode = number;

/**
 * A program's syntax tree, read from the checker's own encoding. Nodes are numbered in the order of the text, parents
 * before children; lists between them are looked through.
 */
export class SyntaxTree {
  readonly #view: DataView;
  readonly #start: number;
  readonly #path: string;
  readonly count: number;
  #children: Map<TreeNode, TreeNode[]> | undefined;

  /** @throws {Error} when the bytes are no tree. */
  constructor(base64: string, path: string) {
    const bytes = Buffer.from(base64, 'base64');
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = bytes.byteLength < HEADER ? bytes.byteLength : this.#view.getUint32(NODES_AT, true);
    this.count = Math.floor((bytes.byteLength - this.#start) / RECORD);
    this.#path = path;
    if (this.count < 2) throw new Error('the checker sent no syntax tree');
  }

  kind(node: TreeNode): number {
    return this.#view.getUint32(this.#start + node * RECORD, true);
  }

  /** Where the node begins, white space before it included. */
  pos(node: TreeNode): number {
    return this.#view.getInt32(this.#start + node * RECORD + 4, true);
  }

  end(node: TreeNode): number {
    return this.#view.getInt32(this.#start + node * RECORD + 8, true);
  }

  /** The node above, or 0 at the root. */
  parent(node: TreeNode): TreeNode {
    const up = this.#view.getUint32(this.#start + node * RECORD + 16, true);
    return up !== 0 && this.kind(up) === LIST ? this.parent(up) : up;
  }

  children(node: TreeNode): readonly TreeNode[] {
    if (this.#children === undefined) {
      this.#children = new Map();
      for (let child = 1; child < this.count; child += 1) {
        if (this.kind(child) === LIST) continue;
        const parent = this.parent(child);
        const siblings = this.#children.get(parent);
        if (siblings === undefined) this.#children.set(parent, [child]);
        else siblings.push(child);
      }
    }
    return this.#children.get(node) ?? [];
  }

  /** All nodes of some kinds, in the order of the text. */
  ofKind(...kinds: readonly number[]): TreeNode[] {
    const found: TreeNode[] = [];
    for (let node = 1; node < this.count; node += 1) if (kinds.includes(this.kind(node))) found.push(node);
    return found;
  }

  /** The innermost node that begins at or before a position and ends behind it, from the root to it. */
  pathTo(position: number): TreeNode[] {
    const path: TreeNode[] = [];
    let node: TreeNode | undefined = 1;
    while (node !== undefined) {
      path.push(node);
      node = this.children(node).find((child) => this.pos(child) <= position && position < this.end(child));
    }
    return path;
  }

  /** How the checker is asked about a node. */
  handle(node: TreeNode): string {
    return `${node}.${this.kind(node)}.${this.#path}`;
  }
}
