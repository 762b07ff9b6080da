import type { Arena } from './arena.js';
import { arrayStep } from './array-step.js';
import { SchemaDocument } from './document.js';
import {
  COMBINING,
  COMPOSING,
  conjuncts,
  isEveryType,
  isEverything,
  SCALARS,
  STRUCTURE,
  typesOf,
} from './keywords.js';
import { jsonTypeOf, literalStep } from './literal.js';
import { docOf, docOfAll } from './notes.js';
import { objectStep } from './object-step.js';
import { withRequirements } from './requirements.js';
import { hasAny, isRecord, type JsonRecord, oneLine, own, shortJson } from './schema-reader.js';
import type { NodeId } from './type-node.js';
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
  /** `value`: the literal type of `schema`; `root`: a tool's arguments. */
  readonly mode: 'schema' | 'value' | 'root';
  /** How many object or array levels lie above: a reference to an open schema is a type only through one of them. */
  readonly guards: number;
  readonly hint: NameHint | undefined;
}

/** A schema object that has been met: open while it is being built. */
interface Met {
  readonly guards: number;
  /** Set when the schema was met inside itself. */
  declaration: number | undefined;
  /** Set when it is complete. */
  id: NodeId | undefined;
}

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
  readonly #arena: Arena;
  readonly #hints: Map<NodeId, NameHint>;
  readonly #schema: unknown;
  readonly #met = new Map<unknown, Met>();
  #document: SchemaDocument | undefined;

  constructor(schema: unknown, { arena, hints }: Ground) {
    this.#schema = schema;
    this.#arena = arena;
    this.#hints = hints;
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
    if (hasAny(schema, COMBINING)) return undefined;
    return this.#arena.documented(this.#arena.atom(scalar), docOf(schema));
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
        this.#suggest(body, schema, job);
        open.id = open.declaration === undefined ? body : this.#declare(open.declaration, body);
        return open.id;
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
    if (!hasAny(schema, COMPOSING)) {
      const base = this.#baseStep(schema, job) ?? this.#leaf(JSON_TYPE);
      const doc = docOf(schema);
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
