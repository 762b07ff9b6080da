import { afterAll, describe, expect, it } from 'vitest';
import type { TypeCheckReport } from '#dist/bridge/index.js';
import { createTypeChecker } from '#dist/bridge/index.js';
import { sandboxRuntime } from '#dist/runtime/index.js';
import { definition, prepared, programsOf, realTools } from './programs.ts';

/** Programs with one fault each, by the line on which a reader is told. */
const WRONG_LINES: ReadonlyMap<string, number> = new Map(
  [
    'W01 W02 W03 W04 W05 W06 W07 W08 W09 W10 W11 W12 W13 W14 W15 W16 W17 W18 W19 W20 W21 W22 W24 W25 W26 W27 W28 W32 W33 W34 W36 W39 W47 W48 W50 W51 W56 W57 W58 W59 W64 W65 W67 W68 W69 W70',
    'W23 W29 W30 W31 W35 W37 W38 W40 W41 W42 W43 W44 W45 W46 W49 W52 W53 W54 W55 W60 W61 W62 W63 W66',
  ].flatMap((ids, i) => ids.split(' ').map((id): [string, number] => [id, i + 1])),
);

/** Right things that look wrong to a compiler. */
const ODD_BUT_RIGHT = [
  'const cache = new Map();\nfunction load(path) { if (!cache.get(path)) cache.set(path, tools.read_text_file({ path })); return cache.get(path); }\nreturn (await load("a")).content;',
  'const name = "read_" + "file";\nreturn (await tools[name]({ path: "x" })).content;',
  'const args = {}; args.path = "x"; args.head = 2;\nreturn await tools.read_text_file(args);',
  'const o = { path: "x", sortBy: Math.random() > 0.5 ? "name" : "size" };\nreturn await tools.list_directory_with_sizes(o);',
  'let sortBy = "name"; sortBy = "size";\nreturn await tools.list_directory_with_sizes({ path: "x", sortBy });',
  'const r = await tools.read_graph({});\nreturn (r.items || r.entities || []).length;',
  'const r = await tools.get_file_info({ path: "x" });\nreturn r.size ?? r.content;',
  'try { await tools.echo({ message: "x" }); } catch (err) { return err.code ?? err.details?.reason; }',
  'return typeof tools.nothing === "function" || typeof fetch === "undefined";',
  'const t = new Date() - new Date(0);\nreturn isNaN("x") || t > 0;',
  'const out = []; let best = null;\nfor (const e of (await tools.read_graph()).entities) { out.push(e.name); if (!best || e.name > best.name) best = e; }\nreturn [out, best?.name];',
  'const m = /(?<y>\\d+)/v.exec("1");\nreturn m.groups.y + m[1];',
  'const r = await tools.read_media_file({ path: "x.png" });\nreturn r.content.map((c) => ("data" in c ? c.data : c.resource.uri));',
  'const t = await tools.browser_snapshot({});\nreturn typeof t === "string" ? t : t.map((b) => b.text).join("");',
  'interface Info { size: number }\nconst info = (await tools.get_file_info({ path: "x" })) as unknown as Info;\nreturn info.size;',
  'return await tools.echo({ message: "x" }, { signal: AbortSignal.timeout(5), timeoutMs: 1000 });',
  'const found = await sdk.search("read");\nreturn await sdk.call(found.tools[0].name, { path: "x" });',
  'const e = globalThis.process?.env ?? {};\nreturn Object.keys(e);',
  'const r = await tools.read_graph({});\nconst list = r.nodes ? r.nodes : r.entities;\nreturn list.length;',
  'const r = await tools.read_graph({});\nif (r.error) return r.error;\nreturn r.entities.length;',
  'const r = await tools.read_graph({});\nreturn Array.isArray(r.items) ? r.items : r.entities;',
  'const r = await tools.read_graph({});\nreturn r.items != null ? r.items : r.entities;',
  'const { entities, error } = await tools.read_graph({});\nif (error) throw new Error(error);\nreturn entities;',
  'const g = await tools.read_graph({});\nfor (const e of g.entities) e.score = e.observations.length;\nreturn g.entities.map((e) => e.score);',
  'const g = await tools.read_graph({});\nfor (const e of g.entities) e["label"] ??= e.name;\nreturn g.entities.map((e) => e.label);',
  'class Oops extends Error { constructor(m) { super(m); Error.captureStackTrace?.(this, Oops); } }\nreturn new Oops("x").message;',
];

/** Wrong things, each with a part of what the model is told. */
const WRONG_TEXTS: readonly (readonly [string, string])[] = [
  [
    'return (await tools.readFile({ path: "x" })).content;',
    "There is no tool 'readFile': did you mean 'read_file'",
  ],
  ['return await tools["get_sum"]({ a: 1, b: 2 });', "There is no tool 'get_sum': did you mean 'get-sum'?"],
  [
    'return await tools.get-sum({ a: 1, b: 2 });',
    'A name with a hyphen is quoted: write tools["get-sum"](…)',
  ],
  ['return await functions.read_file({ path: "x" });', "There is no 'functions' here: call tools as tools."],
  [
    'return await get_sum({ a: 1, b: 2 });',
    'There is no \'get_sum\' here: call the tool as tools["get-sum"](…)',
  ],
  [
    'const g = JSON.parse(await tools.read_graph({}));',
    'JSON.parse takes text, and the result of tools.read_graph is already a parsed value: use it as it is',
  ],
  ['return await tools.echo({});', "Property 'message' is missing in type '{}'"],
  [
    'for (const n of await tools.read_graph({})) console.log(n);',
    'The result of tools.read_graph is no list',
  ],
  [
    'return (await tools.list_directory({ path: "x" })).content.map(String);',
    'This is a text and has no \'map\': take it apart first, e.g. .split("\\n")',
  ],
  [
    'return await tools.list_directory();',
    'The arguments of tools.list_directory are missing (properties: path)',
  ],
  ['for (const tool of tools) console.log(tool);', '`tools` is no list'],
  [
    'await tools.read_multiple_files({ paths: new Map() });',
    "Type 'Map<any, any>' is no array, wanted for 'paths' of the arguments of tools.read_multiple_files",
  ],
  ['return await callTool("get-sum", {});', "There is no 'callTool' here: call tools as tools."],
  [
    'return await tools("read_graph", {});',
    '`tools` is no function: call a tool as tools.add_observations(…)',
  ],
  [
    'return await sdk.find("read");',
    "Property 'find' does not exist on `sdk` (properties: search, describe, call)",
  ],
  [
    'return await tools.list_directory_with_sizes({ path: "x", sortBy: "sizes" });',
    'Type \'"sizes"\' is not assignable to type \'"name" | "size"\'. Did you mean \'"size"\'?, wanted for',
  ],
  [
    'const edits = "x";\nreturn await tools.edit_file({ path: "x", edits });',
    "Type 'string' is not assignable to the list `edits` of the arguments of tools.edit_file (properties: oldText",
  ],
  ['print("x");', "There is no 'print' here: write `console.log(…)`"],
  [
    'return await tools.query_database({});',
    'There is no tool \'query_database\': sdk.search("words") finds those that exist',
  ],
  [
    'await tools.read_text_file({ path: "x", limit: 10 });',
    "'limit' does not exist in the arguments of tools.read_text_file (properties: path, tail?, head?)",
  ],
  [
    'await tools.edit_file({ path: "x", edits: [{ old: "a", newText: "b" }] });',
    "'old' does not exist in `edits[]` of the arguments of tools.edit_file (properties: oldText, newText)",
  ],
  [
    'await tools["get-sum"]({ a: "1", b: 2 });',
    "Type 'string' is not assignable to type 'number', wanted for 'a' of the arguments of tools[\"get-sum\"]",
  ],
  [
    'const r = await tools.read_graph({});\nreturn r.nodes;',
    "Property 'nodes' does not exist on the result of tools.read_graph (properties: entities, relations)",
  ],
  [
    'return tools.echo({ message: "x" }).toUpperCase();',
    "This is a promise and has no 'toUpperCase': await it first",
  ],
  ['const s = tools.echo({ message: "x" });\nreturn `got ${s}`;', 'A promise has no text: await it'],
  ['return "a" + tools.echo({ message: "x" });', 'A promise has no text: await it'],
  ['return JSON.stringify(tools.read_graph({}));', 'A promise has no text: await it'],
  ['if (tools["get-env"]({})) return 1;', 'A promise is always true: await it'],
  ['async function has() { return true; }\nwhile (!has()) break;', 'A promise is always true: await it'],
  [
    'await tools.write_file({ path: "x", content: tools.echo({ message: "a" }) });',
    'await the promise first',
  ],
  [
    'return require("fs");',
    "There is no 'require' here: a program has no imports, files, network or process; use the tools",
  ],
  ['return await read_file({ path: "x" });', 'call the tool as tools.read_file(…)'],
  ['const files = [1];\nreturn file.length;', "Cannot find name 'file'. Did you mean 'files'?"],
  ['return undefinedThing;', "There is no 'undefinedThing' here"],
  [
    'const a = ["x"];\nreturn a.lenght;',
    "Property 'lenght' does not exist on type 'string[]'. Did you mean 'length'?",
  ],
  ['await tools.echo({ message: "x" }, 500);', 'the options of a call (properties: timeoutMs?, signal?)'],
];

const engines = await Promise.all(
  (['isolated-vm', 'quickjs'] as const).map(async (engine) => {
    const runtime = sandboxRuntime({ engine });
    await runtime.warm();
    const { missingLibraries } = runtime;
    await runtime.dispose();
    return { engine, missingLibraries };
  }),
);

describe.each(engines)('the type check of programs over real tools, on $engine', ({ missingLibraries }) => {
  const reports: TypeCheckReport[] = [];
  const checker = createTypeChecker({ deadlineMs: 20_000, onReport: (report) => reports.push(report) });
  afterAll(() => checker.dispose());
  const check = (text: string) => checker.check(prepared(text), { tools: realTools, missingLibraries });

  it('C70: none of the right programs is refused, and all were checked', async () => {
    const programs = programsOf('right1.txt', 'right2.txt', 'right3.txt', 'right4.txt');
    const refused: string[] = [];
    reports.length = 0;
    for (const { id, text } of programs) {
      const failure = await check(text);
      if (failure !== undefined) refused.push(`${id}: ${failure.message}`);
    }
    expect(programs).toHaveLength(181);
    expect(refused).toEqual([]);
    expect(reports.filter(({ status }) => status !== 'checked')).toEqual([]);
  });

  it('C70: the wrong programs are refused, each on its line', async () => {
    const programs = programsOf('wrong.txt', 'wrong2.txt', 'wrong3.txt');
    const missed: string[] = [];
    for (const { id, text, line = WRONG_LINES.get(id) } of programs) {
      const failure = await check(text);
      if (failure?.kind !== 'type-check' || failure.position?.line !== line) missed.push(id);
    }
    expect(programs).toHaveLength(137);
    expect(missed).toEqual([]);
  });

  it.each(ODD_BUT_RIGHT)('C70: runs %j', async (text) => {
    expect(await check(text)).toBeUndefined();
  });

  it('C70: a result of several shapes may be read as each of them, and no field of none', async () => {
    const shapes = {
      oneOf: [
        {
          type: 'object',
          properties: { ok: { const: true }, temp: { type: 'number' } },
          required: ['ok', 'temp'],
        },
        {
          type: 'object',
          properties: { ok: { const: false }, why: { type: 'string' } },
          required: ['ok', 'why'],
        },
      ],
    };
    const tools = [
      ...realTools,
      definition({ name: 'weather', inputSchema: { type: 'object' }, outputSchema: shapes }),
      definition({
        name: 'rows',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'array', items: { type: 'object' } },
      }),
    ];
    const of = (text: string) => checker.check(prepared(text), { tools, missingLibraries });
    for (const text of [
      'const w = await tools.weather({});\nif (!w.ok) throw new Error(w.why);\nreturn w.temp.toFixed(1);',
      'const w = await tools.weather({});\nreturn w.ok ? w.temp : w.why;',
      'const { ok, temp, why } = await tools.weather({});\nreturn ok ? temp : why;',
      'const ws = [await tools.weather({})];\nreturn ws.filter((w) => w.ok).map((w) => w.temp);',
      'interface Row { id: number; name: string }\nconst rows: Row[] = await tools.rows({});\nreturn rows[0].name;',
    ]) {
      expect(await of(text), text).toBeUndefined();
    }
    expect((await of('const w = await tools.weather({});\nreturn w.temperature;'))?.message).toContain(
      "Property 'temperature' does not exist on the result of tools.weather. Property",
    );
    expect((await of('return (await tools.weather({})).reason;'))?.message).toContain(
      '(properties: ok, temp or ok, why)',
    );
  });

  it('C70: what only the checker refuses to read is run unchecked', async () => {
    reports.length = 0;
    expect(
      await check('<!-- count -->\nreturn (await tools.read_graph({})).entities.length;'),
    ).toBeUndefined();
    expect(reports).toMatchObject([{ status: 'not-checked', cause: 'too-complex' }]);
  });

  it.each(WRONG_TEXTS)('C70: refuses %j and says why in the names of the tools', async (text, words) => {
    const failure = await check(text);
    expect(failure?.message).toContain(words);
    expect(failure?.message).not.toContain('SDK_');
  });
});
