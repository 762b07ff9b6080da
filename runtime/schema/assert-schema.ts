import { JsonSchemaError } from '../core/errors.js';
import { isJsonValue } from '../core/json.js';
import { received } from '../core/option-error.js';
import type { JsonSchemaNode, JsonSchemaType, ObjectJsonSchema } from './json-schema.js';
import { memberPath } from './path.js';
import { readList, readRecord } from './record.js';
import { isScalarOf, SCHEMA_TYPES, type ScalarType, wantedScalar } from './scalar.js';

const ANNOTATIONS = ['description', 'title', 'default', 'examples'];
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties'];
const SCALAR_KEYWORDS = ['enum', 'const'];
/** What constrains a value beside `type` and `oneOf`, in the order of its violations. */
const CONSTRAINTS = [...OBJECT_KEYWORDS, 'items', ...SCALAR_KEYWORDS];
const KEYWORDS = new Set(['type', 'oneOf', ...CONSTRAINTS, ...ANNOTATIONS]);

type Node = ReadonlyMap<string, unknown>;

/**
 * Asserts that a schema stays inside the subset: every keyword it uses is one that {@link validateJsonSchemaValue}
 * enforces, in a form that has a meaning.
 *
 * All mistakes are collected, in the order of a depth-first walk. Depth is no limit.
 *
 * @param schema any value
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when there is a mistake, each named with its path from `schema`
 * @example
 * assertSupportedJsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] });
 */
export function assertSupportedJsonSchema(schema: unknown): asserts schema is JsonSchemaNode {
  const violations = findViolations(schema);
  if (violations.length > 0) throw new JsonSchemaError(violations);
}

/**
 * Asserts that a schema stays inside the subset and describes an object.
 *
 * @throws {JsonSchemaError} UNSUPPORTED_SCHEMA when it does not
 * @example
 * assertObjectJsonSchema({ type: 'object' });
 */
export function assertObjectJsonSchema(schema: unknown): asserts schema is ObjectJsonSchema {
  assertSupportedJsonSchema(schema);
  if (!Object.hasOwn(schema, 'type') || schema.type !== 'object') {
    throw new JsonSchemaError(['schema: wanted a root of type "object"']);
  }
}

function findViolations(schema: unknown): string[] {
  const violations: string[] = [];
  const ancestors = new Set<object>();
  /** Nodes that were walked without a violation: a shared one is walked once. */
  const clean = new Set<object>();
  /** The next step is the last one, so whatever comes first is pushed last. */
  const steps: (() => void)[] = [];

  const report = (path: string, text: string) => {
    violations.push(`${path}: ${text}`);
  };

  const enter = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null) {
      if (ancestors.has(value)) return report(path, 'must not be circular');
      if (clean.has(value)) return;
    }
    const node = readRecord(value);
    if (node === undefined) return report(path, `must be a schema object, received ${received(value)}`);
    const identity = value as object;
    const before = violations.length;
    ancestors.add(identity);
    steps.push(() => {
      ancestors.delete(identity);
      if (violations.length === before) clean.add(identity);
    });
    checkNode(node, path);
  };

  const walk = (children: readonly (readonly [path: string, value: unknown])[]) => {
    for (const [path, value] of children.toReversed()) steps.push(() => enter(value, path));
  };

  const checkNode = (node: Node, path: string) => {
    if (node.has('type') && node.has('oneOf')) return report(path, 'must not have both "type" and "oneOf"');
    for (const key of node.keys()) {
      if (!KEYWORDS.has(key)) report(path, `keyword "${key}" is not supported`);
    }
    checkAnnotations(node, path, report);
    if (node.has('oneOf')) return checkUnion(node, path);
    if (!node.has('type')) return refuse(node, path, CONSTRAINTS, 'needs a "type" beside it');
    const type = readType(node, path, report);
    const suits = (keywords: readonly string[], text: string) =>
      type !== undefined && refuse(node, path, keywords, text);
    if (type !== 'object') suits(OBJECT_KEYWORDS, 'belongs to type "object" only');
    if (type !== 'array') suits(['items'], 'belongs to type "array" only');
    if (type === 'object' || type === 'array') suits(SCALAR_KEYWORDS, 'belongs to scalar types only');
    else if (type !== undefined) checkLiterals(node, path, type, report);
    // Below a type that has no meaning the rest is still looked at.
    if (type === 'object' || type === undefined) checkObject(node, path);
    if ((type === 'array' || type === undefined) && node.has('items')) {
      walk([[`${path}.items`, node.get('items')]]);
    }
  };

  const refuse = (node: Node, path: string, keywords: readonly string[], text: string) => {
    for (const key of keywords) if (node.has(key)) report(path, `keyword "${key}" ${text}`);
  };

  const checkUnion = (node: Node, path: string) => {
    const branches = readList(node.get('oneOf'));
    steps.push(() => refuse(node, path, CONSTRAINTS, 'must not stand beside "oneOf"'));
    if (branches === undefined || branches.length < 2) {
      report(`${path}.oneOf`, 'must be a dense array of at least 2 schemas');
    }
    walk((branches ?? []).map((branch, index) => [memberPath(`${path}.oneOf`, index), branch]));
  };

  const checkObject = (node: Node, path: string) => {
    const properties = node.has('properties') ? readRecord(node.get('properties')) : undefined;
    if (node.has('properties') && properties === undefined) {
      report(`${path}.properties`, 'must be an object of schemas');
    }
    steps.push(() => {
      if (node.has('required')) checkRequired(node.get('required'), properties, path, report);
      if (node.has('additionalProperties') && typeof node.get('additionalProperties') !== 'boolean') {
        report(`${path}.additionalProperties`, 'must be true or false');
      }
    });
    walk([...(properties ?? [])].map(([key, child]) => [memberPath(`${path}.properties`, key), child]));
  };

  steps.push(() => enter(schema, 'schema'));
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) step();
  return violations;
}

type Report = (path: string, text: string) => void;

function checkAnnotations(node: Node, path: string, report: Report): void {
  for (const key of ANNOTATIONS) {
    if (!node.has(key)) continue;
    const value = node.get(key);
    if (key === 'description' || key === 'title') {
      if (typeof value !== 'string') report(`${path}.${key}`, 'must be a string');
    } else if (!isLossless(value)) report(`${path}.${key}`, 'must be lossless JSON');
  }
}

function isLossless(value: unknown): boolean {
  try {
    return isJsonValue(value);
  } catch {
    return false;
  }
}

function readType(node: Node, path: string, report: Report): JsonSchemaType | undefined {
  const type = node.get('type');
  const known = SCHEMA_TYPES.find((name) => name === type);
  if (known !== undefined) return known;
  const names = SCHEMA_TYPES.map((name) => `"${name}"`).join(', ');
  if (Array.isArray(type)) report(`${path}.type`, 'must be one type, not an array of types; use "oneOf"');
  else report(`${path}.type`, `must be one of ${names}, received ${received(type)}`);
  return undefined;
}

function checkLiterals(node: Node, path: string, type: ScalarType, report: Report): void {
  const choices = node.has('enum') ? readList(node.get('enum')) : undefined;
  if (node.has('enum')) {
    if (choices === undefined || choices.length === 0) {
      report(`${path}.enum`, 'must be a dense array of at least one value');
    }
    for (const [index, choice] of (choices ?? []).entries()) {
      if (!isScalarOf(type, choice)) {
        report(
          memberPath(`${path}.enum`, index),
          `must be ${wantedScalar(type)}, received ${received(choice)}`,
        );
      }
    }
  }
  if (!node.has('const')) return;
  const literal = node.get('const');
  if (!isScalarOf(type, literal)) {
    report(`${path}.const`, `must be ${wantedScalar(type)}, received ${received(literal)}`);
  } else if (choices !== undefined && !choices.includes(literal)) {
    report(`${path}.const`, `must be one of "enum", received ${received(literal)}`);
  }
}

function checkRequired(value: unknown, properties: Node | undefined, path: string, report: Report): void {
  const names = readList(value);
  if (names === undefined) report(`${path}.required`, 'must be a dense array of property names');
  for (const [index, name] of (names ?? []).entries()) {
    const where = memberPath(`${path}.required`, index);
    if (typeof name !== 'string') report(where, `must be a property name, received ${received(name)}`);
    else if (properties?.has(name) !== true) report(where, `names "${name}", which is not in "properties"`);
  }
}
