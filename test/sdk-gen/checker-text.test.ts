import { describe, expect, it } from 'vitest';
import { checkerText } from '#dist/sdk-gen/index.js';
import { typeErrors } from './compiler.ts';
import { cases, realTools, tool } from './tools.ts';

/** The lines that are about tools, without the globals of a program. */
const own = (text: string): string => text.slice(text.indexOf('interface SDK_CallOptions'));

describe("the checker's text", () => {
  it('C70: results without a schema are any, objects are named and closed, verbatim', () => {
    const { text, subjects, tools } = checkerText([
      tool({
        name: 'save-all',
        inputSchema: {
          type: 'object',
          properties: {
            rows: {
              type: 'array',
              items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
            },
            free: { type: 'object', properties: { a: {} }, additionalProperties: true },
            map: { type: 'object', additionalProperties: { type: 'number' } },
            toString: { type: 'string' },
          },
          required: ['rows'],
        },
      }),
      tool({
        name: 'walk',
        outputSchema: {
          $ref: '#/$defs/node',
          $defs: {
            node: {
              type: 'object',
              properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
            },
          },
        },
      }),
      tool({ name: 'none', inputSchema: { type: 'object', properties: {}, additionalProperties: false } }),
      tool({ name: 'then' }),
    ]);
    expect(own(text)).toMatchInlineSnapshot(`
      "interface SDK_CallOptions { timeoutMs?: number; signal?: AbortSignal }
      type CallOptions = SDK_CallOptions;
      interface SDK_1 { [k: string]: never }
      interface SDK_2 { rows: SDK_3[]; free?: SDK_4; map?: SDK_5; toString?: any }
      interface SDK_3 { id: string }
      interface SDK_4 { a?: any; [k: string]: any }
      interface SDK_5 { [k: string]: number }
      interface SDK_6 {}
      interface SDK_7 { kids?: SDK_7[] }
      interface SDK_tools {
      none(args?: SDK_1, options?: SDK_CallOptions): Promise<any>;
      "save-all"(args: SDK_2, options?: SDK_CallOptions): Promise<any>;
      walk(args?: {}, options?: SDK_CallOptions): Promise<SDK_7>;
      }
      declare const tools: SDK_tools;
      interface SDK_catalogue { search(query: string): Promise<any>; describe(name: string): Promise<string>; call(name: string, args?: any, options?: SDK_CallOptions): Promise<any> }
      declare const sdk: SDK_catalogue;
      declare const SDK_promise: Promise<any>;"
    `);
    expect(
      [...subjects].map(([name, { words, properties }]) => [name, words, properties.join()]),
    ).toMatchInlineSnapshot(`
      [
        [
          "SDK_1",
          "the arguments of tools.none",
          "",
        ],
        [
          "SDK_2",
          "the arguments of tools["save-all"]",
          "rows,free?,map?,toString?",
        ],
        [
          "SDK_3",
          "\`rows[]\` of the arguments of tools["save-all"]",
          "id",
        ],
        [
          "SDK_4",
          "\`free\` of the arguments of tools["save-all"]",
          "a?",
        ],
        [
          "SDK_5",
          "\`map\` of the arguments of tools["save-all"]",
          "",
        ],
        [
          "SDK_6",
          "the arguments of tools.walk",
          "",
        ],
        [
          "SDK_7",
          "the result of tools.walk",
          "kids?",
        ],
        [
          "SDK_CallOptions",
          "the options of a call",
          "timeoutMs?,signal?",
        ],
        [
          "SDK_tools",
          "\`tools\`",
          "",
        ],
        [
          "SDK_catalogue",
          "\`sdk\`",
          "search,describe,call",
        ],
      ]
    `);
    expect(tools).toEqual(['none', 'save-all', 'then', 'walk']);
  });

  it('C70: the text is the same for the same tools in any order', () => {
    expect(checkerText([...realTools].reverse()).text).toBe(checkerText(realTools).text);
  });

  it('C70, F6: the texts of the cases and of the real tools compile under --strict', () => {
    const files = Object.fromEntries(
      cases.map(({ id, tools }) => [
        `${id}.ts`,
        `export {};\n${checkerText(tools.filter(({ name }) => name !== 'run_code').map(tool)).text}`,
      ]),
    );
    files['real.ts'] = `export {};\n${checkerText(realTools).text}`;
    expect(typeErrors(files, { lib: ['ES2023'] })).toEqual({});
  });
});
