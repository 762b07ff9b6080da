import type { ToolRegistrationOptions } from '../contract/scope.js';
import type { ToolCallKind } from '../contract/views.js';
import {
  flag,
  functionOption,
  knownOptions,
  nonEmptyString,
  oneOf,
  positiveInteger,
} from '../core/options.js';
import { TOOL_CALL_KINDS } from './tool-call-kinds.js';

const KNOWN = [
  'when',
  'maxParallel',
  'source',
  'sourceName',
  'kind',
  'readOnly',
  'idempotent',
  'destructive',
] as const satisfies readonly (keyof ToolRegistrationOptions)[];

/** A misspelt option would silently lift a condition or a cap, so every key has to be one of these. */
const CHECKS: { readonly [K in (typeof KNOWN)[number]]: (value: unknown) => ToolRegistrationOptions[K] } = {
  when: (value) => functionOption('when', value as NonNullable<ToolRegistrationOptions['when']>),
  maxParallel: (value) => positiveInteger('maxParallel', value),
  source: (value) => nonEmptyString('source', value),
  sourceName: (value) => nonEmptyString('sourceName', value),
  kind: (value) => oneOf<ToolCallKind>('kind', value, TOOL_CALL_KINDS),
  readOnly: (value) => flag('readOnly', value),
  idempotent: (value) => flag('idempotent', value),
  destructive: (value) => flag('destructive', value),
};

/**
 * Checks what a host says beside a definition and keeps a frozen copy. An option that is `undefined` is left out.
 *
 * @param name of the tool, for the message
 * @throws {TypeError} when an option is unknown or malformed.
 * @example
 * snapshotRegistrationOptions('fetch_page', { kind: 'fetch', maxParallel: 4 });
 */
export function snapshotRegistrationOptions(
  name: string,
  options: ToolRegistrationOptions = {},
): Readonly<ToolRegistrationOptions> {
  knownOptions(`register(${JSON.stringify(name)})`, options, KNOWN);
  const copy: Record<string, unknown> = {};
  for (const key of KNOWN) {
    const value = options[key];
    if (value !== undefined) copy[key] = CHECKS[key](value);
  }
  return Object.freeze(copy) as Readonly<ToolRegistrationOptions>;
}
