import type { NodeId } from './type-node.js';

/** One job taken apart: what must be built first, and how the results come together. */
export interface Step<Job> {
  readonly children: readonly Job[];
  combine(built: readonly NodeId[]): NodeId;
}

/**
 * Builds a node from a job without recursion, depth first and in order.
 *
 * @param leaf builds a job at once where it has no parts, else gives nothing.
 */
export function unfold<Job>(
  root: Job,
  leaf: (job: Job) => NodeId | undefined,
  expand: (job: Job) => Step<Job>,
): NodeId {
  const stack: { step: Step<Job>; built: NodeId[] }[] = [{ step: expand(root), built: [] }];
  for (;;) {
    const top = stack[stack.length - 1]!;
    if (top.built.length < top.step.children.length) {
      const job = top.step.children[top.built.length]!;
      const direct = leaf(job);
      if (direct === undefined) stack.push({ step: expand(job), built: [] });
      else top.built.push(direct);
      continue;
    }
    const id = top.step.combine(top.built);
    stack.pop();
    const parent = stack[stack.length - 1];
    if (parent === undefined) return id;
    parent.built.push(id);
  }
}

/** Joins steps into one: their children one after the other, then `join` over the steps' results. */
export function sequence<Job>(
  steps: readonly Step<Job>[],
  join: (results: readonly NodeId[]) => NodeId,
): Step<Job> {
  const only = steps[0];
  if (steps.length === 1 && only !== undefined) {
    return { children: only.children, combine: (built) => join([only.combine(built)]) };
  }
  return {
    children: steps.flatMap((step) => step.children),
    combine(built) {
      let start = 0;
      const results = steps.map((step) => {
        const own = built.slice(start, start + step.children.length);
        start += own.length;
        return step.combine(own);
      });
      return join(results);
    },
  };
}
