/** Index of a node in its arena. Children stand before their parents. */
export type NodeId = number;

/** What a reader is told about a type: prose, and the constraints that a type cannot say. */
export interface TypeDoc {
  readonly description?: string;
  /** Short texts in schema order, e.g. `>=1`, `default "x"`. */
  readonly notes?: readonly string[];
}

/** One named property of an object type. */
export interface PropertyNode {
  readonly key: string;
  readonly optional: boolean;
  readonly type: NodeId;
  readonly doc?: TypeDoc;
}

/** Whether properties that are not listed may occur: not said, said no, or said yes. */
export type ExtraProperties = 'undeclared' | 'closed' | 'open';

/** A type as a small tree. Passes read it in index order, so none of them recurses. */
export type TypeNode =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'union'; readonly members: readonly NodeId[] }
  | { readonly kind: 'intersection'; readonly members: readonly NodeId[] }
  | { readonly kind: 'array'; readonly item: NodeId }
  | {
      readonly kind: 'tuple';
      readonly items: readonly NodeId[];
      /** How many of `items` must be there. */
      readonly min: number;
      readonly rest?: NodeId;
    }
  | {
      readonly kind: 'object';
      readonly properties: readonly PropertyNode[];
      /** Type of the index signature, already wide enough for the named properties. */
      readonly index?: NodeId;
      readonly extra: ExtraProperties;
    }
  | { readonly kind: 'record'; readonly value: NodeId }
  | { readonly kind: 'documented'; readonly doc: TypeDoc; readonly type: NodeId }
  | { readonly kind: 'ref'; readonly declaration: number };

/** A recursive type: refs name it by its index. `body` is set once its schema is complete. */
export interface TypeDeclaration {
  body: NodeId;
  readonly hint: string | undefined;
}

/** The child nodes of a node, in reading order. */
export function childrenOf(node: TypeNode): readonly NodeId[] {
  switch (node.kind) {
    case 'union':
    case 'intersection':
      return node.members;
    case 'array':
      return [node.item];
    case 'tuple':
      return node.rest === undefined ? node.items : [...node.items, node.rest];
    case 'object': {
      const types = node.properties.map((property) => property.type);
      return node.index === undefined ? types : [...types, node.index];
    }
    case 'record':
      return [node.value];
    case 'documented':
      return [node.type];
    default:
      return [];
  }
}
