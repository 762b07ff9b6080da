import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { Arena } from './arena.js';
import { buildTree, type SchemaTree } from './build.js';
import { isRecord, oneLine } from './schema-reader.js';
import type { NodeId } from './type-node.js';

/** What the texts are made from: one tool with the trees of its two schemas. */
export interface ToolTree {
  readonly name: string;
  readonly description: string | undefined;
  readonly args: SchemaTree;
  readonly result: SchemaTree;
  /** Whether a call without arguments can be valid. */
  readonly takesNothing: boolean;
  /** Whether the tool says what its result is. */
  readonly hasResult: boolean;
}

const trees = new WeakMap<object, ToolTree>();

/** The trees of a tool, built once for each definition. */
export function toolTree(tool: ToolDefinition): ToolTree {
  const known = trees.get(tool);
  if (known !== undefined) return known;
  const args = buildTree(tool.parameters, true);
  const output: unknown = tool.output?.schema;
  const hasResult = output !== undefined && !(isRecord(output) && Object.keys(output).length === 0);
  const tree: ToolTree = {
    name: tool.name,
    description: oneLine(tool.description),
    args,
    result: buildTree(output ?? true, false),
    takesNothing: acceptsEmptyObject(args.arena, args.root),
    hasResult,
  };
  trees.set(tool, tree);
  return tree;
}

function acceptsEmptyObject(arena: Arena, root: NodeId): boolean {
  const accepts: boolean[] = [];
  // A reference to a recursive type stands before its body is known; such a type rarely is `{}`, and `args` stays named.
  arena.nodes.forEach((node, id) => {
    accepts[id] =
      node.kind === 'record' ||
      (node.kind === 'atom' && (node.text === 'JsonValue' || node.text === 'unknown')) ||
      (node.kind === 'object' && node.properties.every(({ optional }) => optional)) ||
      (node.kind === 'union' && node.members.some((member) => accepts[member])) ||
      (node.kind === 'intersection' && node.members.every((member) => accepts[member])) ||
      (node.kind === 'documented' && accepts[node.type] === true);
  });
  const node = arena.node(arena.bare(root));
  if (node.kind === 'ref') return accepts[arena.declarations[node.declaration]!.body] ?? false;
  return accepts[root] ?? false;
}
