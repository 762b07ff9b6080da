import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { type ParserOptions, parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { guestSources } from '#dist/runtime/sandbox/guest/guest-sources.js';
import { engineKinds, preludeSource, rareGlobals } from '#dist/runtime/sandbox/guest/prelude.js';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Every node of a text, with the nodes around it. */
function* nodesOf(node: unknown, around: readonly Node[] = []): Generator<[Node, readonly Node[]]> {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) yield* nodesOf(item, around);
    return;
  }
  if (typeof (node as Node).type === 'string') {
    yield [node as Node, around];
    around = [...around, node as Node];
  }
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'loc' && key !== 'tokens') yield* nodesOf(value, around);
  }
}

const parsed = (source: string, options: ParserOptions = {}) =>
  parse(`(${source})`, { sourceType: 'script', ...options }).program as unknown as Node;

/** Functions that run before the program does, or that iterate what the program hands them because the web does. */
const MAY_ITERATE = /^(?:captureKit|take|members|installRareGlobals|any|constructor)$/;

const nameOf = (node: Node): string =>
  String(
    (node['id'] as { name?: string } | null)?.name ?? (node['key'] as { name?: string } | null)?.name ?? '',
  );

describe('the text that is sent to a guest', () => {
  const sources = [...guestSources()];

  // As a sandbox process has them.
  const code = readFileSync('dist/runtime/sandbox/process/peer.js', 'utf8');
  const literal = /^const texts = (\{.*?^\});$/ms.exec(code)?.[1] ?? '{}';
  const sent = { ...runInNewContext(`(${literal})`) } as Record<string, string>;

  it('W10: the eager prelude stays below 12 KB', () => {
    const preludes = Object.entries(sent).filter(([name]) => name.startsWith('prelude:'));
    expect(preludes).toHaveLength(engineKinds.length);
    for (const [, text] of preludes) expect(Buffer.byteLength(text)).toBeLessThan(12 * 1024);
  });

  it('a process has every text as the build shrinks it, and nothing that it was taken from', () => {
    // In a process of its own: this one rewrites what it loads.
    const script = `Promise.all([import('./build/runtime/sandbox/guest/guest-sources.js'), import('./scripts/shrink-guest.js')])
      .then(([{ guestSources }, { shrinkGuest }]) => console.log(JSON.stringify(shrinkGuest(guestSources()))))`;
    const shrunk = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', maxBuffer: 10 * 1024 * 1024 }),
    ) as Record<string, string>;
    expect(sent).toEqual(shrunk);
    expect(Object.keys(sent)).toEqual(sources.map(([name]) => name));
    for (const [name, source] of sources) expect(sent[name]!.length).toBeLessThan(source.length);
    expect(code).not.toMatch(/captureKit|inspectPart/);
  });

  it.each(sources)('%s names nothing but its own and what a fresh world has', (_name, source) => {
    const free = new Set<string>();
    const bound = new Set<string>();
    for (const [node, around] of nodesOf(parsed(source))) {
      if (node.type !== 'Identifier') continue;
      const parent = around.at(-1)!;
      const isKey = (parent['key'] === node || parent['property'] === node) && parent['computed'] !== true;
      if (isKey && !(parent['shorthand'] === true)) continue;
      const binds =
        /Function|Class|Method|VariableDeclarator|Pattern|CatchClause|RestElement/.test(parent.type) &&
        parent['init'] !== node &&
        parent['body'] !== node;
      const inPattern = around.some((outer) => outer.type === 'ObjectPattern') && parent['value'] === node;
      (binds || inPattern ? bound : free).add(node['name'] as string);
    }
    const unknown = [...free].filter(
      (name) => !bound.has(name) && !(name in globalThis) && name !== 'arguments',
    );
    expect(unknown).toEqual([]);
  });

  it.each(sources)(
    'M51: %s uses nothing of the language that looks up what a program can replace',
    (_name, source) => {
      const found: string[] = [];
      for (const [node, around] of nodesOf(parsed(source))) {
        const inside = around.map(nameOf);
        const text = () => `${node.type}: ${source.slice(node.start - 1, node.end - 1).slice(0, 60)}`;
        const iterates =
          node.type === 'ForOfStatement' || node.type === 'ArrayPattern' || node.type === 'SpreadElement';
        if (iterates && !inside.some((name) => MAY_ITERATE.test(name))) found.push(text());
        // One engine calls String.prototype.concat for a template, a regular expression runs methods of its prototype.
        if (node.type === 'TemplateLiteral' && !inside.includes('captureKit')) found.push(text());
        if (node.type === 'RegExpLiteral' || node['operator'] === 'instanceof') found.push(text());
      }
      expect(found).toEqual([]);
    },
  );

  it('the prelude uses globals only where it takes them, before the program runs', () => {
    for (const kind of engineKinds) {
      const used = new Set<string>();
      for (const [node, around] of nodesOf(parsed(preludeSource(kind)))) {
        const parent = around.at(-1);
        if (node.type !== 'MemberExpression' || parent === undefined) continue;
        const object = node['object'] as Node;
        const isGlobal =
          object.type === 'Identifier' &&
          /^[A-Z]/.test(String(object['name'])) &&
          String(object['name']) in globalThis;
        if (isGlobal && !around.some((outer) => nameOf(outer) === 'captureKit'))
          used.add(String(object['name']));
      }
      // Locals of these names are the kit's: they were taken out of it.
      expect([...used].filter((name) => name !== 'Error')).toEqual([]);
    }
  });

  it('files whose functions are sent import types only', () => {
    const folder = 'build/runtime/sandbox/guest';
    const host = [
      'guest-sources',
      'guest-texts',
      'parts',
      'prelude',
      'trimmed',
      'url-fields',
      'run-types',
      'call-table-types',
    ];
    const files = [
      ...readdirSync(folder),
      ...readdirSync(`${folder}/parts`).map((file) => `parts/${file}`),
    ].filter((file) => file.endsWith('.js') && !host.includes(file.replace(/\.js$/, '')));
    expect(files.length).toBeGreaterThan(25);
    for (const file of files) {
      const program = parse(readFileSync(`${folder}/${file}`, 'utf8'), { sourceType: 'module' }).program;
      const kinds = program.body.map(({ type }) => type);
      expect([file, kinds.filter((type) => type !== 'ExportNamedDeclaration')]).toEqual([file, []]);
      const declared = program.body.map(
        (statement) => (statement as unknown as { declaration: Node | null }).declaration?.type ?? 'types',
      );
      expect([file, declared.filter((type) => type !== 'FunctionDeclaration' && type !== 'types')]).toEqual([
        file,
        [],
      ]);
    }
  });

  it('the globals that are built on first access are these', () => {
    expect(rareGlobals).toEqual([
      'setTimeout',
      'setInterval',
      'clearTimeout',
      'clearInterval',
      'queueMicrotask',
      'AbortController',
      'AbortSignal',
      'TextEncoder',
      'TextDecoder',
      'atob',
      'btoa',
      'structuredClone',
      'URL',
      'URLSearchParams',
      'performance',
      'crypto',
    ]);
  });
});
