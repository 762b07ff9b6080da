import type { Arena } from './arena.js';
import { arrayStep, listItems, singular } from './array-step.js';
import { SchemaDocument } from './document.js';
import { declared, type Ground, type Met, type NameHint, nameOf, suggestName } from './ground.js';
import {
  About,
  aboutOf,
  COMBINED,
  conjuncts,
  isEveryType,
  isEverything,
  SCALARS,
  STRUCTURE,
  typesOf,
} from './keywords.js';
import { jsonTypeOf, literalStep } from './literal.js';
import { docOf, docOfAll } from './notes.js';
import { objectParts, objectType } from './object-step.js';
import { withRequirements } from './requirements.js';
import { hasAny, isRecord, type JsonRecord, own, shortJson } from './schema-reader.js';
import type { NodeId } from './type-node.js';
import { type Step, sequence, unfold } from './unfold.js';
import { JSON_TYPE, unionOf } from './union.js';

interface Job {
  readonly schema: unknown;
  /** `value`: the literal type of `schema`; `root`: a tool's arguments. */
  readonly mode: 'schema' | 'value' | 'root';
  /** How many object or array levels lie above: a reference to an open schema is a type only through one of them. */
  readonly guards: number;
  readonly hint: NameHint | undefined;
}

/** Levels that are built by plain calls; what lies deeper is built step by step. */
const DIRECT_LEVELS = 32;

/**
 * Reads a JSON Schema as a type tree. Total: what has no type becomes `unknown` at that spot, with the reason.
 *
 * @param schema any value; it is never changed.
 * @param isRoot whether it is a tool's arguments, whose `properties: {}` is `{}`.
 * @returns the root of the tree in the ground's arena.
 */
export function buildTree(schema: unknown, isRoot: boolean, ground: Ground): NodeId {
  try {
    return new Builder(schema, ground).build(isRoot);
  } catch {
    // A getter or a proxy that throws: JSON has neither, so there is no spot to name.
    const { arena } = ground;
    for (const declaration of arena.declarations) {
      if (declaration.body === -1) declaration.body = arena.atom('unknown');
    }
    return arena.documented(arena.atom('unknown'), { notes: ['the schema cannot be read'] });
  }
}

class Builder {
  readonly #ground: Ground;
  readonly #arena: Arena;
  readonly #schema: unknown;
  readonly #met = new Map<unknown, Met>();
  #document: SchemaDocument | undefined;

  constructor(schema: unknown, ground: Ground) {
    this.#schema = schema;
    this.#ground = ground;
    this.#arena = ground.arena;
  }

  build(isRoot: boolean): NodeId {
    const job: Job = { schema: this.#schema, mode: isRoot ? 'root' : 'schema', guards: 0, hint: undefined };
    return this.#leafOf(job) ?? this.#unfolded(job);
  }

  #unfolded(job: Job): NodeId {
    return unfold(
      job,
      (next) => this.#leafOf(next),
      (next) => this.#expand(next),
    );
  }

  /** What is built without a step of its own: most schemas are. */
  #leafOf({ schema, mode, guards, hint }: Job): NodeId | undefined {
    return mode === 'value' ? undefined : this.#plain(schema, mode === 'root', guards, hint);
  }

  /** A scalar, a list of words, an object or a list, with nothing but words and bounds around it. */
  #plain(schema: unknown, isRoot: boolean, guards: number, hint: NameHint | undefined): NodeId | undefined {
    if (!isRecord(schema)) return undefined;
    const type = own(schema, 'type');
    const scalar = SCALARS.get(type);
    if (scalar === undefined && type !== 'object' && type !== 'array') return undefined;
    const about = aboutOf(schema);
    if ((about & COMBINED) !== 0) {
      return (about & COMBINED) === About.enum && type === 'string'
        ? this.#words(schema, hint, about)
        : undefined;
    }
    if (scalar !== undefined) return this.#arena.documented(this.#arena.atom(scalar), docOf(schema, about));
    if (guards >= DIRECT_LEVELS || this.#met.has(schema)) return undefined;
    const items = type === 'array' ? listItems(schema) : undefined;
    if (type === 'array' && items === undefined) return undefined;
    const open: Met = { guards, declaration: undefined, id: undefined };
    this.#met.set(schema, open);
    const body = type === 'array' ? this.#list(items, guards, hint) : this.#object(schema, isRoot, guards);
    const documented = this.#arena.documented(body, docOf(schema, about));
    suggestName(this.#ground, documented, schema, hint);
    open.id =
      open.declaration === undefined
        ? documented
        : declared(this.#ground.arena, open.declaration, documented);
    return open.id;
  }

  #list(items: unknown, guards: number, hint: NameHint | undefined): NodeId {
    const name = hint === undefined ? undefined : nameOf(singular(hint.text));
    return this.#arena.add({ kind: 'array', item: this.#inner(items, guards + 1, name) });
  }

  #object(schema: JsonRecord, isRoot: boolean, guards: number): NodeId {
    const parts = objectParts(schema);
    const built: NodeId[] = [];
    for (let i = 0; i < parts.schemas.length; i += 1) {
      const key = parts.named[i];
      built.push(this.#inner(parts.schemas[i], guards + 1, key === undefined ? undefined : nameOf(key)));
    }
    return objectType(this.#arena, parts, isRoot, built);
  }

  #inner(schema: unknown, guards: number, hint: NameHint | undefined): NodeId {
    return (
      this.#plain(schema, false, guards, hint) ?? this.#unfolded({ schema, mode: 'schema', guards, hint })
    );
  }

  /** The literal types of an `enum` of texts; anything else in it falls away. */
  #words(schema: JsonRecord, hint: NameHint | undefined, about: number): NodeId | undefined {
    const values = own(schema, 'enum');
    if (!Array.isArray(values) || this.#met.has(schema)) return undefined;
    const ids: NodeId[] = [];
    for (const value of values)
      if (typeof value === 'string') ids.push(this.#arena.atom(JSON.stringify(value)));
    const id = this.#arena.documented(unionOf(this.#arena, ids), docOf(schema, about));
    suggestName(this.#ground, id, schema, hint);
    this.#met.set(schema, { guards: 0, declaration: undefined, id });
    return id;
  }

  #expand(job: Job): Step<Job> {
    const { schema, mode } = job;
    if (mode === 'value') return literalStep(this.#arena, schema, (value) => ({ ...job, schema: value }));
    if (schema === true) return this.#leaf(JSON_TYPE);
    if (schema === false) return this.#leaf('never');
    if (!isRecord(schema)) return this.#unknown(`${shortJson(schema, 40)} is no schema`);
    const met = this.#met.get(schema);
    if (met === undefined) return this.#enter(schema, job);
    const { id } = met;
    return id === undefined ? this.#backReference(met, job) : { children: [], combine: () => id };
  }

  /** A schema met inside itself: a named type where an object or array lies between, else no type at all. */
  #backReference(open: Met, job: Job): Step<Job> {
    if (job.guards <= open.guards) return this.#unknown('the schema refers only to itself');
    const declarations = this.#arena.declarations;
    open.declaration ??= declarations.push({ body: -1, hint: job.hint?.text }) - 1;
    const declaration = open.declaration;
    return { children: [], combine: () => this.#arena.add({ kind: 'ref', declaration }) };
  }

  #enter(schema: JsonRecord, job: Job): Step<Job> {
    const open: Met = { guards: job.guards, declaration: undefined, id: undefined };
    this.#met.set(schema, open);
    const step = this.#schemaStep(schema, job);
    return {
      children: step.children,
      combine: (built) => {
        const body = step.combine(built);
        suggestName(this.#ground, body, schema, job.hint);
        open.id =
          open.declaration === undefined ? body : declared(this.#ground.arena, open.declaration, body);
        return open.id;
      },
    };
  }

  #schemaStep(schema: JsonRecord, job: Job): Step<Job> {
    const about = aboutOf(schema);
    if ((about & About.composing) === 0) {
      const base = this.#baseStep(schema, job) ?? this.#leaf(JSON_TYPE);
      const doc = docOf(schema, about);
      if (doc === undefined) return base;
      return {
        children: base.children,
        combine: (built) => this.#arena.documented(base.combine(built), doc),
      };
    }
    const parts = conjuncts(schema);
    const doc = docOfAll(parts);
    const steps = parts.flatMap((part) => this.#partSteps(part, job));
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
    this.#document ??= new SchemaDocument(this.#schema);
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
    if (types.length === 1) return this.#typeStep(types[0], part, job);
    if (isEveryType(types) && !hasAny(part, STRUCTURE)) return this.#leaf(JSON_TYPE);
    const steps = types.map((type) => this.#typeStep(type, part, job));
    return sequence(steps, (ids) => unionOf(this.#arena, ids));
  }

  #typeStep(type: unknown, part: JsonRecord, job: Job): Step<Job> {
    const inside = (schema: unknown, hint: string | undefined): Job => ({
      schema,
      mode: 'schema',
      guards: job.guards + 1,
      hint: hint === undefined ? undefined : nameOf(hint),
    });
    if (type === 'object') {
      const parts = objectParts(part);
      return {
        children: parts.schemas.map((schema, i) => inside(schema, parts.named[i])),
        combine: (built) => objectType(this.#arena, parts, job.mode === 'root', built),
      };
    }
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
