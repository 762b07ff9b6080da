import { isJsonValue } from '../core/json.js';
import { received } from '../core/option-error.js';
import { hasPlainPrototype, isDenseArray, ownStringKeys } from '../core/plain.js';
import type { JsonSchemaNode } from './json-schema.js';
import { memberPath, ROOT } from './path.js';
import { scalarMismatch } from './scalar-mismatch.js';
import {
  type ArrayNode,
  childNode,
  type ObjectNode,
  readNode,
  SchemaMisuse,
  type SubsetNode,
  type UnionNode,
} from './subset-node.js';

// One validation by a schema of the subset, with its own stack instead of recursion.
// All frames have one shape, and a value that is valid costs one frame per container: this runs for every call.

type Key = string | number | undefined;

interface Walk {
  readonly label: string;
  readonly violations: string[];
  readonly open: Frame[];
  /** The open unions. While there is one, a violation only fails its current branch. */
  readonly unions: Frame[];
}

/** A container or a union whose check has begun. */
interface Frame {
  readonly node: ObjectNode | ArrayNode | UnionNode;
  readonly value: unknown;
  readonly parent: Frame | undefined;
  /** The key in the container that holds the value; the branches of a union have none. */
  readonly key: Key;
  /** Its position among the open frames. */
  readonly depth: number;
  /** How many violations there were when it was opened. */
  readonly mark: number;
  /** Of an object: the declared properties as they were read. Of a sparse array: the indices that are there. */
  readonly slots: readonly unknown[] | undefined;
  /** How many children there are to check, and the next one. */
  readonly length: number;
  next: number;
  /** Of a union: whether the current branch failed, and how many did not. */
  failed: boolean;
  matched: number;
}

const ABSENT = Symbol('absent');
const UNREADABLE = 'wanted lossless JSON, received a value that throws when it is read';

/**
 * Checks a value by a schema of the subset.
 *
 * @param label what the value is called
 * @returns one line per mismatch
 * @throws {SchemaMisuse} when the schema cannot have been asserted
 * @example
 * walkSubset({ type: 'null' }, 1, 'value') // ['value: wanted null, received 1']
 */
export function walkSubset(schema: JsonSchemaNode, value: unknown, label: string): string[] {
  const walk: Walk = { label, violations: [], open: [], unions: [] };
  check(walk, readNode(schema), value, undefined, undefined);
  for (let frame = top(walk.open); frame !== undefined; frame = top(walk.open)) {
    try {
      step(walk, frame);
    } catch (error) {
      if (error instanceof SchemaMisuse) throw error;
      walk.violations.length = frame.mark;
      walk.open.length = frame.depth;
      fail(walk, frame.parent, frame.key, UNREADABLE);
    }
  }
  return walk.violations;
}

function top(frames: readonly Frame[]): Frame | undefined {
  return frames[frames.length - 1];
}

/** Checks a scalar at once, and opens a frame for everything that has parts. */
function check(walk: Walk, node: SubsetNode, value: unknown, parent: Frame | undefined, key: Key): void {
  if (node.kind === 'scalar') {
    const mismatch = scalarMismatch(node, value);
    if (mismatch !== undefined) fail(walk, parent, key, mismatch);
    return;
  }
  const depth = walk.open.length;
  try {
    if (node.kind === 'object') openObject(walk, node, value, parent, key);
    else if (node.kind === 'array') openArray(walk, node, value, parent, key);
    else if (node.kind === 'union') openUnion(walk, node, value, parent, key);
    else if (!isJsonValue(value)) {
      fail(walk, parent, key, `wanted lossless JSON, received ${received(value)}`);
    }
  } catch {
    walk.open.length = depth;
    fail(walk, parent, key, UNREADABLE);
  }
}

function open(
  walk: Walk,
  node: Frame['node'],
  value: unknown,
  parent: Frame | undefined,
  key: Key,
  slots: readonly unknown[] | undefined,
  length: number,
): Frame {
  const depth = walk.open.length;
  const mark = walk.violations.length;
  const frame: Frame = {
    node,
    value,
    parent,
    key,
    depth,
    mark,
    slots,
    length,
    next: 0,
    failed: true,
    matched: 0,
  };
  walk.open.push(frame);
  return frame;
}

function step(walk: Walk, frame: Frame): void {
  const { node } = frame;
  if (node.kind === 'object') stepObject(walk, frame, node);
  else if (node.kind === 'array') stepArray(walk, frame, node);
  else stepUnion(walk, frame, node);
}

function openObject(walk: Walk, node: ObjectNode, value: unknown, parent: Frame | undefined, key: Key): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(walk, parent, key, `wanted an object, received ${received(value)}`);
    return;
  }
  const record = value as { readonly [key: string]: unknown };
  const { properties } = node;
  const slots: unknown[] = [];
  for (let index = 0; index < properties.length; index += 1) {
    const name = properties[index]!.key;
    slots.push(Object.hasOwn(record, name) ? record[name] : ABSENT);
  }
  const frame = open(walk, node, value, parent, key, slots, slots.length);
  for (const name of node.required) {
    const index = node.declared.get(name);
    const slot = index !== undefined ? slots[index] : Object.hasOwn(record, name) ? true : ABSENT;
    if (slot !== ABSENT && slot !== undefined) continue;
    fail(walk, frame, name, 'is required');
    if (walk.unions.length > 0) return;
  }
}

function stepObject(walk: Walk, frame: Frame, node: ObjectNode): void {
  const slots = frame.slots!;
  while (frame.next < frame.length) {
    const index = frame.next;
    frame.next += 1;
    const slot = slots[index];
    // A slot that is `undefined` counts as absent here; the container is then not lossless.
    if (slot === ABSENT || slot === undefined) continue;
    const property = node.properties[index]!;
    check(walk, childNode(property), slot, frame, property.key);
    if (top(walk.open) !== frame) return;
  }
  const record = frame.value as { readonly [key: string]: unknown };
  const keys = Object.keys(record);
  const hasUndeclared = keys.some((name) => !node.declared.has(name));
  if (hasUndeclared && node.closed) {
    for (const name of keys) {
      if (node.declared.has(name)) continue;
      fail(walk, frame, name, 'is not a declared property');
      if (walk.unions.length > 0) return;
    }
  }
  const isLossless =
    walk.violations.length > frame.mark || isLosslessObject(node, frame, record, keys, hasUndeclared);
  walk.open.pop();
  if (!isLossless) fail(walk, frame.parent, frame.key, 'wanted an object of lossless JSON');
}

/** What the declared properties hold was found to be lossless before. */
function isLosslessObject(
  node: ObjectNode,
  frame: Frame,
  record: { readonly [key: string]: unknown },
  keys: readonly string[],
  hasUndeclared: boolean,
): boolean {
  if (!hasPlainPrototype(record) || ownStringKeys(record)?.length !== keys.length) return false;
  if (frame.slots!.includes(undefined)) return false;
  return !hasUndeclared || keys.every((name) => node.declared.has(name) || isJsonValue(record[name]));
}

function openArray(walk: Walk, node: ArrayNode, value: unknown, parent: Frame | undefined, key: Key): void {
  if (!Array.isArray(value)) {
    fail(walk, parent, key, `wanted an array, received ${received(value)}`);
    return;
  }
  // Holes are skipped by their absence from the own keys: a sparse array may be longer than any loop.
  const slots = isDenseArray(value) ? undefined : Object.keys(value).filter(isIndex).map(Number);
  open(walk, node, value, parent, key, slots, slots?.length ?? value.length);
}

function stepArray(walk: Walk, frame: Frame, { items }: ArrayNode): void {
  const list = frame.value as readonly unknown[];
  const indices = frame.slots as readonly number[] | undefined;
  if (items !== undefined) {
    const node = childNode(items);
    while (frame.next < frame.length) {
      const index = indices === undefined ? frame.next : indices[frame.next]!;
      frame.next += 1;
      check(walk, node, list[index], frame, index);
      if (top(walk.open) !== frame) return;
    }
  }
  const isLossless =
    walk.violations.length > frame.mark ||
    (indices === undefined && list.length === frame.length && (items !== undefined || isJsonValue(list)));
  walk.open.pop();
  if (!isLossless) fail(walk, frame.parent, frame.key, 'wanted a dense array of lossless JSON');
}

function openUnion(walk: Walk, node: UnionNode, value: unknown, parent: Frame | undefined, key: Key): void {
  walk.unions.push(open(walk, node, value, parent, key, undefined, node.branches.length));
}

function stepUnion(walk: Walk, frame: Frame, { branches }: UnionNode): void {
  if (!frame.failed) frame.matched += 1;
  if (frame.next < frame.length) {
    const branch = branches[frame.next]!;
    frame.next += 1;
    frame.failed = false;
    check(walk, childNode(branch), frame.value, frame, undefined);
    return;
  }
  walk.open.pop();
  walk.unions.pop();
  if (frame.matched === 1) return;
  const text = `wanted a match of exactly one of ${frame.length} alternatives, received a match of ${frame.matched}`;
  fail(walk, frame.parent, frame.key, text);
}

function fail(walk: Walk, parent: Frame | undefined, key: Key, text: string): void {
  const union = top(walk.unions);
  if (union === undefined) {
    walk.violations.push(`${pathOf(walk.label, parent, key)}: ${text}`);
    return;
  }
  union.failed = true;
  walk.open.length = union.depth + 1;
}

function pathOf(label: string, parent: Frame | undefined, key: Key): string {
  const keys: (string | number)[] = key === undefined ? [] : [key];
  for (let at = parent; at !== undefined; at = at.parent) if (at.key !== undefined) keys.push(at.key);
  return keys.reduceRight<string>(memberPath, label) || ROOT;
}

function isIndex(name: string): boolean {
  const index = Number(name);
  return String(index >>> 0) === name && index < 4_294_967_295;
}
