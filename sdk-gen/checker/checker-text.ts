import type { ToolDefinition } from '../../runtime/contract/definition.js';
import { UNBOUND_NAME } from '../text/fixed-declarations.js';
import { byText, methodKey } from '../text/keys.js';
import { type PrintContext, printType } from '../text/print-type.js';
import { type ToolTree, toolTree } from '../tree/tool-tree.js';
import type { NodeId } from '../tree/type-node.js';
import { type CheckedTypes, checkedTypes } from './checked-types.js';
import { GUEST_GLOBALS } from './guest-globals.js';
import { pathsOf } from './paths.js';

/** What one `SDK_…` type of the checker's text stands for. */
export interface CheckerSubject {
  /** In words, e.g. `the arguments of tools.read_file`. */
  readonly words: string;
  /** The properties it declares, in schema order; one that may be left out ends with `?`. */
  readonly properties: readonly string[];
  /** Whether it may have others too. */
  readonly isOpen: boolean;
}

/** The text that programs are checked against. */
export interface CheckerText {
  readonly text: string;
  /** By type name. */
  readonly subjects: ReadonlyMap<string, CheckerSubject>;
  /** The names of the tools. */
  readonly tools: readonly string[];
}

/** The type of `tools`. */
export const TOOLS_TYPE = 'SDK_tools';

/** The type of `sdk`. */
const CATALOGUE_TYPE = 'SDK_catalogue';

/** The type of a call's second argument; every tool's signature names it, and nothing else. */
export const OPTIONS_TYPE = 'SDK_CallOptions';

/** A constant whose type is a promise, so that a checker can be asked what a promise is. */
export const PROMISE_MARK = 'SDK_promise';

/**
 * The second text of the same trees: what a type checker reads in place of what a model reads.
 *
 * Results without a schema are `any`; every object is a named interface, closed unless its schema says otherwise; the
 * globals of a program are declared. Total, and byte-identical for the same tools in any order.
 */
export function checkerText(tools: readonly ToolDefinition[]): CheckerText {
  const trees = tools.map(toolTree).sort((a, b) => byText(a.name, b.name));
  const writer = new Writer();
  const members = trees.filter(({ name }) => name !== UNBOUND_NAME).map((tree) => writer.member(tree));
  const { lines, subjects } = writer;
  subjects.set(OPTIONS_TYPE, {
    words: 'the options of a call',
    properties: ['timeoutMs?', 'signal?'],
    isOpen: false,
  });
  subjects.set(TOOLS_TYPE, { words: '`tools`', properties: [], isOpen: false });
  subjects.set(CATALOGUE_TYPE, { words: '`sdk`', properties: ['search', 'describe', 'call'], isOpen: false });
  const text = [
    GUEST_GLOBALS,
    `interface ${OPTIONS_TYPE} { timeoutMs?: number; signal?: AbortSignal }`,
    `type CallOptions = ${OPTIONS_TYPE};`,
    ...lines,
    `interface ${TOOLS_TYPE} {`,
    ...members,
    '}',
    `declare const tools: ${TOOLS_TYPE};`,
    `interface ${CATALOGUE_TYPE} { search(query: string): Promise<any>; describe(name: string): Promise<string>; call(name: string, args?: any, options?: ${OPTIONS_TYPE}): Promise<any> }`,
    `declare const sdk: ${CATALOGUE_TYPE};`,
    `declare const ${PROMISE_MARK}: Promise<any>;`,
  ].join('\n');
  return { text, subjects, tools: trees.map(({ name }) => name) };
}

class Writer {
  readonly lines: string[] = [];
  readonly subjects = new Map<string, CheckerSubject>();
  #count = 0;

  /** The tool's method, with the interfaces that it needs put on lines of their own. */
  member(tree: ToolTree): string {
    const types = checkedTypes(tree);
    const { arena } = types;
    const paths = pathsOf(types, tree.name);
    const byNode = new Map<NodeId, string>();
    for (const id of paths.keys()) {
      if (arena.node(id).kind === 'object') byNode.set(id, this.#fresh());
    }
    const recursive = arena.declarations.map(({ body }) => byNode.get(body) ?? this.#fresh());
    const context: PrintContext = {
      arena,
      names: { byNode, recursive },
      detail: 'none',
      written: new Set(),
    };
    for (const [id, name] of byNode) {
      const node = arena.node(id);
      const declared = node.kind === 'object' ? node.properties : [];
      const properties = declared.map(({ key, optional }) => `${key}${optional ? '?' : ''}`);
      const isOpen = node.kind === 'object' && node.index !== undefined;
      this.subjects.set(name, { words: paths.get(id)!, properties, isOpen });
      this.lines.push(`interface ${name} ${printType(id, context, true)}`);
    }
    arena.declarations.forEach(({ body }, i) => {
      if (!byNode.has(body)) this.lines.push(`type ${recursive[i]} = ${printType(body, context, true)};`);
    });
    const args = takesAnything(types) ? '{}' : printType(types.args, context);
    const result = printType(types.result, context);
    return `${methodKey(tree.name)}(args${tree.takesNothing ? '?' : ''}: ${args}, options?: ${OPTIONS_TYPE}): Promise<${result}>;`;
  }

  #fresh(): string {
    this.#count += 1;
    return `SDK_${this.#count}`;
  }
}

/** A tool that declares no parameters and does not refuse any: nothing that is passed can be misspelt. */
function takesAnything({ arena, args }: CheckedTypes): boolean {
  const node = arena.node(args);
  return node.kind === 'object' && node.properties.length === 0 && node.index === undefined;
}
