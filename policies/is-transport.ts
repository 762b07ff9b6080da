import type { ToolExecution } from '../runtime/contract/execution.js';

/**
 * Whether a call is the one that carries a program. Its own calls are judged one by one, so most policies let it pass.
 *
 * @example
 * isTransport(exec) // true for run_code under an executor that presents it
 */
export function isTransport({
  name,
  parent,
  dispatch,
}: Pick<ToolExecution, 'name' | 'parent' | 'dispatch'>): boolean {
  return parent === undefined && dispatch?.definition !== undefined && dispatch.definition.name === name;
}
