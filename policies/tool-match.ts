import type { ToolRegistrationOptions } from '../runtime/contract/scope.js';
import type { ToolCallKind } from '../runtime/contract/views.js';
import { optionError } from '../runtime/core/option-error.js';
import { knownOptions, nonEmptyString, oneOf } from '../runtime/core/options.js';
import { TOOL_CALL_KINDS } from '../runtime/tools/tool-call-kinds.js';
import { wildcard } from './wildcard.js';

/** Tools, by what is known of them; all that is given has to hold. */
export interface ToolMatch {
  /** The registered name; `*` stands for any text. */
  readonly tool?: string;
  /** Where it comes from; `*` stands for any text. */
  readonly source?: string;
  readonly kind?: ToolCallKind;
}

/** Whether a tool is one of those. */
export type ToolTest = (name: string, registration: Readonly<ToolRegistrationOptions>) => boolean;

/**
 * Makes the test whether a tool is one of a list.
 *
 * @throws {TypeError} that names the entry which says nothing, or nothing that is known
 * @example
 * toolTest('untrusted', [{ source: 'web*' }, { kind: 'fetch' }])
 */
export function toolTest(option: string, list: readonly ToolMatch[]): ToolTest {
  if (!Array.isArray(list) || list.length === 0)
    throw optionError(option, 'a list of tools with at least one entry', list);
  const tests = list.map((match, index) => oneTest(`${option}[${index}]`, match));
  return (name, registration) => tests.some((test) => test(name, registration));
}

function oneTest(subject: string, match: ToolMatch): ToolTest {
  const { tool, source, kind } = knownOptions(subject, match, ['tool', 'source', 'kind']);
  if (tool === undefined && source === undefined && kind === undefined) {
    throw optionError(subject, 'a "tool", a "source" or a "kind"', match);
  }
  const isNamed = tool === undefined ? undefined : wildcard(nonEmptyString(`${subject}.tool`, tool));
  const isFrom = source === undefined ? undefined : wildcard(nonEmptyString(`${subject}.source`, source));
  if (kind !== undefined) oneOf(`${subject}.kind`, kind, TOOL_CALL_KINDS);
  return (name, registration) =>
    (isNamed === undefined || isNamed(name)) &&
    (isFrom === undefined || (registration.source !== undefined && isFrom(registration.source))) &&
    (kind === undefined || kind === (registration.kind ?? 'other'));
}
