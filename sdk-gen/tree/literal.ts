import type { Arena } from './arena.js';
import { isRecord } from './schema-reader.js';
import type { NodeId } from './type-node.js';
import type { Step } from './unfold.js';

/** A scalar as a literal type, or nothing when the value is no scalar that JSON has. */
export function scalarLiteral(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** The step that builds the literal type of any JSON value; `child` makes the jobs of its parts. */
export function literalStep<Job>(arena: Arena, value: unknown, child: (value: unknown) => Job): Step<Job> {
  const scalar = scalarLiteral(value);
  if (scalar !== undefined) return { children: [], combine: () => arena.atom(scalar) };
  if (Array.isArray(value)) {
    return {
      children: value.map(child),
      combine: (items) => arena.add({ kind: 'tuple', items, min: items.length }),
    };
  }
  if (!isRecord(value)) return { children: [], combine: () => arena.atom('unknown') };
  const keys = Object.keys(value);
  if (keys.length === 0) {
    return { children: [], combine: () => arena.add({ kind: 'record', value: arena.atom('never') }) };
  }
  return {
    children: keys.map((key) => child(value[key])),
    combine: (types: readonly NodeId[]) =>
      arena.add({
        kind: 'object',
        extra: 'closed',
        properties: keys.map((key, i) => ({ key, optional: false, type: types[i]! })),
      }),
  };
}

/** The JSON Schema type of a value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
