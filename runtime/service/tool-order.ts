import type { ToolModelInput } from '../contract/executor.js';

/**
 * Puts the schemas of the named tools first, in the given order; the others follow in theirs.
 *
 * A known name without a schema of its own takes no place.
 *
 * @param order names as a host has configured them; a repeated name counts once
 * @throws {Error} when a name is outside `knownNames`: it is unregistered for whoever is described.
 * @example
 * orderTools(tools.describe(agent), ['read_file', 'search']).schemas[0]?.name // 'read_file'
 */
export function orderTools(input: ToolModelInput, order: readonly string[]): ToolModelInput {
  const known = new Set(input.knownNames);
  const wanted = new Set(order);
  const unregistered = [...wanted].filter((name) => !known.has(name));
  if (unregistered.length > 0) {
    const quoted = (names: Iterable<string>) => [...names].map((name) => JSON.stringify(name)).join(', ');
    throw new Error(
      `Cannot order tools: ${quoted(unregistered)} unregistered, wanted names of ${quoted([...known].sort()) || '(none)'}`,
    );
  }
  const place = new Map([...wanted].map((name, index) => [name, index]));
  const placeOf = (name: string) => place.get(name) ?? place.size;
  const schemas = [...input.schemas].sort((a, b) => placeOf(a.name) - placeOf(b.name));
  return { ...input, schemas };
}
