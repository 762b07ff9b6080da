import type { Arena } from './arena.js';
import { type JsonRecord, oneLine, own } from './schema-reader.js';
import type { NodeId } from './type-node.js';

/** Where trees grow. */
export interface Ground {
  readonly arena: Arena;
  /** Names that the schemas themselves suggest for some of the nodes. */
  readonly hints: Map<NodeId, NameHint>;
}

/** A name for a type, and how good it is: 0 was given by the schema's author, 1 comes from a property. */
export interface NameHint {
  readonly text: string;
  readonly rank: 0 | 1;
}

/** A schema object that has been met: open while it is being built. */
export interface Met {
  readonly guards: number;
  /** Set when the schema was met inside itself. */
  declaration: number | undefined;
  /** Set when it is complete. */
  id: NodeId | undefined;
}

/** The hint that a property's name is. */
export const nameOf = (text: string): NameHint => ({ text, rank: 1 });

/** Notes the best name that is known for a type: its schema's title, or what it was given. */
export function suggestName(
  { arena, hints }: Ground,
  id: NodeId,
  schema: JsonRecord,
  given: NameHint | undefined,
): void {
  const title = oneLine(own(schema, 'title'));
  const hint: NameHint | undefined =
    given?.rank !== 0 && title !== undefined && title.length <= 40 ? { text: title, rank: 0 } : given;
  if (hint === undefined) return;
  const bare = arena.bare(id);
  const known = hints.get(bare);
  if (known === undefined || known.rank > hint.rank) hints.set(bare, hint);
}

/** Completes a recursive type; in its place stands a reference with the documentation of its body. */
export function declared(arena: Arena, declaration: number, body: NodeId): NodeId {
  arena.declarations[declaration]!.body = body;
  const node = arena.node(body);
  const ref = arena.add({ kind: 'ref', declaration });
  return node.kind === 'documented' ? arena.documented(ref, node.doc) : ref;
}
