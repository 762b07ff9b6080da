import type { Arena } from '../tree/arena.js';
import { NodeFlag } from '../tree/flags.js';
import { childrenOf, type NodeId, type PropertyNode, type TypeNode } from '../tree/type-node.js';
import { type DocDetail, docComment, propertyDoc } from './doc-comment.js';
import { propertyKey } from './keys.js';
import type { TypeNames } from './type-names.js';

/** What the printer is told. */
export interface PrintContext {
  readonly arena: Arena;
  readonly names: TypeNames;
  readonly detail: DocDetail;
  /** Sentences about properties that were written already; one that repeats is written once. */
  readonly written: Set<string>;
}

type Piece = string | { readonly id: NodeId; readonly tight: boolean } | { readonly property: PropertyNode };

/** Writes a type in reading order, without recursion. Documentation at the root is left to the caller. */
export function printType(root: NodeId, context: PrintContext, expandRoot = false): string {
  const { arena } = context;
  const out: string[] = [];
  const start = arena.bare(root);
  const stack: Piece[] = [];
  const push = (pieces: readonly Piece[]): void => {
    for (let i = pieces.length - 1; i >= 0; i -= 1) stack.push(pieces[i]!);
  };
  if (expandRoot) push(piecesOf(arena.node(start), context));
  else stack.push({ id: start, tight: false });
  while (stack.length > 0) {
    const piece = stack.pop()!;
    if (typeof piece === 'string') out.push(piece);
    else if ('property' in piece) push(propertyPieces(piece.property, context));
    else push(typePieces(piece.id, piece.tight, context));
  }
  return out.join('');
}

/** A type where it is used: its name if it has one. `tight` = it stands where an operator would take it apart. */
function typePieces(id: NodeId, tight: boolean, context: PrintContext): Piece[] {
  const name = context.names.byNode.get(id);
  if (name !== undefined) return [name];
  const node = context.arena.node(id);
  if (node.kind === 'documented') {
    const text = propertyDoc(node.doc, context.detail, context.written);
    const inner: Piece = { id: node.type, tight };
    if (text === undefined) return [inner];
    return tight
      ? ['(', `${docComment(text)} `, { id: node.type, tight: false }, ')']
      : [`${docComment(text)} `, { id: node.type, tight: true }];
  }
  const pieces = piecesOf(node, context);
  return tight && isOperator(node) ? ['(', ...pieces, ')'] : pieces;
}

function isOperator(node: TypeNode): boolean {
  return (
    node.kind === 'union' ||
    node.kind === 'intersection' ||
    (node.kind === 'object' && node.extra === 'open' && node.index === undefined)
  );
}

function piecesOf(node: TypeNode, context: PrintContext): Piece[] {
  switch (node.kind) {
    case 'atom':
      return [node.text];
    case 'ref':
      return [context.names.recursive[node.declaration]!];
    case 'union':
      return separated(distinct(node.members, context), ' | ', false);
    case 'intersection':
      return separated(node.members, ' & ', true);
    case 'array':
      return [{ id: node.item, tight: true }, '[]'];
    case 'tuple':
      return tuplePieces(node);
    case 'record':
      return recordPieces(node.value, context);
    case 'object':
      return objectPieces(node);
    case 'documented':
      return [{ id: node.type, tight: false }];
  }
}

function separated(ids: readonly NodeId[], separator: string, tight: boolean): Piece[] {
  return ids.flatMap((id, i): Piece[] => (i === 0 ? [{ id, tight }] : [separator, { id, tight }]));
}

/** The branches of a union and of the unnamed unions inside it, one of each shape, in order. */
function distinct(members: readonly NodeId[], { arena, names }: PrintContext): NodeId[] {
  const found: NodeId[] = [];
  const shapes = new Set<number>();
  const stack = [...members].reverse();
  while (stack.length > 0) {
    const id = stack.pop()!;
    const node = arena.node(id);
    if (node.kind === 'union' && !names.byNode.has(id)) {
      for (let i = node.members.length - 1; i >= 0; i -= 1) stack.push(node.members[i]!);
      continue;
    }
    if (shapes.has(arena.shape(id))) continue;
    shapes.add(arena.shape(id));
    found.push(id);
  }
  return found;
}

function tuplePieces(node: Extract<TypeNode, { kind: 'tuple' }>): Piece[] {
  const pieces: Piece[] = ['['];
  node.items.forEach((id, i) => {
    if (i > 0) pieces.push(', ');
    pieces.push({ id, tight: i >= node.min });
    if (i >= node.min) pieces.push('?');
  });
  if (node.rest !== undefined) {
    pieces.push(node.items.length > 0 ? ', ...' : '...', { id: node.rest, tight: true }, '[]');
  }
  pieces.push(']');
  return pieces;
}

function recordPieces(value: NodeId, context: PrintContext): Piece[] {
  // `Record<string, T>` cannot stand inside the declaration of T; an index signature can.
  return holdsRef.of(context.arena, value)
    ? ['{ [k: string]: ', { id: value, tight: false }, ' }']
    : ['Record<string, ', { id: value, tight: false }, '>'];
}

const holdsRef = new NodeFlag((node, child) => node.kind === 'ref' || childrenOf(node).some(child));

function objectPieces(node: Extract<TypeNode, { kind: 'object' }>): Piece[] {
  const pieces: Piece[] = [];
  for (const property of node.properties) pieces.push(pieces.length === 0 ? '{ ' : '; ', { property });
  if (node.index !== undefined) {
    pieces.push(pieces.length === 0 ? '{ ' : '; ', '[k: string]: ', { id: node.index, tight: false });
  }
  pieces.push(pieces.length === 0 ? '{}' : ' }');
  if (node.extra === 'open' && node.index === undefined) pieces.push(' & Record<string, JsonValue>');
  return pieces;
}

function propertyPieces({ key, optional, type, doc }: PropertyNode, context: PrintContext): Piece[] {
  const text = doc === undefined ? undefined : propertyDoc(doc, context.detail, context.written);
  const head = `${text === undefined ? '' : `${docComment(text)} `}${propertyKey(key)}${optional ? '?' : ''}: `;
  return [head, { id: type, tight: false }];
}
