import vm from 'node:vm';
import { getQuickJS } from 'quickjs-emscripten';
import { describe, expect, it } from 'vitest';
import { hintFor } from '#dist/runtime/sandbox/program/hints.js';

const namespaces = [{ global: 'tools', members: ['add', 'echo', 'get_user', 'list', 'my-tool', 'x'] }];

const PRELUDE = 'const tools = { list: async () => [], x: async () => ({ n: 1 }) }; const sdk = tools;';

const ALL =
  'Call the tools that exist: tools.add, tools.echo, tools.get_user, tools.list, tools["my-tool"] and 1 more.';

/** What each engine says of a program that fails, without a word of ours. */
const errors = async (source: string): Promise<{ name: string; message: string }[]> => {
  const code = `(() => { ${PRELUDE} return (async () => { 'use strict';\n${source}\n})().catch((e) => [e.name, e.message]) })()`;
  const context = vm.createContext({});
  const [name, message] = await vm.runInContext(code, context);
  const engine = (await getQuickJS()).newContext();
  const run = engine.unwrapResult(engine.evalCode(code));
  const settling = engine.resolvePromise(run);
  engine.runtime.executePendingJobs();
  const settled = engine.unwrapResult(await settling);
  const [quickName, quickMessage] = engine.dump(settled);
  return [
    { name, message },
    { name: quickName, message: quickMessage },
  ];
};

const hintsOf = async (source: string): Promise<(string | undefined)[]> =>
  (await errors(source)).map((error) =>
    hintFor({ ...error, source, namespaces, position: { line: 1, column: 1 } }),
  );

type Case = readonly [id: string, source: string, hint: string | undefined];

const CASES: readonly Case[] = [
  ['W6', 'await functions.add({ a: 1 })', 'Call tools as `tools.add(…)`.'],
  ['W6', 'await mcp.getUser({})', 'Call tools as `tools.get_user(…)`.'],
  ['W6', 'await api.unheardOf({})', 'Call tools as `tools.add(…)`.'],
  ['W6', 'await list({ n: 1 })', 'Call tools as `tools.list(…)`.'],
  ['W6', 'await getUser({ n: 1 })', 'Call tools as `tools.get_user(…)`.'],
  ['W6', 'await Tools.add({})', 'Call tools as `tools.add(…)`.'],
  ['W6', 'await tools({})', 'Call tools as `tools.add(…)`.'],
  ['W6', 'await callTool("get_user", { id: 1 })', 'Call tools as `tools.get_user(…)`.'],
  ['W6', 'await call_tool("my-tool")', 'Call tools as `tools["my-tool"](…)`.'],
  [
    'W6',
    'const all = []; for (const tool of tools) all.push(tool)',
    '`Object.keys(tools)` gives the names of the tools.',
  ],
  ['W6', 'return await tools.run_code({ code: "return 1" })', `A program cannot run another one. ${ALL}`],
  ['W6', 'await tools.my-tool({ a: 1 })', 'A name with a hyphen is quoted: write `tools["my-tool"](…)`.'],
  ['W6', 'const tool = 1; return rows-tool', undefined],
  ['W6', 'const total = rows.length; return total', undefined],

  ['W4', 'const fs = require("fs")', `\`require\` is not available in this sandbox. ${ALL}`],
  ['W4', 'return process.env.HOME', `\`process\` is not available in this sandbox. ${ALL}`],
  ['W4', 'return await fetch("https://example.test")', `\`fetch\` is not available in this sandbox. ${ALL}`],
  ['W4', 'return fs.readFileSync("a")', `\`fs\` is not available in this sandbox. ${ALL}`],
  ['W4', 'ls -la /workspace && pwd', 'A TypeScript program is wanted, not a shell command.'],
  ['W10', 'return Buffer.from("a")', `\`Buffer\` is not available in this sandbox. ${ALL}`],
  [
    'W1',
    'typescript\nreturn 1',
    'Leave out the word `typescript` on the first line: the program starts with its code.',
  ],
  [
    'W7',
    'return JSON.parse({ a: 1 })',
    'Tool results are already parsed values: use them as they are, without JSON.parse.',
  ],
  [
    'W7',
    'return JSON.parse([{ a: 1 }]).length',
    'Tool results are already parsed values: use them as they are, without JSON.parse.',
  ],
  [
    'W7',
    'return JSON.parse(undefined)',
    'Tool results are already parsed values: use them as they are, without JSON.parse.',
  ],
  [
    'W7',
    'return JSON.parse("plain words")',
    'JSON.parse takes JSON text; tool results are already parsed values.',
  ],
  [
    'M30',
    'return tools.list({}).map((row) => row.id)',
    'A tool call gives a promise: write `(await tools.name(…)).property`.',
  ],
  [
    'M30',
    'const rows = tools.list({}); return rows.map((row) => row)',
    '`rows` is a promise: write `await` before the tool call that makes it.',
  ],
  [
    'M30',
    'const rows = tools.list({}); for (const row of rows) {}',
    '`rows` is a promise: write `await` before the tool call that makes it.',
  ],
  ['W10', 'print("a")', 'Write `console.log(…)`.'],
  ['W10', 'return None', 'Write `null`.'],
  ['W10', 'await sleep(100)', 'Write `await new Promise((done) => setTimeout(done, ms))`.'],
  ['M11', 'total = 1;\nreturn total', 'Declare `total` with `let` or `const`.'],
  ['M11', '$x = [1]; return $x', 'Declare `$x` with `let` or `const`.'],
  [
    'W7',
    'const r = await tools.x({}); return r.items.length',
    '`r` has another shape than the program expects: log it once with `console.log(r)`.',
  ],
  ['M30', 'throw new TypeError("of the program itself")', undefined],
];

describe('advice for an error that was not caught', () => {
  const adviceIsThatOf = async (id: string) => {
    for (const [own, source, hint] of CASES) {
      if (own === id) expect([source, await hintsOf(source)]).toEqual([source, [hint, hint]]);
    }
  };

  it('W6: an unknown namespace or a bare tool name gets the way to call tools, from both engines', () =>
    adviceIsThatOf('W6'));

  it('W4: modules, the network, files and shell commands get what there is instead, from both engines', () =>
    adviceIsThatOf('W4'));

  it('W7: JSON.parse of a value gets the advice that results are parsed, from both engines', () =>
    adviceIsThatOf('W7'));

  it('W10: a global of another place is said to be missing, by both engines', () => adviceIsThatOf('W10'));

  it('M11: a variable that nothing declares is told to be declared, by both engines', () =>
    adviceIsThatOf('M11'));

  it('W1: a language name left over from a fence is told, by both engines', () => adviceIsThatOf('W1'));

  it('M30: a forgotten await is told, by both engines', () => adviceIsThatOf('M30'));

  it('W7: a result of another shape is to be looked at, where the engine names it', async () => {
    const [v8] = await hintsOf('const r = await tools.x({}); return r.map((row) => row)');
    expect(v8).toBe('`r` has another shape than the program expects: log it once with `console.log(r)`.');
  });

  it('W10: a built-in that is newer than the engine is named', () => {
    const missing = { name: 'TypeError', source: 'return Object.groupBy([], (x) => x);', namespaces };
    const text = '`Object.groupBy` is newer than this engine: write it with what the language had before.';
    expect(hintFor({ ...missing, message: 'Object.groupBy is not a function' })).toBe(text);
    expect(hintFor({ ...missing, message: 'not a function', position: { line: 1, column: 8 } })).toBe(text);
    expect(hintFor({ ...missing, source: 'x()', message: 'not a function' })).toBe(undefined);
  });

  it('W6: a namespace that is asked to call a tool by its name is told how', () => {
    const unknown =
      'Unknown tool "call" in "tools": no name is like it, Object.keys(tools) gives those that exist';
    const of = (source: string) => hintFor({ name: 'ToolCallError', message: unknown, source, namespaces });
    expect(of('await tools.call("my-tool", {})')).toBe('Call tools as `tools["my-tool"](…)`.');
    expect(of("await tools?.call('add', {})")).toBe('Call tools as `tools.add(…)`.');
    expect(of('await tools.call("nothing", {})')).toBe(undefined);
    expect(of('await tools.call(name, {})')).toBe(undefined);
  });

  it('W7: a call of what is no function is traced to the result it is read of, where the engine names nothing', () => {
    const source = 'const r = await tools.x({});\nreturn r.content.map(f);';
    const at = (column: number) =>
      hintFor({
        name: 'TypeError',
        message: 'not a function',
        source,
        namespaces,
        position: { line: 2, column },
      });
    expect(at(21)).toBe('`r` has another shape than the program expects: log it once with `console.log(r)`.');
  });

  it('W10: a name and an iterator method that are newer than the engine are named', () => {
    const missing = { source: 'return Iterator.from([1]);', namespaces };
    expect(hintFor({ ...missing, name: 'ReferenceError', message: 'Iterator is not defined' })).toBe(
      '`Iterator` is newer than this engine: write it with what the language had before.',
    );
    const method = 'Iterators have no such method in this engine: make an array first, `[...iterator]`.';
    const source = 'return new Map().values().map((x) => x);';
    const type = { name: 'TypeError', source, namespaces, position: { line: 1, column: 27 } };
    expect(hintFor({ ...type, message: '(intermediate value).values(...).map is not a function' })).toBe(
      method,
    );
    expect(hintFor({ ...type, message: 'not a function' })).toBe(method);
  });

  it('M30: what is null or undefined is named where the text before the place says it, for both engines', () => {
    const at = (source: string, column: number, ...messages: string[]) =>
      messages.map((message) =>
        hintFor({ name: 'TypeError', message, source, namespaces, position: { line: 1, column } }),
      );
    const nulls = at(
      'return rows.map((row) => row.owner.name);',
      36,
      "Cannot read properties of null (reading 'name')",
      "cannot read property 'name' of null",
    );
    expect(nulls).toEqual(
      Array(2).fill('`row.owner` is null here: read it with `row.owner?.`, or test it first.'),
    );
    expect(at('return best[0].name;', 15, 'cannot read property of undefined')).toEqual([
      '`best[0]` is undefined here: read it with `best[0]?.`, or test it first.',
    ]);
    expect(at('return f().name;', 11, "Cannot read properties of null (reading 'name')")).toEqual([
      undefined,
    ]);
    expect(at('name', 0, "Cannot read properties of null (reading 'name')")).toEqual([undefined]);
  });

  it('W6: without any tool the advice says so', () => {
    const nothing = { source: 'functions.add()', namespaces: [] };
    expect(hintFor({ name: 'ReferenceError', message: 'functions is not defined', ...nothing })).toBe(
      'No tools are available to this program.',
    );
  });

  it('M30: no message, however long or odd, makes the advice fail', () => {
    for (const message of [
      'x'.repeat(5_000_000),
      '((((',
      '',
      '__proto__ is not defined',
      'constructor is not defined',
    ])
      for (const name of ['ReferenceError', 'TypeError', 'SyntaxError', 'RangeError', ''])
        expect(hintFor({ name, message, source: 'a\n'.repeat(1000), namespaces })).toBe(undefined);
  });
});
