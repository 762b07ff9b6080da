import type { ApprovalOutcome, ApprovalRequest } from '../../runtime/contract/approval.js';
import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';

const LONGEST_ARGUMENTS = 2_000;

/** What a person is asked: there is nothing to fill in, only to accept or to decline. */
export const ACCEPT_OR_DECLINE = { type: 'object', properties: {} } as const;

/**
 * The text that asks for an approval.
 *
 * @example
 * questionText({ toolName: 'write_file', … }, execution, { source: 'files' })
 * // 'Allow write_file (MCP server "files")?\n{"path":"a.txt"}'
 */
export function questionText(
  { toolName, reason, displayReason, position }: ApprovalRequest,
  execution: Readonly<ToolExecution> | undefined,
  registration: Readonly<ToolRegistrationOptions> | undefined,
): string {
  const { source, sourceName = toolName } = registration ?? {};
  const origin = source === undefined ? '' : ` ("${sourceName}" of "${source}")`;
  const place = position === undefined ? '' : `, line ${position.line} of the program`;
  const args = visible(JSON.stringify(execution?.arguments ?? {}));
  const shown = args.length > LONGEST_ARGUMENTS ? `${args.slice(0, LONGEST_ARGUMENTS)}…` : args;
  const why = displayReason?.en ?? reason;
  const lines = [`Allow ${toolName}${origin}${place}?`, ...(why === undefined ? [] : [why])].map(visible);
  return [...lines, shown].join('\n');
}

/** Characters that steer a display or turn text round become escapes, so that no argument can paint over the question. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/**
 * What an answer to an elicitation means for the call that waits; anything unknown is nobody's answer.
 *
 * @example
 * outcomeOf({ action: 'accept' }) // 'allowed-once'
 */
export function outcomeOf(answer: unknown): ApprovalOutcome {
  switch ((answer as { action?: unknown } | undefined)?.action) {
    case 'accept':
      return 'allowed-once';
    case 'decline':
      return 'rejected';
    case 'cancel':
      return 'cancelled';
    default:
      return 'unavailable';
  }
}
