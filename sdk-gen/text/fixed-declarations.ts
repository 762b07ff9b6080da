/** Any JSON value. */
export const JSON_VALUE =
  'type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };';

/** The error of a failed call. */
export const TOOL_CALL_ERROR =
  'declare class ToolCallError extends Error { readonly name: "ToolCallError"; readonly toolName: string; readonly code?: string }';

/** The second argument of a call. */
export const CALL_OPTIONS = 'interface CallOptions { timeoutMs?: number; signal?: AbortSignal }';

/** The one tool name that no member of `tools` can have: a promise would be made of it. */
export const UNBOUND_NAME = 'then';

/**
 * The namespace through which tools are found, and reached by any name.
 *
 * @param unbound declarations of tools that are no members of `tools`, as overloads of `call`.
 */
export function sdkNamespace(unbound: readonly string[]): string {
  return [
    'declare const sdk: {',
    '/** Finds tools by what they do, best first, at most 10. */',
    'search(query: string): Promise<{ shown: string; tools: { name: string; description: string; declaration: string }[] }>;',
    '/** The full declaration of one tool. */',
    'describe(name: string): Promise<string>;',
    ...unbound,
    'call(name: string, args?: Record<string, JsonValue>, options?: CallOptions): Promise<JsonValue>;',
    '};',
  ].join('\n');
}
