import type { QueuedToolCall, ToolExecution } from '../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../runtime/contract/scope.js';

/** What a question is made of. */
export interface Question {
  readonly call: Readonly<ToolExecution>;
  readonly reason: string | undefined;
  readonly registration: Readonly<ToolRegistrationOptions>;
  /** Calls of the same tool that wait behind it. */
  readonly queued: readonly QueuedToolCall[];
  /** The program's text. */
  readonly program: string;
}

const MAX_ARGUMENT_CHARS = 2000;
const MAX_LINE_CHARS = 200;

/** Waiting calls that a question shows; only what is shown can be agreed to. */
export const MAX_QUEUED = 10;

/**
 * Writes what somebody has to know before they say yes. Control characters and such that turn text round are written as
 * escapes, so that no argument can paint over the question.
 *
 * @example
 * approvalText({ call, reason: 'it writes', registration: {}, queued: [], program })
 */
export function approvalText({ call, reason, registration, queued, program }: Question): string {
  const { name, arguments: args, position } = call;
  const { source, sourceName } = registration;
  const from =
    source === undefined
      ? ''
      : ` of ${shown(source)}${sourceName === undefined ? '' : ` (${shown(sourceName)})`}`;
  const lines = [
    `May the program call "${shown(name)}"${from}?`,
    ...(reason === undefined ? [] : [`  why: ${shown(reason)}`]),
    `  arguments: ${argumentsText(args)}`,
  ];
  if (position !== undefined) {
    const text = program.split(/\r?\n/)[position.line - 1] ?? '';
    lines.push(`  line ${position.line}: ${clipped(shown(text.trim()), MAX_LINE_CHARS)}`);
  }
  if (queued.length > 0) {
    lines.push(`  ${queued.length} more of its calls wait:`);
    for (const waiting of queued) lines.push(`    ${argumentsText(waiting.arguments)}`);
  }
  return `${lines.join('\n')}\n`;
}

function argumentsText(args: unknown): string {
  return clipped(shown(JSON.stringify(args) ?? 'none'), MAX_ARGUMENT_CHARS);
}

function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** Text that a terminal prints and does not obey. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
