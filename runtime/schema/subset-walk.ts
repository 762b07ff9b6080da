import { isJsonValue } from '../core/json.js';
import { received } from '../core/option-error.js';
import { hasPlainPrototype, isDenseArray, ownStringKeys } from '../core/plain.js';
import type { JsonSchemaNode } from './json-schema.js';
import { memberPath } from './path.js';
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

/** Where a value sits: the frame of its container and its key there. Branches of a union have no key. */
interface Place {
  readonly parent: Frame | undefined;
  readonly key: string | number | undefined;
}

interface Opened extends Place {
  /** Its position among the open frames. */
  readonly depth: number;
  /** How many violations there were when it was opened. */
  readonly mark: number;
  next: number;
}

interface ObjectFrame extends Opened {
  readonly node: ObjectNode;
  readonly value: object;
  /** Declared properties as they were read, {@link ABSENT} where there is none. */
  readonly slots: readonly unknown[];
}

interface ArrayFrame extends Opened {
  readonly node: ArrayNode;
  readonly value: readonly unknown[];
  /** The indices that are there; `undefined` when all are. */
  readonly indices: readonly number[] | undefined;
  readonly length: number;
}

interface UnionFrame extends Opened {
  readonly node: UnionNode;
  readonly value: unknown;
  matched: number;
  failed: boolean;
}

type Frame = ObjectFrame | ArrayFrame | UnionFrame;

const ABSENT = Symbol('absent');
const UNREADABLE = 'wanted lossless JSON, received a value that throws when it is read';

/** One validation by a schema of the subset, with its own stack instead of recursion. */
export class SubsetWalk {
  readonly #label: string;
  readonly #violations: string[] = [];
  readonly #open: Frame[] = [];
  /** The open unions. While there is one, a violation only fails its current branch. */
  readonly #unions: UnionFrame[] = [];

  constructor(label: string) {
    this.#label = label;
  }

  run(schema: JsonSchemaNode, value: unknown): string[] {
    this.#check(readNode(schema), value, undefined, undefined);
    for (let frame = this.#open.at(-1); frame !== undefined; frame = this.#open.at(-1)) {
      try {
        this.#step(frame);
      } catch (error) {
        if (error instanceof SchemaMisuse) throw error;
        this.#violations.length = frame.mark;
        this.#open.length = frame.depth;
        this.#fail(frame.parent, frame.key, UNREADABLE);
      }
    }
    return this.#violations;
  }

  #check(
    node: SubsetNode,
    value: unknown,
    parent: Frame | undefined,
    key: string | number | undefined,
  ): void {
    if (node.kind === 'scalar') {
      const mismatch = scalarMismatch(node, value);
      if (mismatch !== undefined) this.#fail(parent, key, mismatch);
      return;
    }
    try {
      if (node.kind === 'object') this.#openObject(node, value, parent, key);
      else if (node.kind === 'array') this.#openArray(node, value, parent, key);
      else if (node.kind === 'union') this.#openUnion(node, value, parent, key);
      else if (!isJsonValue(value)) {
        this.#fail(parent, key, `wanted lossless JSON, received ${received(value)}`);
      }
    } catch {
      this.#fail(parent, key, UNREADABLE);
    }
  }

  #step(frame: Frame): void {
    if ('slots' in frame) this.#stepObject(frame);
    else if ('indices' in frame) this.#stepArray(frame);
    else this.#stepUnion(frame);
  }

  #openObject(node: ObjectNode, value: unknown, parent: Frame | undefined, key: Place['key']): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#fail(parent, key, `wanted an object, received ${received(value)}`);
      return;
    }
    const slots: unknown[] = [];
    for (const { key: name } of node.properties) {
      slots.push(Object.hasOwn(value, name) ? (value as { [key: string]: unknown })[name] : ABSENT);
    }
    const frame: ObjectFrame = { ...this.#opened(parent, key), node, value, slots };
    for (const name of node.required) {
      const index = node.declared.get(name);
      const slot = index !== undefined ? slots[index] : Object.hasOwn(value, name) ? true : ABSENT;
      if (slot !== ABSENT && slot !== undefined) continue;
      this.#fail(frame, name, 'is required');
      if (this.#unions.length > 0) return;
    }
    this.#open.push(frame);
  }

  #stepObject(frame: ObjectFrame): void {
    const { node, slots } = frame;
    while (frame.next < slots.length) {
      const index = frame.next;
      frame.next += 1;
      const slot = slots[index];
      // A slot that is `undefined` counts as absent here; the container is then not lossless.
      if (slot === ABSENT || slot === undefined) continue;
      const property = node.properties[index]!;
      this.#check(childNode(property), slot, frame, property.key);
      if (this.#open.at(-1) !== frame) return;
    }
    this.#open.pop();
    const keys = Object.keys(frame.value);
    const undeclared = keys.filter((name) => !node.declared.has(name));
    if (node.closed) {
      for (const name of undeclared) {
        this.#fail(frame, name, 'is not a declared property');
        if (this.#unions.length > 0) return;
      }
    }
    if (this.#violations.length > frame.mark) return;
    const isLossless =
      hasPlainPrototype(frame.value) &&
      ownStringKeys(frame.value)?.length === keys.length &&
      !slots.includes(undefined) &&
      undeclared.every((name) => isJsonValue((frame.value as { [key: string]: unknown })[name]));
    if (!isLossless) this.#fail(frame.parent, frame.key, 'wanted an object of lossless JSON');
  }

  #openArray(node: ArrayNode, value: unknown, parent: Frame | undefined, key: Place['key']): void {
    if (!Array.isArray(value)) {
      this.#fail(parent, key, `wanted an array, received ${received(value)}`);
      return;
    }
    const list: readonly unknown[] = value;
    // Holes are skipped by their absence from the own keys: a sparse array may be longer than any loop.
    const indices = isDenseArray(list) ? undefined : Object.keys(list).filter(isIndex).map(Number);
    const length = indices?.length ?? list.length;
    this.#open.push({ ...this.#opened(parent, key), node, value: list, indices, length });
  }

  #stepArray(frame: ArrayFrame): void {
    const { indices, value, length } = frame;
    const { items } = frame.node;
    if (items !== undefined) {
      const node = childNode(items);
      while (frame.next < length) {
        const index = indices?.[frame.next] ?? frame.next;
        frame.next += 1;
        this.#check(node, value[index], frame, index);
        if (this.#open.at(-1) !== frame) return;
      }
    }
    this.#open.pop();
    if (this.#violations.length > frame.mark) return;
    const isLossless =
      indices === undefined && value.length === length && (items !== undefined || isJsonValue(value));
    if (!isLossless) this.#fail(frame.parent, frame.key, 'wanted a dense array of lossless JSON');
  }

  #openUnion(node: UnionNode, value: unknown, parent: Frame | undefined, key: Place['key']): void {
    const frame = { ...this.#opened(parent, key), node, value, matched: 0, failed: true };
    this.#open.push(frame);
    this.#unions.push(frame);
  }

  #stepUnion(frame: UnionFrame): void {
    const { branches } = frame.node;
    if (!frame.failed) frame.matched += 1;
    if (frame.next < branches.length) {
      const branch = branches[frame.next]!;
      frame.next += 1;
      frame.failed = false;
      this.#check(childNode(branch), frame.value, frame, undefined);
      return;
    }
    this.#open.pop();
    this.#unions.pop();
    if (frame.matched === 1) return;
    const text = `wanted a match of exactly one of ${branches.length} alternatives, received a match of ${frame.matched}`;
    this.#fail(frame.parent, frame.key, text);
  }

  #opened(parent: Frame | undefined, key: Place['key']): Opened {
    return { parent, key, depth: this.#open.length, mark: this.#violations.length, next: 0 };
  }

  #fail(parent: Frame | undefined, key: Place['key'], text: string): void {
    const union = this.#unions.at(-1);
    if (union === undefined) {
      this.#violations.push(`${this.#path({ parent, key })}: ${text}`);
      return;
    }
    union.failed = true;
    this.#open.length = union.depth + 1;
  }

  #path(place: Place): string {
    const keys: (string | number)[] = [];
    for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
      if (at.key !== undefined) keys.push(at.key);
    }
    const path = keys.reduceRight<string>(memberPath, this.#label);
    return path === '' ? 'arguments' : path;
  }
}

function isIndex(name: string): boolean {
  const index = Number(name);
  return String(index >>> 0) === name && index < 4_294_967_295;
}
