import type { JsonValue } from '../../runtime/core/json-value.js';

type Step = { readonly key: string } | { readonly index: number } | 'each' | 'below';

/**
 * Makes the reader of a JSON path: `$.a.b`, `a['b c']`, `list[0]`, `list[*].id`, `$..name` (at any depth). The `$` may be left
 * out, and `$` alone is the whole value. Only own properties are read.
 *
 * @returns finds every value that the path names; an empty array when there is none
 * @throws {SyntaxError} when it is no such path
 * @example
 * jsonPath('$.files[*].path')({ files: [{ path: 'a' }, { path: 'b' }] }) // ['a', 'b']
 */
export function jsonPath(path: string): (root: JsonValue | undefined) => readonly JsonValue[] {
  const steps = parse(path);
  return (root) => (root === undefined ? [] : steps.reduce(take, [root] as readonly JsonValue[]));
}

const STEP =
  /\.\.|\.?\[(\d+)\]|\.?\[\*\]|\.?\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]|\.?([^.[\]'"]+)/y;

function parse(path: string): readonly Step[] {
  const steps: Step[] = [];
  let at = path.startsWith('$') ? 1 : 0;
  if (path === '') throw notAPath(path);
  while (at < path.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(path);
    if (found === null) throw notAPath(path);
    const [whole, index, double, single, bare] = found;
    const quoted = double ?? single;
    if (whole === '..') steps.push('below');
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (quoted !== undefined) steps.push({ key: quoted.replace(/\\(.)/g, '$1') });
    else if (bare === undefined || bare === '*') steps.push('each');
    else steps.push({ key: bare });
    at = STEP.lastIndex;
  }
  if (steps.at(-1) === 'below') throw notAPath(path);
  return steps;
}

function take(values: readonly JsonValue[], step: Step): readonly JsonValue[] {
  if (step === 'each') return values.flatMap(children);
  if (step === 'below') return values.flatMap(withDescendants);
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const key = 'key' in step ? step.key : String(step.index);
    if ('index' in step !== Array.isArray(value) || !Object.hasOwn(value, key)) return [];
    return [(value as { readonly [key: string]: JsonValue })[key]!];
  });
}

function children(value: JsonValue): readonly JsonValue[] {
  return typeof value === 'object' && value !== null ? (Object.values(value) as JsonValue[]) : [];
}

/** The value and everything inside it, at any depth. */
export function withDescendants(root: JsonValue): readonly JsonValue[] {
  const found = [root];
  for (let index = 0; index < found.length; index += 1) {
    for (const child of children(found[index]!)) found.push(child);
  }
  return found;
}

function notAPath(path: string): SyntaxError {
  return new SyntaxError(`wanted a JSON path such as "$.files[*].path", received "${path}"`);
}
