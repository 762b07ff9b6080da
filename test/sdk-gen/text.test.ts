import { describe, expect, it } from 'vitest';
import { directCallRule, sdkInstructions, sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf, typeErrors } from './compiler.ts';
import { realTools, serverTools, tool } from './tools.ts';

const small = [
  tool({
    name: 'search-orders',
    description: 'Finds  orders.\n Only the last year is kept.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Words to look for.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      required: ['text'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        orders: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              status: { enum: ['open', 'late', null] },
              total: { type: 'number' },
            },
            required: ['id', 'status', 'total'],
          },
        },
      },
      required: ['orders'],
    },
  }),
  tool({
    name: 'get_order',
    description: 'Reads one order.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        status: { enum: ['open', 'late', null] },
        total: { type: 'number' },
      },
      required: ['id', 'status', 'total'],
      additionalProperties: false,
    },
  }),
  tool({ name: 'now', description: ' ' }),
];

describe('the SDK section', () => {
  it('C10, C11, C13: the text of a small tool set, verbatim', () => {
    expect(sdkText(small).text).toMatchInlineSnapshot(`
      "## Programs for \`run_code\`

      \`code\` is the body of an async function: \`await\` and \`return\` work at the top. Write TypeScript or JavaScript (ES2023); prefer erasable syntax (no enum, namespace, parameter properties, decorators). Types are erased: nothing checks them at run time. There are no imports, files, network or process; what you need is in \`tools\`.

      - Call a tool with one object: \`await tools.name(args)\`. A name that is no identifier is quoted: \`await tools["my-tool"](args)\`. A declaration does not make the name callable by itself: write \`tools.\` before it.
      - A call resolves to the tool's typed result, already parsed JSON. \`JsonValue\` means that the tool does not say what it returns: look at one result before you rely on its shape. Arguments must be lossless JSON: no Map, Set, bigint, NaN, function or cycle.
      - A failed call rejects with a ToolCallError (\`toolName\`, \`message\`, perhaps \`code\`). Catch it if the program can go on.
      - Await every call. Independent read-only calls overlap under \`Promise.all\`; calls that change something run alone, in the order in which they were made.
      - Only the returned value and \`console\` output come back to you, so return what you need and not more. Images in results are attached after the run.
      - A call takes \`{ timeoutMs?, signal? }\` as an optional second argument.

      Example, with invented tools:

          const ids = ["a1", "b2", "c3"];
          const orders = await Promise.all(ids.map((id) => tools.get_order({ id })));
          const late = orders.filter((order) => order.status === "late");
          try {
            await tools["send-mail"]({ to: "ops@example.com", text: \`\${late.length} late\` }, { timeoutMs: 5000 });
          } catch (error) {
            console.log("not sent:", error.message);
          }
          return late.map(({ id, due }) => ({ id, due }));

      The tools that exist:

      \`\`\`ts
      type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
      type TOrder = { id: string; status: "open" | "late" | null; total: number };
      declare class ToolCallError extends Error { readonly name: "ToolCallError"; readonly toolName: string; readonly code?: string }
      declare const tools: {
      /** Reads one order. */
      get_order(args: { id: string }, options?: CallOptions): Promise<TOrder>;
      now(args?: {}, options?: CallOptions): Promise<JsonValue>;
      /** Finds orders. Only the last year is kept. */
      "search-orders"(args: { /** Words to look for */ text: string; /** integer 1..100; default 20 */ limit?: number }, options?: CallOptions): Promise<{ orders: TOrder[] }>;
      };
      interface CallOptions { timeoutMs?: number; signal?: AbortSignal }
      \`\`\`"
    `);
    expect(sdkText(small)).toMatchObject({ complete: true, shown: 3, total: 3 });
  });

  it('C11: the text is the same for every order of the tools and across assemblies', () => {
    const text = sdkText(realTools).text;
    expect(sdkText([...realTools].reverse()).text).toBe(text);
    const again = Object.values(serverTools).flat().map(tool);
    expect(sdkText(again).text).toBe(text);
    expect(sdkText(again.slice(30).concat(again.slice(0, 30))).text).toBe(text);
  });

  it('C11: names are in plain string order, and equal names keep theirs', () => {
    const names = ['b', 'a', 'B', 'ab', 'a-b', 'ä', 'a'];
    const text = declarationsOf(
      sdkText(names.map((name, i) => tool({ name, description: `tool ${i}` }))).text,
    );
    const found = [...text.matchAll(/\/\*\* tool (\d) \*\/\n("?)(.*?)\2\(/g)].map((match) => [
      match[3],
      match[1],
    ]);
    expect(found).toEqual([
      ['B', '2'],
      ['a', '1'],
      ['a', '6'],
      ['a-b', '4'],
      ['ab', '3'],
      ['b', '0'],
      ['ä', '5'],
    ]);
  });

  it('C12: without tools there is an empty declaration and a sentence that says so', () => {
    const { text, complete } = sdkText([]);
    expect(text).toContain('declare const tools: {};');
    expect(text).toContain('There are no tools at the moment.');
    expect(complete).toBe(true);
  });

  it('C13: a type that several tools share is declared once', () => {
    const outputSchema = {
      type: 'object',
      properties: {
        rows: { type: 'array', items: { type: 'string' } },
        cursor: { type: ['string', 'null'] },
      },
      required: ['rows'],
    };
    const text = declarationsOf(sdkText(['a', 'b', 'c'].map((name) => tool({ name, outputSchema }))).text);
    expect(text).toContain('type TRowsCursor = { rows: string[]; cursor?: string | null };');
    expect(text.match(/Promise<TRowsCursor>/g)).toHaveLength(3);
  });

  it('C11, C13: types that want the same name get numbers, and no number is given twice', () => {
    const titled = (title: string, field: string) =>
      tool({
        name: `tool_${field}`,
        inputSchema: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/it' } },
          $defs: {
            it: {
              type: 'object',
              title,
              properties: { [field]: { type: 'string' }, next: { $ref: '#/$defs/it' } },
            },
          },
        },
      });
    const titles = ['it', 'it', 'it 2', 'it', 'it 3', 'it'].map((title, i) => titled(title, `f${i}`));
    const { text } = sdkText(titles);
    const names = [...text.matchAll(/^type (T\w+) =/gm)].map((match) => match[1]);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toHaveLength(6);
    expect(typeErrors({ 'text.ts': `export {};\n${declarationsOf(text)}` })).toEqual({});
  });

  it('C13: a property comment that repeats is written once, its bounds each time', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1, description: 'The page to give. Pages begin at one.' },
      },
    };
    const text = sdkText([
      tool({ name: 'a', inputSchema }),
      tool({ name: 'b', inputSchema: { ...inputSchema, required: ['page'] } }),
    ]).text;
    expect(text).toContain(
      'a(args?: { /** The page to give. Pages begin at one (integer >=1) */ page?: number }',
    );
    expect(text).toContain('b(args: { /** integer >=1 */ page: number }');
  });

  it('C13: brief text keeps the first sentence and those that bind', () => {
    const description =
      'Writes a file. It is fast. You must own it. Nothing else. Never write to /etc. DEPRECATED in v2.';
    const text = sdkText([tool({ name: 'a', description })], { detail: 'brief' }).text;
    expect(text).toContain('/** Writes a file. You must own it. Never write to /etc. DEPRECATED in v2. */');
    expect(sdkText([tool({ name: 'a', description })], { detail: 'signatures' }).text).not.toContain('/**');
  });

  it('C14: keys are bare where they are identifiers, else quoted, and never renamed', () => {
    const keys = ['my-mcp.tool', 'a_1$', '1a', 'größe', 'class', '__proto__', ''];
    const inputSchema = {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, {}])),
      required: keys,
    };
    const text = sdkText([...keys.map((name) => tool({ name })), tool({ name: 'all', inputSchema })]).text;
    for (const key of ['"my-mcp.tool"', 'a_1$', '"1a"', '"größe"', 'class', '__proto__', '""']) {
      expect(text).toContain(`\n${key}(args?: {}`);
      expect(text).toMatch(new RegExp(`[{;] ${key.replace(/[$.]/g, '\\$&')}: JsonValue`));
    }
  });

  it('C14: a tool may be called like any reserved word', () => {
    const words =
      'await async break case class const constructor continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let new null of package private protected public readonly return satisfies set static super switch symbol this throw true try type typeof undefined unique using var void while with yield'.split(
        ' ',
      );
    const text = declarationsOf(
      sdkText(words.map((name) => tool({ name, outputSchema: { type: 'string' } }))).text,
    );
    const calls = words.map(
      (name) => `const _${name}: Promise<string> = tools[${JSON.stringify(name)}]({});`,
    );
    expect(typeErrors({ 'words.ts': `export {};\n${text}\n${calls.join('\n')}` })).toEqual({});
  });

  it('C15, E93: a comment is one line and cannot be closed from inside', () => {
    const description = '  one\r\n\ttwo */ three\u2028four **/ ';
    const inputSchema = { type: 'object', properties: { a: { description: 'x */ y' } } };
    const text = sdkText([tool({ name: 'a', description, inputSchema })]).text;
    expect(text).toContain(
      '/** one two *\\/ three four **\\/ */\na(args?: { /** x *\\/ y */ a?: JsonValue }',
    );
    expect(typeErrors({ 'text.ts': `export {};\n${declarationsOf(text)}` })).toEqual({});
  });

  it.each([[undefined], [''], [' \n\t'], [42], [null], [{ a: 1 }]])(
    'C15: the description %j makes no comment',
    (description) => {
      expect(sdkText([tool({ name: 'a', description: description as string })]).text).toContain(
        '{\na(args?: {}',
      );
    },
  );

  it('E92, C10: braces and dollar signs in a description stay as they are', () => {
    const description = 'Fill {{name}} and ${value} and {0} and $& in.';
    expect(sdkText([tool({ name: 'a', description })]).text).toContain(`/** ${description} */`);
  });

  it('C21: no input is changed', () => {
    const before = JSON.stringify(serverTools);
    sdkText(realTools, { tokenBudget: 3000, detail: 'brief' });
    expect(JSON.stringify(serverTools)).toBe(before);
  });

  it('C23: the instructions say how programs are written', () => {
    const text = sdkInstructions();
    for (const said of [
      'body of an async function',
      'prefer erasable syntax',
      'nothing checks them at run time',
      'await tools.name(args)',
      'await tools["my-tool"](args)',
      'already parsed JSON',
      'must be lossless JSON',
      'rejects with a ToolCallError (`toolName`, `message`',
      'Catch it',
      'read-only calls overlap under `Promise.all`',
      'run alone, in the order in which they were made',
      'Only the returned value and `console` output',
      'Images in results are attached after the run',
      'A declaration does not make the name callable by itself',
      '`{ timeoutMs?, signal? }` as an optional second argument',
      'ES2023',
    ]) {
      expect(text).toContain(said);
    }
    expect(sdkInstructions('ES2025')).toContain('ES2025');
    expect(sdkText([], { languageLevel: 'ES2020' }).text).toContain('(ES2020)');
  });

  it('C9: the rule that only run_code is callable is one short paragraph', () => {
    expect(directCallRule).toBe(
      'Only `run_code` can be called directly. Every other tool in this prompt is reached from the program you pass to `run_code`, as `await tools.name(args)`.',
    );
  });

  it('C23: programs written after the text alone type-check', () => {
    const text = declarationsOf(sdkText(realTools).text);
    const programs = [
      `const names = ["a.md", "b.md"];
       const texts = await Promise.all(names.map((path) => tools.read_text_file({ path, head: 5 })));
       return texts.map(({ content }) => content.length);`,
      `const graph = await tools.read_graph();
       const people = graph.entities.filter((entity) => entity.entityType === "person");
       await tools.add_observations({ observations: people.map((person) => ({ entityName: person.name, contents: ["seen"] })) });
       return people.length;`,
      `try {
         await tools.edit_file({ path: "a.ts", edits: [{ oldText: "a", newText: "b" }], dryRun: true }, { timeoutMs: 500 });
       } catch (error) {
         if (!(error instanceof ToolCallError)) throw error;
         return { tool: error.toolName, why: error.message, code: error.code ?? null };
       }`,
      `const weather = await tools["get-structured-content"]({ location: "Chicago" });
       console.log(weather.conditions);
       return weather.temperature + 1;`,
      `const control = new AbortController();
       const tabs = await tools.browser_tabs({ action: "list" }, { signal: control.signal });
       return typeof tabs === "string" ? tabs.split("\\n").length : tabs;`,
    ];
    const files = Object.fromEntries(
      programs.map((program, i) => [
        `program-${i}.ts`,
        `export {};\n${text}\nasync function program() {\n${program}\n}\nvoid program;`,
      ]),
    );
    expect(typeErrors(files)).toEqual({});
  });
});
