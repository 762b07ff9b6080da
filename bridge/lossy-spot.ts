import { errorMessage } from '../runtime/core/error-text.js';
import { snapshotJsonValue } from '../runtime/core/json.js';

/** Below this depth the search stops and names the place it has reached. */
const MAX_DEPTH = 64;

/**
 * Says where a value that is no lossless JSON breaks the rule, what stands there and what to write instead. Total.
 *
 * @param root what the value is called
 * @example
 * lossySpot({ rows: [1, 2n] }, 'arguments') // 'arguments.rows[1] is a bigint: pass a string or a number'
 */
export function lossySpot(value: unknown, root: string): string {
  let path = root;
  let spot = value;
  const above = new Set<unknown>();
  try {
    while (above.size < MAX_DEPTH) {
      if (above.has(spot))
        return `${path} is circular, it refers back to a value that contains it: pass a copy without the cycle`;
      above.add(spot);
      const inner = lossyChild(spot);
      if (inner === undefined) break;
      path += inner.step;
      if ('thrown' in inner) return `${path} cannot be read (${errorMessage(inner.thrown)}): pass plain data`;
      spot = inner.value;
    }
    return `${path} is ${name(spot)}`;
  } catch (error) {
    return `${path} cannot be read (${errorMessage(error)}): pass plain data`;
  }
}

type Inner = { readonly step: string } & ({ readonly value: unknown } | { readonly thrown: unknown });

function lossyChild(container: unknown): Inner | undefined {
  if (typeof container !== 'object' || container === null) return undefined;
  const isArray = Array.isArray(container);
  for (const key of Object.keys(container)) {
    const step = isArray
      ? `[${key}]`
      : /^[A-Za-z_$][\w$]*$/.test(key)
        ? `.${key}`
        : `[${JSON.stringify(key)}]`;
    let value: unknown;
    try {
      value = (container as Record<string, unknown>)[key];
      if (snapshotJsonValue(value) !== undefined) continue;
    } catch (thrown) {
      if (typeof value !== 'object') return { step, thrown };
    }
    return { step, value };
  }
  return undefined;
}

function name(spot: unknown): string {
  switch (typeof spot) {
    case 'undefined':
      return 'undefined: leave it out or pass null';
    case 'bigint':
      return 'a bigint: pass a string or a number';
    case 'function':
      return 'a function: pass data';
    case 'symbol':
      return 'a symbol: pass a string';
    case 'number':
      return `${Object.is(spot, -0) ? '-0' : spot}: pass a finite number or null`;
    default:
      break;
  }
  if (Array.isArray(spot)) return 'an array with holes or extra properties: pass a plain dense array';
  const tag = Object.prototype.toString.call(spot).slice(8, -1);
  if (tag === 'Date') return 'a Date: pass its toISOString()';
  if (tag === 'Map') return 'a Map: pass Object.fromEntries(map)';
  if (tag === 'Set') return 'a Set: pass [...set]';
  if (tag === 'Promise') return 'a promise: await it first';
  return 'no plain object: pass an object of plain data';
}
