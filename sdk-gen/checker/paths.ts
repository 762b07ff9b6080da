import { childrenOf, type NodeId, type TypeNode } from '../tree/type-node.js';
import type { CheckedTypes } from './checked-types.js';

/** Paths longer than this are not made longer. */
const LONGEST = 120;

/** For each type that a tool's arguments and result reach, in words, where it stands first. */
export function pathsOf({ arena, args, result }: CheckedTypes, tool: string): Map<NodeId, string> {
  const paths = new Map<NodeId, string>();
  const access = /^[A-Za-z_$][\w$]*$/.test(tool) ? `tools.${tool}` : `tools[${JSON.stringify(tool)}]`;
  for (const [root, head] of [
    [args, `the arguments of ${access}`],
    [result, `the result of ${access}`],
  ] as const) {
    const stack: { id: NodeId; path: string }[] = [{ id: root, path: '' }];
    while (stack.length > 0) {
      const { id, path } = stack.pop()!;
      const node = arena.node(id);
      const target = node.kind === 'ref' ? arena.declarations[node.declaration]!.body : id;
      if (paths.has(target)) continue;
      paths.set(target, path === '' ? head : `\`${path}\` of ${head}`);
      const inner = arena.node(target);
      const steps = childrenOf(inner).map((child, i) => ({ id: child, path: stepped(inner, i, path) }));
      for (const step of steps.reverse()) stack.push(step);
    }
  }
  return paths;
}

function stepped(node: TypeNode, child: number, path: string): string {
  if (path.length > LONGEST) return path;
  if (node.kind === 'array' || node.kind === 'tuple') return `${path}[]`;
  if (node.kind !== 'object') return path;
  const key = node.properties[child]?.key ?? '*';
  return path === '' ? key : `${path}.${key}`;
}
