import type { ToolDefinition } from '../contract/definition.js';
import type { ToolActivationContext, ToolRegistrationOptions } from '../contract/scope.js';
import { snapshotRegistrationOptions } from './registration-options.js';

/**
 * One entry of one layer. Its identity, not its name, is what a resolved set admits: the same definition registered again
 * is another registration.
 */
export interface Registration {
  readonly name: string;
  /** Borrowed from the caller, never cloned. */
  readonly definition: ToolDefinition;
  /** A frozen copy of what the caller said beside the definition. */
  readonly options: Readonly<ToolRegistrationOptions>;
  /** Absent for an unconditional registration. */
  readonly when: ((context: ToolActivationContext) => boolean | Promise<boolean>) | undefined;
}

/**
 * Makes a registration of a checked definition.
 *
 * @throws {TypeError} when an option is malformed.
 * @example
 * const registration = createRegistration(definition, { maxParallel: 2 });
 */
export function createRegistration(
  definition: ToolDefinition,
  options: ToolRegistrationOptions | undefined,
): Registration {
  const name = definition.name;
  const kept = snapshotRegistrationOptions(name, options);
  return Object.freeze({ name, definition, options: kept, when: kept.when });
}
