/** Codes that a program may see: those of the library's own table. */
const OWN_CODES: ReadonlySet<string> = new Set([
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
 * @example
 * ownCode('E_RATE') // undefined
 */
export function ownCode(code: string | undefined): string | undefined {
  return code !== undefined && OWN_CODES.has(code) ? code : undefined;
}
