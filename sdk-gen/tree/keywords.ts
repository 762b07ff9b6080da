import { hasAny, isRecord, type JsonRecord, own } from './schema-reader.js';

const OBJECT_KEYWORDS = new Set(['properties', 'required', 'additionalProperties', 'patternProperties']);
const ARRAY_KEYWORDS = new Set(['items', 'prefixItems', 'additionalItems']);
/** Keywords about what objects and arrays hold. */
export const STRUCTURE = new Set([...OBJECT_KEYWORDS, ...ARRAY_KEYWORDS]);
/** Keywords that join types of several schemas. */
export const COMPOSING = new Set(['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not']);
/** Keywords that make more of a scalar than its type. */
export const COMBINING = new Set([...COMPOSING, 'enum', 'const', 'nullable']);
/** The types that have no parts, as TypeScript says them. */
export const SCALARS: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** Whether a list of types leaves nothing out. */
export function isEveryType(types: readonly unknown[]): boolean {
  return ['string', 'number', 'boolean', 'null', 'object', 'array'].every((type) => types.includes(type));
}

/** Whether a schema accepts every value. */
export const isEverything = (schema: unknown): boolean =>
  schema === true || (isRecord(schema) && Object.keys(schema).length === 0);

/** A schema and all that its `allOf`s add to it, flat. */
export function conjuncts(schema: JsonRecord): JsonRecord[] {
  if (!Object.hasOwn(schema, 'allOf')) return [schema];
  const found: JsonRecord[] = [];
  const seen = new Set<unknown>();
  const stack: unknown[] = [schema];
  while (stack.length > 0) {
    const next = stack.pop();
    if (next === false) found.push({ not: true });
    if (!isRecord(next) || seen.has(next)) continue;
    seen.add(next);
    found.push(next);
    const all = own(next, 'allOf');
    if (Array.isArray(all)) for (let i = all.length - 1; i >= 0; i -= 1) stack.push(all[i]);
  }
  return found;
}

/** The types a schema allows; its keywords stand in where it does not say. */
export function typesOf(part: JsonRecord): unknown[] | undefined {
  const type = own(part, 'type');
  if (type !== undefined) {
    const types = Array.isArray(type) ? [...new Set<unknown>(type)] : [type];
    return own(part, 'nullable') === true && !types.includes('null') ? [...types, 'null'] : types;
  }
  const isObject = hasAny(part, OBJECT_KEYWORDS);
  const isArray = hasAny(part, ARRAY_KEYWORDS);
  if (!isObject && !isArray) return undefined;
  return [...(isObject ? ['object'] : []), ...(isArray ? ['array'] : [])];
}
