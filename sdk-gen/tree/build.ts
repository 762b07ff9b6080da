import type { Arena } from './arena.js';
import { arrayStep } from './array-step.js';
import { SchemaDocument } from './document.js';
import { jsonTypeOf, literalStep } from './literal.js';
import { constraintNotes } from './notes.js';
import { objectStep } from './object-step.js';
import { withRequirements } from './requirements.js';
import { isRecord, type JsonRecord, oneLine, own, shortJson } from './schema-reader.js';
import type { NodeId, TypeDoc } from './type-node.js';
import { type Step, sequence, unfold } from './unfold.js';
import { JSON_TYPE, unionOf } from './union.js';

/** Where trees grow. */
export interface Ground {
  readonly arena: Arena;
  /** Names that the schemas themselves suggest for some of the nodes. */
  readonly hints: Map<NodeId, NameHint>;
}

/** A name for a type, and how good it is: 0 was given by the schema's author, 1 comes from a property. */
export interface NameHint {
  readonly text: string;
  readonly rank: 0 | 1;
}

interface Job {
  readonly schema: unknown;
  /** `value`: the literal type of `schema`; `target`: what a reference leads to. */
  readonly mode: 'schema' | 'value' | 'root';
  /** How many object or array levels lie above: a reference to an open schema is a type only through one of them. */
  readonly guards: number;
  readonly hint: NameHint | undefined;
}

interface OpenSchema {
  readonly guards: number;
  declaration?: number;
}

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY_KEYWORDS = ['items', 'prefixItems', 'additionalItems'];
/** Keywords that make more of a scalar than its type. */
const COMBINING = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf'],
  ...['enum', 'const', 'nullable', 'not'],
]);
const SCALARS: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/**
 * Reads a JSON Schema as a type tree. Total: what has no type becomes `unknown` at that spot, with the reason.
 *
 * @param schema any value; it is never changed.
 * @param isRoot whether it is a tool's arguments, whose `properties: {}` is `{}`.
 * @returns the root of the tree in the ground's arena.
 */
export function buildTree(schema: unknown, isRoot: boolean, ground: Ground): NodeId {
  return new Builder(schema, ground).build(isRoot);
}

class Builder {
  readonly #arena: Arena;
  readonly #hints: Map<NodeId, NameHint>;
  readonly #document: SchemaDocument;
  readonly #schema: unknown;
  readonly #open = new Map<unknown, OpenSchema>();
  readonly #done = new Map<unknown, NodeId>();

  constructor(schema: unknown, { arena, hints }: Ground) {
    this.#schema = schema;
    this.#arena = arena;
    this.#hints = hints;
    this.#document = new SchemaDocument(schema);
  }

  build(isRoot: boolean): NodeId {
    const job: Job = { schema: this.#schema, mode: isRoot ? 'root' : 'schema', guards: 0, hint: undefined };
    return unfold(
      job,
      (next) => this.#leafOf(next),
      (next) => this.#expand(next),
    );
  }

  /** A scalar with nothing but words and bounds around it: most schemas are one. */
  #leafOf({ schema, mode }: Job): NodeId | undefined {
    if (mode === 'value' || !isRecord(schema)) return undefined;
    const scalar = SCALARS.get(own(schema, 'type'));
    if (scalar === undefined) return undefined;
    for (const key of Object.keys(schema)) if (COMBINING.has(key)) return undefined;
    return this.#arena.documented(this.#arena.atom(scalar), docOf([schema]));
  }

  #expand(job: Job): Step<Job> {
    const { schema, mode } = job;
    if (mode === 'value') return literalStep(this.#arena, schema, (value) => ({ ...job, schema: value }));
    if (schema === true) return this.#leaf(JSON_TYPE);
    if (schema === false) return this.#leaf('never');
    if (!isRecord(schema)) return this.#unknown(`${shortJson(schema, 40)} is no schema`);
    const done = this.#done.get(schema);
    if (done !== undefined) return { children: [], combine: () => done };
    const open = this.#open.get(schema);
    if (open !== undefined) return this.#backReference(open, job);
    return this.#enter(schema, job);
  }

  /** A schema met inside itself: a named type where an object or array lies between, else no type at all. */
  #backReference(open: OpenSchema, job: Job): Step<Job> {
    if (job.guards <= open.guards) return this.#unknown('the schema refers only to itself');
    const declarations = this.#arena.declarations;
    open.declaration ??= declarations.push({ body: -1, hint: job.hint?.text }) - 1;
    const declaration = open.declaration;
    return { children: [], combine: () => this.#arena.add({ kind: 'ref', declaration }) };
  }

  #enter(schema: JsonRecord, job: Job): Step<Job> {
    const open: OpenSchema = { guards: job.guards };
    this.#open.set(schema, open);
    const step = this.#schemaStep(schema, job);
    return {
      children: step.children,
      combine: (built) => {
        const body = step.combine(built);
        this.#open.delete(schema);
        this.#suggest(body, schema, job);
        const id = open.declaration === undefined ? body : this.#declare(open.declaration, body);
        this.#done.set(schema, id);
        return id;
      },
    };
  }

  #declare(declaration: number, body: NodeId): NodeId {
    this.#arena.declarations[declaration]!.body = body;
    const node = this.#arena.node(body);
    const ref = this.#arena.add({ kind: 'ref', declaration });
    return node.kind === 'documented' ? this.#arena.documented(ref, node.doc) : ref;
  }

  #suggest(id: NodeId, schema: JsonRecord, job: Job): void {
    const title = oneLine(own(schema, 'title'));
    const hint: NameHint | undefined =
      job.hint?.rank !== 0 && title !== undefined && title.length <= 40 ? { text: title, rank: 0 } : job.hint;
    const bare = this.#arena.bare(id);
    const known = this.#hints.get(bare);
    if (hint !== undefined && (known === undefined || known.rank > hint.rank)) this.#hints.set(bare, hint);
  }

  #schemaStep(schema: JsonRecord, job: Job): Step<Job> {
    const parts = conjuncts(schema);
    const steps = parts.flatMap((part) => this.#partSteps(part, job));
    const doc = docOf(parts);
    return sequence(steps, (ids) => this.#arena.documented(withRequirements(this.#arena, ids), doc));
  }

  /** What one schema object says, each as a type that must hold. */
  #partSteps(part: JsonRecord, job: Job): Step<Job>[] {
    const steps: Step<Job>[] = [];
    const base = this.#baseStep(part, job);
    if (base !== undefined) steps.push(base);
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const ref = own(part, keyword);
      if (ref !== undefined) steps.push(this.#refStep(ref, job));
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = own(part, keyword);
      if (!Array.isArray(branches) || branches.length === 0) continue;
      steps.push({
        children: branches.map((branch) => ({
          ...job,
          schema: branch,
          mode: 'schema' as const,
          hint: undefined,
        })),
        combine: (ids) => unionOf(this.#arena, ids),
      });
    }
    if (steps.length === 0 && own(part, 'not') !== undefined) {
      steps.push(this.#leaf(isEverything(own(part, 'not')) ? 'never' : 'unknown'));
    }
    return steps;
  }

  #refStep(ref: unknown, job: Job): Step<Job> {
    const found = this.#document.resolve(ref);
    if ('reason' in found) return this.#unknown(found.reason);
    const hint: NameHint | undefined = found.name === undefined ? job.hint : { text: found.name, rank: 0 };
    return {
      children: [{ schema: found.schema, mode: 'schema', guards: job.guards, hint }],
      combine: ([id]) => id!,
    };
  }

  /** The type that `const`, `enum` or `type` gives, with the keywords of that type. */
  #baseStep(part: JsonRecord, job: Job): Step<Job> | undefined {
    const types = typesOf(part);
    const fits = (value: unknown): boolean =>
      types === undefined ||
      types.includes(jsonTypeOf(value)) ||
      (types.includes('integer') && Number.isInteger(value));
    const literal = Object.hasOwn(part, 'const') ? [part['const']] : own(part, 'enum');
    if (Array.isArray(literal)) {
      return {
        children: literal.filter(fits).map((value) => ({ ...job, schema: value, mode: 'value' as const })),
        combine: (ids) => unionOf(this.#arena, ids),
      };
    }
    if (types === undefined) return undefined;
    const isWhole =
      SCALARS.size - 1 <= types.filter((type) => SCALARS.has(type) && type !== 'integer').length;
    const isBare = ![...OBJECT_KEYWORDS, ...ARRAY_KEYWORDS].some((keyword) => Object.hasOwn(part, keyword));
    if (isWhole && isBare && types.includes('object') && types.includes('array'))
      return this.#leaf(JSON_TYPE);
    const steps = types.map((type) => this.#typeStep(type, part, job));
    return sequence(steps, (ids) => unionOf(this.#arena, ids));
  }

  #typeStep(type: unknown, part: JsonRecord, job: Job): Step<Job> {
    const inside = (schema: unknown, hint: string | undefined): Job => ({
      schema,
      mode: 'schema',
      guards: job.guards + 1,
      hint: hint === undefined ? undefined : { text: hint, rank: 1 },
    });
    if (type === 'object') return objectStep(this.#arena, part, job.mode === 'root', inside);
    if (type === 'array') return arrayStep(this.#arena, part, job.hint?.text, inside);
    const scalar = SCALARS.get(type);
    return scalar === undefined
      ? this.#unknown(`type ${shortJson(type, 40)} is not known`)
      : this.#leaf(scalar);
  }

  #leaf(text: string): Step<Job> {
    return { children: [], combine: () => this.#arena.atom(text) };
  }

  #unknown(reason: string): Step<Job> {
    return {
      children: [],
      combine: () => this.#arena.documented(this.#arena.atom('unknown'), { notes: [reason] }),
    };
  }
}

const isEverything = (schema: unknown): boolean =>
  schema === true || (isRecord(schema) && Object.keys(schema).length === 0);

/** A schema and all that its `allOf`s add to it, flat. */
function conjuncts(schema: JsonRecord): JsonRecord[] {
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
function typesOf(part: JsonRecord): unknown[] | undefined {
  const type = own(part, 'type');
  if (type !== undefined) {
    const types = Array.isArray(type) ? [...new Set(type)] : [type];
    return own(part, 'nullable') === true && !types.includes('null') ? [...types, 'null'] : types;
  }
  const isObject = OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(part, keyword));
  const isArray = ARRAY_KEYWORDS.some((keyword) => Object.hasOwn(part, keyword));
  if (!isObject && !isArray) return undefined;
  return [...(isObject ? ['object'] : []), ...(isArray ? ['array'] : [])];
}

function docOf(parts: readonly JsonRecord[]): TypeDoc | undefined {
  let description: string | undefined;
  let notes: readonly string[] = [];
  for (const part of parts) {
    description ??= oneLine(own(part, 'description'));
    const added = constraintNotes(part);
    if (added.length > 0) notes = [...notes, ...added];
  }
  if (notes.length > 0) return description === undefined ? { notes } : { description, notes };
  return description === undefined ? undefined : { description };
}
