/** Codes of the library's own table: what a failed call may tell a program. */
const OWN_CODES: ReadonlySet<unknown> = new Set([
  'ABORTED_BEFORE_DISPATCH',
  'ABORTED',
  'UNKNOWN_TOOL',
  'INVALID_ARGS',
  'INVALID_TOOL_OUTPUT',
  'UNSUPPORTED_SCHEMA',
  'TOOL_OUTCOME_UNKNOWN',
  'CODE_RUN_FAILED',
  'TOOL_TIMEOUT',
]);

/**
 * The code if it is one of the library's own; a foreign one never reaches a program.
 *
 * @returns `undefined` for anything else
 * @example
 * ownCode('TOOL_TIMEOUT') // 'TOOL_TIMEOUT'
 * ownCode('E_RATE') // undefined
 */
export function ownCode(code: unknown): string | undefined {
  return OWN_CODES.has(code) ? (code as string) : undefined;
}
