import { hasAny, isRecord, type JsonRecord, own } from './schema-reader.js';

/** What the keywords of a schema are about; one schema may have several. */
export const About = {
  /** It joins types of several schemas. */
  composing: 1,
  /** `enum` */
  enum: 2,
  /** `const`, `nullable` */
  narrowing: 4,
  numbers: 8,
  texts: 16,
  containers: 32,
  /** `deprecated`, `default` */
  use: 64,
} as const;

/** Keywords that make more of a scalar, an object or an array than its type. */
export const COMBINED = About.composing | About.enum | About.narrowing;
/** Keywords that say what a type cannot. */
export const NOTED = About.numbers | About.texts | About.containers | About.use;

const ABOUT: ReadonlyMap<string, number> = new Map(
  (
    [
      ['$ref $dynamicRef $recursiveRef allOf anyOf oneOf', About.composing],
      ['not', About.composing | About.containers],
      ['enum', About.enum],
      ['const nullable', About.narrowing],
      ['minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', About.numbers],
      ['minLength maxLength pattern format contentEncoding contentMediaType', About.texts],
      ['minItems maxItems uniqueItems minProperties maxProperties contains propertyNames', About.containers],
      ['if then else dependentRequired dependentSchemas dependencies', About.containers],
      ['deprecated default', About.use],
    ] as const
  ).flatMap(([names, about]) => names.split(' ').map((name): [string, number] => [name, about])),
);

/** What a schema's own keywords are about, of {@link About}. */
export function aboutOf(schema: JsonRecord): number {
  let about = 0;
  for (const key in schema) {
    const found = ABOUT.get(key);
    if (found !== undefined && Object.hasOwn(schema, key)) about |= found;
  }
  return about;
}

const OBJECT_KEYWORDS = new Set(['properties', 'required', 'additionalProperties', 'patternProperties']);
const ARRAY_KEYWORDS = new Set(['items', 'prefixItems', 'additionalItems']);
/** Keywords about what objects and arrays hold. */
export const STRUCTURE = new Set([...OBJECT_KEYWORDS, ...ARRAY_KEYWORDS]);
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
