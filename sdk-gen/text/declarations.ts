import type { ToolTree } from '../tree/tool-tree.js';
import type { NodeId } from '../tree/type-node.js';
import { type DocDetail, docComment, toolDoc } from './doc-comment.js';
import { UNBOUND_NAME } from './fixed-declarations.js';
import { byText, methodKey } from './keys.js';
import { MergedTrees } from './merge-trees.js';
import { type PrintContext, printType } from './print-type.js';
import { nameTypes } from './type-names.js';

/** A tool and how much of its documentation is written. */
export interface ShownTool {
  readonly tree: ToolTree;
  readonly detail: DocDetail;
}

/** The declarations of some tools. */
export interface Declarations {
  /** One `type T… = …;` line for each named type, by name. */
  readonly types: readonly string[];
  /** For each tool, in the order given, its comment (if any) and its signature: one or two lines. */
  readonly members: readonly string[];
}

/** Writes tools as members of `tools`, with the types that they share. Order and bytes depend on the input alone. */
export function declareTools(shown: readonly ShownTool[]): Declarations {
  const trees = new MergedTrees();
  const roots = shown.map(({ tree, detail }) => trees.add(tree, detail !== 'none'));
  const names = nameTypes(trees, roots.flat());
  const written = new Set<string>();
  const context = (detail: DocDetail): PrintContext => ({ arena: trees.arena, names, detail, written });
  const widest: DocDetail = shown.some(({ detail }) => detail === 'full') ? 'full' : 'brief';
  const types = [
    ...names.recursive.map((name, i) => ({ name, id: trees.arena.declarations[i]!.body })),
    ...[...names.byNode].map(([id, name]) => ({ name, id })),
  ]
    .sort((a, b) => byText(a.name, b.name))
    .map(({ name, id }) => `type ${name} = ${printType(id, context(widest), true)};`);
  const members = shown.map(({ tree, detail }, i) => member(tree, roots[i]!, context(detail)));
  return { types, members };
}

function member(tree: ToolTree, [args, result]: readonly [NodeId, NodeId], context: PrintContext): string {
  const doc = memberDoc(tree, [args, result], context);
  const type = printType(args, context);
  const head = tree.name === UNBOUND_NAME ? `call(name: "${UNBOUND_NAME}", ` : `${methodKey(tree.name)}(`;
  const signature = `${head}args${tree.takesNothing ? '?' : ''}: ${type}, options?: CallOptions): Promise<${printType(result, context)}>;`;
  return doc === undefined ? signature : `${docComment(doc)}\n${signature}`;
}

/** The tool's description, with what its schemas say of arguments and result as a whole. */
function memberDoc(
  { description }: ToolTree,
  [args, result]: readonly [NodeId, NodeId],
  { arena, detail }: PrintContext,
): string | undefined {
  const sentences = description === undefined ? [] : [description];
  const notes: string[] = [];
  for (const [root, head] of [
    [args, 'Arguments'],
    [result, 'Result'],
  ] as const) {
    const node = arena.node(root);
    if (node.kind !== 'documented') continue;
    const about = node.doc.description;
    if (about !== undefined && about !== description) sentences.push(`${head}: ${about}`);
    for (const note of node.doc.notes ?? []) notes.push(root === args ? note : `result ${note}`);
  }
  return toolDoc(
    {
      ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
      ...(notes.length === 0 ? {} : { notes }),
    },
    detail,
  );
}
