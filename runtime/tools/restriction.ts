import type { ToolRestriction } from '../contract/scope.js';
import { received } from '../core/option-error.js';
import { knownOptions } from '../core/options.js';
import { TRANSPORT_NAME } from '../core/transport-name.js';

/** A filter over inherited names, with its own copies of the caller's lists. */
export interface CompiledRestriction {
  admits(name: string): boolean;
}

/**
 * Compiles a filter. Checks come in this order: emptiness, reserved name, unknown names.
 *
 * @param known every name that the scope inherits, whether or not another restriction hides it.
 * @throws {TypeError} when a list is not an array of strings, or the filter has another key.
 * @throws {Error} when the filter hides nothing, names the transport, or names a tool that the scope does not inherit.
 * @example
 * compileRestriction({ deny: ['delete_file'] }, new Set(['delete_file'])).admits('delete_file') // false
 */
export function compileRestriction(filter: ToolRestriction, known: ReadonlySet<string>): CompiledRestriction {
  if (typeof filter !== 'object' || filter === null) {
    throw new TypeError(`Cannot restrict tools: wanted { allow?, deny? }, received ${received(filter)}`);
  }
  // A misspelt list must not leave a mask wider than it was meant.
  knownOptions('restrict', filter, ['allow', 'deny']);
  const allow = names('allow', filter.allow);
  const deny = names('deny', filter.deny) ?? new Set<string>();
  if (allow === undefined && deny.size === 0) {
    throw new Error(
      'Cannot restrict tools: wanted an "allow" list or at least one "deny" name, received a filter that hides nothing',
    );
  }
  const named = new Set([...(allow ?? []), ...deny]);
  if (named.has(TRANSPORT_NAME)) {
    throw new Error(
      `Cannot restrict "${TRANSPORT_NAME}": the name is reserved for the transport, which no filter reaches`,
    );
  }
  const unknown = [...named].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(unknownText(unknown, known));
  return { admits: (name) => (allow === undefined || allow.has(name)) && !deny.has(name) };
}

function names(list: string, value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    throw new TypeError(
      `Cannot restrict tools: "${list}" wants an array of names, received ${received(value)}`,
    );
  }
  const copy = new Set<string>();
  for (const name of value as readonly unknown[]) {
    if (typeof name !== 'string') {
      throw new TypeError(
        `Cannot restrict tools: "${list}" wants names as strings, received ${received(name)}`,
      );
    }
    copy.add(name);
  }
  return copy;
}

function unknownText(unknown: readonly string[], known: ReadonlySet<string>): string {
  const noun = unknown.length === 1 ? 'tool' : 'tools';
  const wanted = known.size === 0 ? '(none)' : [...known].sort().map(quote).join(', ');
  return `Cannot restrict unknown ${noun} ${unknown.map(quote).join(', ')}: this scope inherits ${wanted}`;
}

function quote(name: string): string {
  return JSON.stringify(name);
}
