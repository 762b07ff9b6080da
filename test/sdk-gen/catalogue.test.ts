import { describe, expect, it } from 'vitest';
import { isJsonValue } from '#dist/runtime/core/json.js';
import { createCatalogue } from '#dist/sdk-gen/index.js';
import { manyTools } from './many-tools.ts';
import { realTools, tool } from './tools.ts';

const catalogue = createCatalogue(realTools);
const names = (query: string): string[] => catalogue.search(query).tools.map(({ name }) => name);

describe('sdk.search', () => {
  it.each([
    ['delete an entity', 'delete_entities'],
    ['remove a node relation', 'delete_relations'],
    ['take a picture of the page', 'browser_take_screenshot'],
    ['go to a url', 'browser_navigate'],
    ['rename a file', 'move_file'],
    ['what environment variables are there', 'get-env'],
    ['add two numbers', 'get-sum'],
    ['press enter', 'browser_press_key'],
    ['make a folder', 'create_directory'],
    ['save text', 'write_file'],
    ['zip it', 'gzip-file-as-resource'],
    ['reading several files', 'read_multiple_files'],
    ['readGraph', 'read_graph'],
  ])('C13: %j finds %s among the first three', (query, name) => {
    expect(names(query).slice(0, 3)).toContain(name);
  });

  it('C13: gives at most ten, best first, and says whether the list is complete', () => {
    const { shown, tools } = createCatalogue(manyTools(2000)).search('remove a jira issue');
    expect(tools).toHaveLength(10);
    expect(tools[0]?.name).toBe('jira_remove_issue');
    expect(shown).toMatch(/^10 of \d+ shown/);
    expect(catalogue.search('press a key')).toMatchObject({
      shown: expect.stringMatching(/^full list: \d of 62/),
    });
    expect(catalogue.search('qqq')).toEqual({ shown: 'full list: 0 of 62 tools match', tools: [] });
  });

  it('C13: equal scores are in name order, whatever the order of the tools', () => {
    const tools = ['c', 'a', 'b'].map((name) => tool({ name, description: 'same words' }));
    for (const list of [tools, [...tools].reverse()]) {
      expect(
        createCatalogue(list)
          .search('words')
          .tools.map(({ name }) => name),
      ).toEqual(['a', 'b', 'c']);
    }
    const reversed = createCatalogue([...realTools].reverse());
    for (const query of ['file', 'graph', 'browser page', ''])
      expect(reversed.search(query)).toEqual(catalogue.search(query));
  });

  it('C13: an exact name stands first, an empty query lists the first ten names', () => {
    expect(names('write_file')[0]).toBe('write_file');
    expect(names('echo')).toEqual(['echo']);
    expect(names('')).toEqual(
      realTools
        .map(({ name }) => name)
        .sort()
        .slice(0, 10),
    );
    for (const odd of [undefined, null, 5, {}, ['x']]) expect(catalogue.search(odd).tools).toHaveLength(10);
  });

  it('C13: an entry is lossless JSON with a declaration that can be called after', () => {
    const [entry] = catalogue.search('get-sum').tools;
    expect(entry).toEqual({
      name: 'get-sum',
      description: 'Returns the sum of two numbers',
      declaration: '"get-sum"(args: { a: number; b: number }, options?: CallOptions): Promise<JsonValue>;',
    });
    expect(isJsonValue(catalogue.search('file'))).toBe(true);
  });

  it('C13: words of other scripts are found', () => {
    const tools = [
      tool({ name: '検索', description: '課題を検索する' }),
      tool({ name: 'größe', description: 'Misst die Größe' }),
    ];
    const found = createCatalogue(tools);
    expect(found.search('課題').tools[0]?.name).toBe('検索');
    expect(found.search('GRÖSSE Größe').tools[0]?.name).toBe('größe');
  });
});

describe('sdk.describe', () => {
  it('C13: gives the whole declaration of one tool with the types that it uses', () => {
    expect(catalogue.describe('get-sum')).toBe(
      '/** Returns the sum of two numbers */\n"get-sum"(args: { /** First number */ a: number; /** Second number */ b: number }, options?: CallOptions): Promise<JsonValue>;',
    );
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const recursive = tool({ name: 'walk', inputSchema: { $ref: '#/$defs/node', $defs: { node } } });
    expect(createCatalogue([recursive]).describe('walk')).toBe(
      'type TNode = { next?: TNode };\nwalk(args?: TNode, options?: CallOptions): Promise<JsonValue>;',
    );
  });

  it('C13: an unknown name fails with up to three close names', () => {
    expect(() => catalogue.describe('readfile')).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_TOOL',
        message: 'Cannot describe tool "readfile": no tool has this name, closest: read_file',
      }),
    );
    for (const odd of ['__proto__', 'toString', 5, undefined]) {
      expect(() => catalogue.describe(odd)).toThrow('no tool has this name');
    }
  });
});
