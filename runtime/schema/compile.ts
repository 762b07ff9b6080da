import { JsonSchemaError } from '../core/errors.js';
import { deepFreeze } from '../core/freeze.js';
import { snapshotJsonValue } from '../core/json.js';
import { received } from '../core/option-error.js';
import { assertObjectJsonSchema, assertSupportedJsonSchema } from './assert-schema.js';
import type { ParameterSchemaSpec, ValueSchemaSpec } from './dsl.js';
import type { JsonSchemaNode, ObjectJsonSchema } from './json-schema.js';
import { memberPath } from './path.js';
import { readList, readRecord, setOwn } from './record.js';

const ANNOTATIONS = ['description', 'title', 'default', 'examples'];
const SCALAR_KEYS = ['enum', 'const'];
/** Which keys a node of each kind has besides annotations and its kind. */
const KEYS_OF_KIND: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['string', SCALAR_KEYS],
  ['number', SCALAR_KEYS],
  ['integer', SCALAR_KEYS],
  ['boolean', SCALAR_KEYS],
  ['null', SCALAR_KEYS],
  ['array', ['items']],
  ['object', ['properties', 'additionalProperties']],
  ['json', []],
]);

/**
 * Compiles the parameters of a tool to a raw schema: an open object that declares them.
 *
 * @returns deep-frozen; `properties` is always there, `required` only when it names something
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when the map has mistakes; all of them are named
 * @example
 * parameterSchemaSpecToJsonSchema({ path: { type: 'string', required: true } })
 * // { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
 */
export function parameterSchemaSpecToJsonSchema(spec: ParameterSchemaSpec): ObjectJsonSchema {
  const compiler = new Compiler();
  const root: RawNode = { type: 'object' };
  compiler.addProperties(root, spec, 'parameters');
  const schema = compiler.finish(() => root);
  assertObjectJsonSchema(schema);
  return schema;
}

/**
 * Compiles a value schema of the author DSL to a raw schema.
 *
 * @returns deep-frozen
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when it has mistakes; all of them are named
 * @example
 * valueSchemaSpecToJsonSchema({ type: 'array', items: { type: 'json' } }) // { type: 'array', items: {} }
 */
export function valueSchemaSpecToJsonSchema(spec: ValueSchemaSpec): JsonSchemaNode {
  const compiler = new Compiler();
  let root: RawNode = {};
  compiler.addNodes([
    {
      spec,
      path: 'schema',
      isProperty: false,
      place: (node) => {
        root = node;
      },
    },
  ]);
  return compiler.finish(() => root);
}

type RawNode = { [key: string]: unknown };
type Fields = ReadonlyMap<string, unknown>;

/** A node of the DSL on its way to the place in the raw schema that waits for it. */
interface Job {
  readonly spec: unknown;
  readonly path: string;
  readonly isProperty: boolean;
  readonly place: (node: RawNode) => void;
}

/** One compilation, with its own stack instead of recursion. */
class Compiler {
  readonly #violations: string[] = [];
  readonly #ancestors = new Set<object>();
  /** The next step is the last one, so whatever comes first is pushed last. */
  readonly #steps: (() => void)[] = [];

  finish(root: () => RawNode): JsonSchemaNode {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) step();
    if (this.#violations.length > 0) throw new JsonSchemaError(this.#violations);
    const schema: unknown = root();
    // What the DSL and the subset have in common, literals above all, is checked in one place.
    assertSupportedJsonSchema(schema);
    return deepFreeze(schema);
  }

  addNodes(jobs: readonly Job[]): void {
    for (const job of jobs.toReversed()) this.#steps.push(() => this.#enter(job));
  }

  addProperties(target: RawNode, spec: unknown, path: string): void {
    const entries = readRecord(spec);
    if (entries === undefined) {
      this.#report(path, `must be a record of properties, received ${received(spec)}`);
      return;
    }
    const properties: RawNode = {};
    target['properties'] = properties;
    const jobs = [...entries].map(([key, child]) => ({
      spec: child,
      path: memberPath(path, key),
      isProperty: true,
      place: (node: RawNode) => setOwn(properties, key, node),
    }));
    this.addNodes(jobs);
    const required = [...entries].filter(([, child]) => readRecord(child)?.get('required') === true);
    if (required.length > 0) target['required'] = required.map(([key]) => key);
  }

  #enter({ spec, path, isProperty, place }: Job): void {
    const fields = readRecord(spec);
    if (fields === undefined) {
      this.#report(path, `must be a schema object, received ${received(spec)}`);
      return;
    }
    const identity = spec as object;
    if (this.#ancestors.has(identity)) {
      this.#report(path, 'must not be circular');
      return;
    }
    this.#ancestors.add(identity);
    this.#steps.push(() => this.#ancestors.delete(identity));
    const isUnion = fields.has('oneOf');
    const kindKeys = isUnion ? ['oneOf'] : KEYS_OF_KIND.get(fields.get('type'));
    if (isUnion && fields.has('type')) this.#report(path, 'must not have both "type" and "oneOf"');
    else if (kindKeys === undefined) {
      const kinds = [...KEYS_OF_KIND.keys()].map((kind) => `"${kind}"`).join(', ');
      this.#report(
        `${path}.type`,
        `must be one of ${kinds}, or "oneOf" in its place, received ${received(fields.get('type'))}`,
      );
    } else {
      this.#checkKeys(fields, kindKeys, path, isProperty);
      const node: RawNode = {};
      place(node);
      this.#fill(node, fields, path);
    }
  }

  #checkKeys(fields: Fields, kindKeys: readonly string[], path: string, isProperty: boolean): void {
    for (const key of fields.keys()) {
      if (key === 'type' || kindKeys.includes(key) || ANNOTATIONS.includes(key)) continue;
      if (key !== 'required') this.#report(path, `key "${key}" is not supported here`);
      else if (!isProperty) this.#report(path, 'key "required" belongs to properties only');
      else if (fields.get(key) !== true) this.#report(`${path}.required`, 'must be true or absent');
    }
  }

  #fill(node: RawNode, fields: Fields, path: string): void {
    const type = fields.get('type');
    if (type !== undefined && type !== 'json') node['type'] = type;
    for (const key of ANNOTATIONS) if (fields.has(key)) node[key] = detached(fields.get(key));
    for (const key of SCALAR_KEYS) if (fields.has(key)) node[key] = detached(fields.get(key));
    if (fields.has('oneOf')) this.#fillUnion(node, fields.get('oneOf'), `${path}.oneOf`);
    if (fields.has('items')) {
      const place = (items: RawNode) => {
        node['items'] = items;
      };
      this.addNodes([{ spec: fields.get('items'), path: `${path}.items`, isProperty: false, place }]);
    }
    if (type !== 'object') return;
    if (fields.has('properties')) this.addProperties(node, fields.get('properties'), `${path}.properties`);
    const openness = fields.get('additionalProperties');
    if (typeof openness === 'boolean') node['additionalProperties'] = openness;
    else
      this.#report(`${path}.additionalProperties`, `must be true or false, received ${received(openness)}`);
  }

  #fillUnion(node: RawNode, value: unknown, path: string): void {
    const specs = readList(value);
    if (specs === undefined || specs.length < 2) {
      this.#report(path, 'must be a dense array of at least 2 schemas');
    }
    const branches: RawNode[] = [];
    node['oneOf'] = branches;
    const place = (branch: RawNode) => branches.push(branch);
    this.addNodes(
      (specs ?? []).map((spec, index) => ({ spec, path: memberPath(path, index), isProperty: false, place })),
    );
  }

  #report(path: string, text: string): void {
    this.#violations.push(`${path}: ${text}`);
  }
}

/** A copy that the author cannot change any more; what cannot be copied stays, for the assertion to refuse. */
function detached(value: unknown): unknown {
  try {
    return snapshotJsonValue(value) ?? value;
  } catch {
    return Symbol('unreadable');
  }
}
