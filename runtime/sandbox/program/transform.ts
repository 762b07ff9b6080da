import { createRequire } from 'node:module';
import { parseJavaScript } from './parse.js';
import { type SourceMap, sourceMapOf } from './source-map.js';
import { nodeAt, nodesAt, type TreeNode } from './tree.js';

const WRAPPER = '(async function(){';
const WRAPPER_END = '\n})';

/** A body rewritten in plain JavaScript, or the place where it could not be. */
export type Transformed =
  | {
      readonly ok: true;
      /** What stands between the braces of the wrapper's function. */
      readonly text: string;
      /** The text's position for one of the body, both from 1; its first line is the rest of the line with the brace. */
      original(line: number, column: number): { readonly line: number; readonly column: number } | undefined;
    }
  | { readonly ok: false; readonly reason: string; readonly line: number; readonly column: number };

/**
 * Rewrites a body that holds more than erasable types: `enum`, `namespace`, parameter properties, casts that hold operators
 * together. The compiler is loaded on first use.
 */
export const transformBody = (text: string): Transformed => {
  let code: string;
  let map: SourceMap;
  try {
    const done = compiler()(`${WRAPPER}${text}${WRAPPER_END}`, { mode: 'transform', sourceMap: true });
    code = done.code;
    map = sourceMapOf((JSON.parse(done.map ?? '{}') as { mappings?: string }).mappings ?? '');
  } catch (thrown) {
    return failure(thrown);
  }
  const body = bodyOf(code);
  if (!body) return { ok: false, reason: 'the program could not be compiled', line: 1, column: 1 };
  return {
    ok: true,
    text: code.slice(body.start + 1, body.end - 1),
    original(line, column) {
      const found = map.original(line - 1, column - 1 + (line === 1 ? body.start + 1 : 0));
      if (!found) return undefined;
      const shift = found.line === 0 ? WRAPPER.length : 0;
      return { line: found.line + 1, column: Math.max(1, found.column - shift + 1) };
    },
  };
};

/** The block of the one function that the compiler was given; nothing else may stand beside it. */
const bodyOf = (code: string): TreeNode | undefined => {
  const parsed = parseJavaScript(code);
  if (!parsed.ok) return undefined;
  const statements = nodesAt(parsed.program, 'body');
  const called = statements.length === 1 ? nodeAt(statements[0]!, 'expression') : undefined;
  return called?.type === 'FunctionExpression' ? nodeAt(called, 'body') : undefined;
};

type Compile = (
  source: string,
  options: { mode: 'transform'; sourceMap: true },
) => { readonly code: string; readonly map?: string };

let loaded: Compile | undefined;

const MODULE = '@swc/wasm-typescript';

const compiler = (): Compile => {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  // A compiler that trapped is in an unknown state: the next one is loaded anew.
  delete require.cache[require.resolve(MODULE)];
  loaded = (require(MODULE) as { transformSync: Compile }).transformSync;
  return loaded;
};

const failure = (thrown: unknown): Transformed => {
  const said = thrown as {
    code?: unknown;
    message?: unknown;
    startLine?: unknown;
    startColumn?: unknown;
  } | null;
  if (typeof said === 'object' && said !== null && typeof said.startLine === 'number') {
    const column = typeof said.startColumn === 'number' ? said.startColumn : 0;
    const shift = said.startLine === 1 ? WRAPPER.length : 0;
    return {
      ok: false,
      reason: String(said.message).replace(/\.$/, ''),
      line: said.startLine,
      column: Math.max(1, column - shift + 1),
    };
  }
  loaded = undefined;
  return { ok: false, reason: 'the program is nested too deeply to be compiled', line: 1, column: 1 };
};
