/** The id of one call, unique within its agent. */
export type ToolCallId = string & { readonly __brand: 'ToolCallId' };

/** Opaque identity of one execution: it can be compared, and nothing else. */
export type ToolExecutionToken = symbol & { readonly __brand: 'ToolExecutionToken' };

/**
 * Marks a text as a call id.
 *
 * @throws {TypeError} when the text is empty or no string.
 * @example
 * const callId = toolCallId('call_1');
 */
export function toolCallId(text: string): ToolCallId {
  if (typeof text !== 'string' || text === '') {
    throw new TypeError(`Cannot make a call id: wanted a non-empty string, received ${typeof text}`);
  }
  return text as ToolCallId;
}

/**
 * Makes a token that no other execution has.
 *
 * @example
 * newExecutionToken() === newExecutionToken() // false
 */
export function newExecutionToken(): ToolExecutionToken {
  return Symbol('execution') as ToolExecutionToken;
}
