import type { CheckerText } from '../../sdk-gen/checker/checker-text.js';
import { OPTIONS_TYPE, PROMISE_MARK } from '../../sdk-gen/checker/checker-text.js';
import type { CheckerProcess } from './checker-process.js';
import { classify, type Verdict } from './classify.js';
import { compilerOptions } from './compiler-options.js';
import type { RawDiagnostic } from './diagnostic.js';
import type { Libraries } from './libraries.js';
import { type CheckedProgramText, intlUses, spotOf } from './places.js';
import { ProgramHabits } from './program-habits.js';
import { promiseUses } from './promise-uses.js';
import type { Surroundings } from './rewrite.js';
import { SyntaxTree, type TreeNode } from './syntax-tree.js';
import { CONFIG_FILE, PROGRAM_FILE, SDK_FILE, type VirtualFiles } from './virtual-files.js';

/** Stands in front of the program, on its first line. */
const HEAD = 'export {};async function __main() {';
const TAIL = '\n}';
/** More messages than this about one program say nothing new. */
const MOST_DIAGNOSTICS = 200;
/** Calls whose callee is looked up. */
const MOST_CALLS = 32;
/** Expressions whose type is asked for. */
const MOST_USES = 500;

const NO_INTL = 'There is no Intl in this engine: format by hand';

/** A judged message about a program. Positions count from the start of the program's text. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'ignored'>;
  readonly pos: number;
  /** Of the checker, or our own words. */
  readonly diagnostic: RawDiagnostic | undefined;
  readonly words: string | undefined;
  readonly near: Surroundings;
}

const NOWHERE: Surroundings = { name: '', callee: undefined, after: '' };

interface Snapshot {
  readonly snapshot: number;
  readonly project: string;
}

/** One program's check after another in one process. */
export class CheckerSession {
  readonly #process: CheckerProcess;
  readonly #files: VirtualFiles;
  #last: Snapshot | undefined;

  constructor(process: CheckerProcess, files: VirtualFiles) {
    this.#process = process;
    this.#files = files;
  }

  /**
   * Checks a program against declarations.
   *
   * @param libraries those of the language that the program may use
   * @returns what was found, in the order of the text.
   * @throws {Error} when the checker ends or answers something else.
   */
  async check(program: string, sdk: CheckerText, libraries: Libraries): Promise<Finding[]> {
    const text = `${HEAD}${program}${TAIL}`;
    const at = await this.#load(text, sdk.text, libraries);
    const [syntactic, semantic, source, mark] = await Promise.all([
      this.#ask<RawDiagnostic[] | null>('getSyntacticDiagnostics', at, { file: PROGRAM_FILE }),
      this.#ask<RawDiagnostic[] | null>('getSemanticDiagnostics', at, { file: PROGRAM_FILE }),
      this.#ask<{ data: string } | null>('getSourceFile', at, { file: PROGRAM_FILE }),
      this.#ask<TypeAnswer | null>('getTypeAtPosition', at, {
        file: SDK_FILE,
        position: sdk.text.lastIndexOf(PROMISE_MARK),
      }),
    ]);
    const broken = (syntactic ?? []).map((diagnostic) => finding('error', diagnostic));
    if (broken.length > 0 && HTML_COMMENT.test(program)) return broken.map(unknown);
    if (broken.length > 0 || source === null) return broken;
    const tree = new SyntaxTree(source.data, PROGRAM_FILE);
    const diagnostics = (semantic ?? []).slice(0, MOST_DIAGNOSTICS);
    const checked = { tree, text, sdk, habits: new ProgramHabits(tree, text), libraries, at };
    const judged = await this.#judge(diagnostics, checked);
    const used = mark?.target === undefined ? [] : await this.#promises(tree, text, mark.target, at);
    const absent = libraries.hasIntl ? [] : intlUses(tree, text).map((pos) => said(pos, NO_INTL));
    return [...judged, ...used, ...absent].sort((a, b) => a.pos - b.pos);
  }

  async #load(program: string, sdk: string, libraries: Libraries): Promise<Snapshot> {
    const changed = [PROGRAM_FILE];
    this.#files.set(PROGRAM_FILE, program);
    if (this.#files.set(SDK_FILE, sdk)) changed.push(SDK_FILE);
    if (this.#files.set(CONFIG_FILE, configText(libraries))) changed.push(CONFIG_FILE);
    const before = this.#last;
    if (before === undefined) await this.#process.request('initialize', null);
    const answer = (await this.#process.request(
      'updateSnapshot',
      before === undefined ? { openProjects: [CONFIG_FILE] } : { fileChanges: { changed } },
    )) as { snapshot: number; projects?: { id: string }[] };
    const project = answer.projects?.[0]?.id ?? before?.project;
    if (project === undefined) throw new Error('the checker opened no project');
    this.#last = { snapshot: answer.snapshot, project };
    if (before !== undefined)
      void this.#process.request('release', { snapshot: before.snapshot }).catch(() => {});
    return this.#last;
  }

  #ask<Answer>(method: string, { snapshot, project }: Snapshot, params: object): Promise<Answer> {
    return this.#process.request(method, { snapshot, project, ...params }) as Promise<Answer>;
  }

  async #judge(diagnostics: readonly RawDiagnostic[], checked: Checked): Promise<Finding[]> {
    const { tree, text, libraries, at } = checked;
    const spots = diagnostics.map((diagnostic) => spotOf(diagnostic, checked));
    const calls = [...new Set(spots.flatMap(({ call }) => (call === undefined ? [] : [call])))];
    const toolCalls = await this.#toolCalls(calls.slice(0, MOST_CALLS), tree, at);
    return diagnostics.flatMap((diagnostic, i): Finding[] => {
      const { place, call, callee } = spots[i]!;
      const isToolArgument = call !== undefined && toolCalls.has(call);
      const { isExact } = libraries;
      const verdict = classify(diagnostic, { ...place, isToolArgument, isExact });
      const near = { name: text.slice(diagnostic.pos, diagnostic.end), callee, after: place.after };
      return verdict === 'ignored' ? [] : [finding(verdict, diagnostic, near)];
    });
  }

  /** Of some calls, those whose callee is a tool: its type names the options of a call. */
  async #toolCalls(
    calls: readonly TreeNode[],
    tree: SyntaxTree,
    at: Snapshot,
  ): Promise<ReadonlySet<TreeNode>> {
    if (calls.length === 0) return new Set();
    const callees = calls.map((call) => tree.children(call)[0]!);
    const types = await this.#types(callees, tree, at);
    const texts = await Promise.all(
      types.map((type) => (type === null ? '' : this.#ask<string>('typeToString', at, { type: type.id }))),
    );
    return new Set(calls.filter((_, i) => texts[i]?.includes(OPTIONS_TYPE)));
  }

  async #promises(tree: SyntaxTree, text: string, promise: number, at: Snapshot): Promise<Finding[]> {
    const uses = promiseUses(tree, text).slice(0, MOST_USES);
    if (uses.length === 0) return [];
    const types = await this.#types(
      uses.map(({ node }) => node),
      tree,
      at,
    );
    return uses.flatMap(({ node, words }, i): Finding[] => {
      if (types[i]?.target !== promise) return [];
      const pos = tree.pos(node);
      const start = pos + /^\s*/.exec(text.slice(pos))![0].length;
      return [said(start, words)];
    });
  }

  #types(nodes: readonly TreeNode[], tree: SyntaxTree, at: Snapshot): Promise<(TypeAnswer | null)[]> {
    return this.#ask('getTypeAtLocations', at, { locations: nodes.map((node) => tree.handle(node)) });
  }
}

const configText = ({ names }: Libraries): string =>
  JSON.stringify({ compilerOptions: compilerOptions(names), files: [SDK_FILE, PROGRAM_FILE] });

interface TypeAnswer {
  readonly id: number;
  /** The generic type that this one is made of. */
  readonly target?: number;
}

/** What the judgement of a program's diagnostics is made from. */
interface Checked extends CheckedProgramText {
  readonly libraries: Libraries;
  readonly at: Snapshot;
}

function said(pos: number, words: string): Finding {
  return { verdict: 'error', pos: pos - HEAD.length, diagnostic: undefined, words, near: NOWHERE };
}

/** The engines take these comments, the checker does not. */
const HTML_COMMENT = /<!--|^\s*-->/m;

const unknown = (found: Finding): Finding => ({ ...found, verdict: 'unchecked' });

function finding(
  verdict: Exclude<Verdict, 'ignored'>,
  diagnostic: RawDiagnostic,
  near: Surroundings = NOWHERE,
): Finding {
  return { verdict, pos: diagnostic.pos - HEAD.length, diagnostic, words: undefined, near };
}
