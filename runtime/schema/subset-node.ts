import type { JsonSchemaNode, JsonSchemaScalar } from './json-schema.js';
import { SCHEMA_TYPES, type ScalarType } from './scalar.js';

/** A schema node of the subset, read once into the form that the validator walks. */
export type SubsetNode = AnyNode | ScalarNode | ArrayNode | ObjectNode | UnionNode;

/** Any lossless JSON. */
export interface AnyNode {
  readonly kind: 'any';
}

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly choices: readonly JsonSchemaScalar[] | undefined;
  /** `undefined` stands for no `const`: it is no JSON. */
  readonly literal: JsonSchemaScalar | undefined;
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly items: ChildNode | undefined;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly properties: readonly PropertyNode[];
  /** The index in `properties` of every declared key. */
  readonly declared: ReadonlyMap<string, number>;
  readonly required: readonly string[];
  readonly closed: boolean;
}

export interface UnionNode {
  readonly kind: 'union';
  readonly branches: readonly ChildNode[];
}

/** A node that is read when a value first gets there. */
export interface ChildNode {
  readonly schema: JsonSchemaNode;
  node?: SubsetNode;
}

export interface PropertyNode extends ChildNode {
  readonly key: string;
}

/** A schema that cannot have been asserted: the one mistake that validation throws for. */
export class SchemaMisuse extends TypeError {}

const read = new WeakMap<object, SubsetNode>();

/**
 * Reads one node; its own properties only, and what is below it later. The same schema object is read once, so it must
 * not change afterwards.
 *
 * @throws {SchemaMisuse} for what is no schema object or has an unknown `type`
 * @example
 * readNode({ type: 'array' }) // { kind: 'array', items: undefined }
 */
export function readNode(schema: JsonSchemaNode): SubsetNode {
  const known = read.get(schema);
  if (known !== undefined) return known;
  if (typeof schema !== 'object' || schema === null) {
    throw new SchemaMisuse(`Cannot validate by a schema: wanted an object, received ${typeof schema}`);
  }
  const node = makeNode(schema);
  read.set(schema, node);
  return node;
}

/** The node of a child, read at its first visit. */
export function childNode(child: ChildNode): SubsetNode {
  child.node ??= readNode(child.schema);
  return child.node;
}

function own<K extends keyof JsonSchemaNode>(schema: JsonSchemaNode, key: K): JsonSchemaNode[K] | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

function makeNode(schema: JsonSchemaNode): SubsetNode {
  const branches = own(schema, 'oneOf');
  if (branches !== undefined)
    return { kind: 'union', branches: branches.map((branch) => ({ schema: branch })) };
  const type = own(schema, 'type');
  if (type === undefined) return { kind: 'any' };
  if (!SCHEMA_TYPES.includes(type)) {
    throw new SchemaMisuse(
      `Cannot validate by type "${String(type)}": wanted one of ${SCHEMA_TYPES.join(', ')}`,
    );
  }
  if (type === 'array') {
    const items = own(schema, 'items');
    return { kind: 'array', items: items === undefined ? undefined : { schema: items } };
  }
  if (type !== 'object') {
    return { kind: 'scalar', type, choices: own(schema, 'enum'), literal: own(schema, 'const') };
  }
  const properties = Object.entries(own(schema, 'properties') ?? {}).map(([key, child]) => ({
    key,
    schema: child,
  }));
  return {
    kind: 'object',
    properties,
    declared: new Map(properties.map(({ key }, index) => [key, index])),
    required: own(schema, 'required') ?? [],
    closed: own(schema, 'additionalProperties') === false,
  };
}
