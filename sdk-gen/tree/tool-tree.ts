import type { ToolDefinition } from '../../runtime/contract/definition.js';
import { Arena } from './arena.js';
import { buildTree } from './build.js';
import type { Ground } from './ground.js';
import { oneLine } from './schema-reader.js';
import type { NodeId } from './type-node.js';

/** What the texts are made from: one tool with the trees of its two schemas. */
export interface ToolTree extends Ground {
  readonly name: string;
  readonly description: string | undefined;
  readonly args: NodeId;
  readonly result: NodeId;
  /** Whether a call without arguments can be valid. */
  readonly takesNothing: boolean;
}

const trees = new WeakMap<object, ToolTree>();

/** The trees of a tool, built once for each definition. */
export function toolTree(tool: ToolDefinition): ToolTree {
  const known = trees.get(tool);
  if (known !== undefined) return known;
  const ground: Ground = { arena: new Arena(false), hints: new Map() };
  const args = buildTree(tool.parameters, true, ground);
  const output: unknown = tool.output?.schema;
  const tree: ToolTree = {
    name: tool.name,
    description: oneLine(tool.description),
    ...ground,
    args,
    result: buildTree(output ?? true, false, ground),
    takesNothing: acceptsEmptyObject(ground.arena, args),
  };
  trees.set(tool, tree);
  return tree;
}

function acceptsEmptyObject(arena: Arena, root: NodeId): boolean {
  const accepts = (id: NodeId): boolean => {
    const node = arena.node(arena.bare(id));
    if (node.kind === 'record') return true;
    if (node.kind === 'atom') return node.text === 'JsonValue' || node.text === 'unknown';
    return node.kind === 'object' && node.properties.every(({ optional }) => optional);
  };
  // A look at the branches is enough: a deeper nesting keeps `args` required, which only asks for a `{}`.
  const node = arena.node(arena.bare(root));
  if (node.kind === 'union') return node.members.some(accepts);
  if (node.kind === 'intersection') return node.members.every(accepts);
  return accepts(node.kind === 'ref' ? arena.declarations[node.declaration]!.body : root);
}
