import type { ToolCallKind } from '../contract/views.js';

/**
 * Every kind of call that a UI or a rule may meet.
 *
 * @example
 * TOOL_CALL_KINDS.includes('read') // true
 */
export const TOOL_CALL_KINDS = Object.freeze([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'fetch',
  'other',
]) satisfies readonly ToolCallKind[] as readonly ToolCallKind[];
