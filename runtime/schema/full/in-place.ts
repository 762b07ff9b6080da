/** A schema, and the others that it takes over from without going deeper into the value. */
export interface InPlaceNode<N> {
  readonly path: string;
  readonly refersTo: ReadonlySet<N>;
}

/**
 * Finds a circle of references that never goes deeper into the value, so that no validation by it would end.
 *
 * @returns the paths around the circle, the first one again at the end
 * @example
 * findEndlessCircle([a, b]) // ['schema.$defs.A', 'schema.$defs.B', 'schema.$defs.A']
 */
export function findEndlessCircle<N extends InPlaceNode<N>>(
  nodes: Iterable<N>,
): readonly string[] | undefined {
  const done = new Set<N>();
  for (const start of nodes) {
    const trail: { readonly node: N; readonly rest: Iterator<N> }[] = [];
    const enter = (node: N) => trail.push({ node, rest: node.refersTo.values() });
    if (!done.has(start)) enter(start);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const { value: next, done: isLast } = top.rest.next();
      if (isLast) {
        done.add(top.node);
        trail.pop();
        continue;
      }
      const from = trail.findIndex(({ node }) => node === next);
      if (from >= 0) return [...trail.slice(from).map(({ node }) => node.path), next.path];
      if (!done.has(next)) enter(next);
    }
  }
  return undefined;
}
