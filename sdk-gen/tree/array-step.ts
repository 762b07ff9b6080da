import type { Arena } from './arena.js';
import { type JsonRecord, own } from './schema-reader.js';
import type { Step } from './unfold.js';
import { JSON_TYPE } from './union.js';

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;

/** The schema of the items of a plain list; `undefined` where positions, or the end of the list, count. */
export function listItems(schema: JsonRecord): unknown {
  const items = own(schema, 'items');
  if (Array.isArray(items) || items === false || own(schema, 'prefixItems') !== undefined) return undefined;
  return count(own(schema, 'maxItems')) === 0 ? undefined : items;
}

/** The step of `type: array`: a list, or a tuple where positions have schemas of their own. */
export function arrayStep<Job>(
  arena: Arena,
  schema: JsonRecord,
  hint: string | undefined,
  child: (value: unknown, hint: string | undefined) => Job,
): Step<Job> {
  const items = own(schema, 'items');
  const prefixed = own(schema, 'prefixItems');
  const positions: readonly unknown[] = Array.isArray(prefixed)
    ? prefixed
    : Array.isArray(items)
      ? items
      : [];
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  const most = count(own(schema, 'maxItems'));
  const isShut = rest === false || (most !== undefined && most <= positions.length);
  if (positions.length === 0) {
    if (isShut) return { children: [], combine: () => arena.add({ kind: 'tuple', items: [], min: 0 }) };
    return listStep(arena, rest, hint, child);
  }
  const kept = positions.slice(0, most);
  const min = Math.min(count(own(schema, 'minItems')) ?? 0, kept.length);
  const isOpen = rest === undefined || rest === true;
  return {
    children: [
      ...kept.map((value) => child(value, undefined)),
      ...(isShut || isOpen ? [] : [child(rest, undefined)]),
    ],
    combine(built) {
      const types = built.slice(0, kept.length);
      if (isShut) return arena.add({ kind: 'tuple', items: types, min });
      const last = isOpen ? arena.atom(JSON_TYPE) : built[kept.length]!;
      return arena.add({ kind: 'tuple', items: types, min, rest: last });
    },
  };
}

function listStep<Job>(
  arena: Arena,
  rest: unknown,
  hint: string | undefined,
  child: (value: unknown, hint: string | undefined) => Job,
): Step<Job> {
  if (rest === undefined) {
    return { children: [], combine: () => arena.add({ kind: 'array', item: arena.atom(JSON_TYPE) }) };
  }
  return {
    children: [child(rest, hint === undefined ? undefined : singular(hint))],
    combine: (built) => arena.add({ kind: 'array', item: built[0]! }),
  };
}

/** The name of one item of a list. */
export function singular(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(ss|x|z|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : word;
}
