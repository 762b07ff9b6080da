import type { CodeBindingFunction, CodeBindingNamespace } from '../contract/code-runtime.js';
import { received } from '../core/option-error.js';
import { injectedNameProblem, memberNamePropertyProblem } from './reserved-names.js';
import type { WireNamespace } from './wire.js';

/** One function that the guest can reach, by its indices. */
export interface BoundMember {
  readonly name: string;
  readonly call: CodeBindingFunction;
}

/** The declared bindings of a run: what the guest is told, and what its indices mean. */
export interface BindingTable {
  readonly wire: readonly WireNamespace[];
  /** By namespace index, then member index. */
  readonly members: readonly (readonly BoundMember[])[];
}

/**
 * Reads a run's bindings once and checks their names. Later changes to the records change nothing.
 *
 * @throws {TypeError} when a name cannot be injected, is used twice, or something is not what its type says
 * @example
 * bindingTable([{ global: 'tools', functions: { add: ({ a, b }) => a + b } }]).wire[0].members // ['add']
 */
export function bindingTable(bindings: readonly CodeBindingNamespace[]): BindingTable {
  if (!Array.isArray(bindings)) fail('bindings', 'an array of namespaces', bindings);
  const spaces = bindings.map(readNamespace);
  refuseTwins(spaces);
  const indices = new Map(spaces.map((space, index) => [space.global, index]));
  return {
    wire: spaces.map((space) => ({
      global: space.global,
      members: space.members.map(({ name }) => name),
      ...(space.errorClass !== undefined && { errorClass: space.errorClass }),
      argumentStyle: space.argumentStyle,
      forwards: space.forwards.map(([member, global]) => {
        const target = indices.get(global);
        if (target === undefined || global === space.global) {
          fail(`forward "${member}" of "${space.global}"`, 'the global of another namespace', global);
        }
        return [member, target] as const;
      }),
    })),
    members: spaces.map(({ members }) => members),
  };
}

interface Namespace {
  readonly global: string;
  readonly members: readonly BoundMember[];
  readonly errorClass: { readonly name: string; readonly memberNameProperty: string } | undefined;
  readonly argumentStyle: 'object' | 'list';
  readonly forwards: readonly (readonly [member: string, global: string])[];
}

function readNamespace(namespace: CodeBindingNamespace): Namespace {
  if (typeof namespace !== 'object' || namespace === null) fail('a namespace', 'an object', namespace);
  const { global, functions, errorClass, argumentStyle = 'object', forwards = {} } = namespace;
  const problem = injectedNameProblem(global);
  if (problem !== undefined) fail(`global ${JSON.stringify(global)}`, problem, global);
  if (argumentStyle !== 'object' && argumentStyle !== 'list') {
    fail(`argumentStyle of "${global}"`, '"object" or "list"', argumentStyle);
  }
  const members: BoundMember[] = [];
  const record = recordOf(functions, `functions of "${global}"`);
  for (const name of Object.keys(record)) {
    const call = record[name];
    if (typeof call !== 'function') fail(`member ${JSON.stringify(name)} of "${global}"`, 'a function', call);
    members.push({ name, call: call as CodeBindingFunction });
  }
  const forwarded = Object.entries(recordOf(forwards, `forwards of "${global}"`)).map(([member, target]) => {
    if (members.some(({ name }) => name === member)) {
      fail(`forward "${member}" of "${global}"`, 'a name that is no member', member);
    }
    if (typeof target !== 'string') fail(`forward "${member}" of "${global}"`, 'a global', target);
    return [member, target as string] as const;
  });
  return {
    global,
    members,
    errorClass: errorClass === undefined ? undefined : readErrorClass(errorClass, global),
    argumentStyle,
    forwards: forwarded,
  };
}

function readErrorClass(errorClass: NonNullable<CodeBindingNamespace['errorClass']>, global: string) {
  if (typeof errorClass !== 'object' || errorClass === null) {
    fail(`errorClass of "${global}"`, 'an object', errorClass);
  }
  const { name, memberNameProperty } = errorClass;
  const problem = injectedNameProblem(name);
  if (problem !== undefined) fail(`error class ${JSON.stringify(name)} of "${global}"`, problem, name);
  const property = memberNamePropertyProblem(memberNameProperty);
  if (property !== undefined) fail(`memberNameProperty of "${name}"`, property, memberNameProperty);
  return { name, memberNameProperty };
}

function refuseTwins(spaces: readonly Namespace[]): void {
  const seen = new Set<string>();
  for (const space of spaces) {
    for (const name of space.errorClass === undefined
      ? [space.global]
      : [space.global, space.errorClass.name]) {
      if (seen.has(name)) fail(`"${name}"`, 'a name that no other global or error class has', name);
      seen.add(name);
    }
  }
}

function recordOf(record: unknown, subject: string): Readonly<Record<string, unknown>> {
  if (typeof record !== 'object' || record === null) fail(subject, 'an object', record);
  return record as Readonly<Record<string, unknown>>;
}

function fail(subject: string, wanted: string, value: unknown): never {
  throw new TypeError(`Cannot bind ${subject}: wanted ${wanted}, received ${received(value)}`);
}
