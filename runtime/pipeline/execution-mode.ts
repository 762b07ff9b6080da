import type { ToolExecutionMode } from '../contract/decisions.js';
import type { ToolExecutionInput } from '../contract/execution.js';
import { resolveDefinition } from './call.js';
import type { PipelineHost } from './host.js';
import { isCollapsed } from './refusal.js';

const PARALLEL: ToolExecutionMode = Object.freeze({ kind: 'parallel' });
const EXCLUSIVE: ToolExecutionMode = Object.freeze({ kind: 'exclusive' });

/** The part of a call that its mode depends on. */
export type ClassifiedCall = Pick<
  ToolExecutionInput,
  'name' | 'arguments' | 'agent' | 'toolSet' | 'dispatch' | 'parent'
>;

/**
 * Whether a call may overlap with others, as the registry stands now. Total.
 *
 * Only an exact `true` of the tool's own `isConcurrencySafe` opts in; a name that cannot be called, or not directly, and a
 * classifier that throws are exclusive. A raw tool's classifier gets the parsed arguments as they are.
 *
 * @example
 * executionMode(host, { name: 'read', arguments: { path: 'a.txt' } }) // { kind: 'parallel' }
 */
export function executionMode(
  host: Pick<PipelineHost, 'executable' | 'visible'>,
  call: ClassifiedCall,
): ToolExecutionMode {
  try {
    if (isCollapsed(host, call)) return EXCLUSIVE;
    const isSafe: unknown = resolveDefinition(host, call)?.isConcurrencySafe?.(call.arguments);
    return isSafe === true ? PARALLEL : EXCLUSIVE;
  } catch {
    return EXCLUSIVE;
  }
}
