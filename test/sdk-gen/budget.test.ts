import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens, sdkInstructions, sdkText } from '#dist/sdk-gen/index.js';
import { declarationsOf, typeErrors } from './compiler.ts';
import { manyTools } from './many-tools.ts';
import { realTools, serverTools, tool } from './tools.ts';

const tokens = (text: string): number => encode(text).length;
const native = Object.values(serverTools)
  .flat()
  .map(({ name, description, inputSchema, outputSchema }) =>
    tokens(JSON.stringify({ name, description, inputSchema, outputSchema })),
  )
  .reduce((sum, count) => sum + count, 0);
/** Tokens of the text without the fixed instructions. */
const own = (text: string): number => tokens(text.slice(sdkInstructions().length));

/** The declared tools of a text, and the names below it put together again. */
function namesIn(text: string): string[] {
  const [block, list = ''] = text.slice(text.indexOf('```ts\n') + 6).split('\n```');
  const members = [...(block ?? '').matchAll(/^("?)([^\s"/(]+)\1\(args/gm)].map((match) => match[2]!);
  const groups = [...list.matchAll(/^(\S+) \(\d+\): (.*)$/gm)].flatMap(([, head, names]) =>
    names!.split(', ').map((name) => (head === 'others' ? name : `${head}${name}`)),
  );
  return [...members, ...groups].sort();
}

describe('the size of the text', () => {
  it('C13: real tools take at most 57 % of their native JSON, and 20 % without documentation', () => {
    expect(own(sdkText(realTools).text) / native).toBeLessThanOrEqual(0.57);
    expect(own(sdkText(realTools, { detail: 'signatures' }).text) / native).toBeLessThanOrEqual(0.2);
  });

  it('C13: the estimate is within a tenth of the real count, and not below it', () => {
    for (const text of [
      sdkText(realTools).text,
      sdkText(realTools, { detail: 'brief' }).text,
      sdkText(realTools, { detail: 'signatures' }).text,
      sdkText(manyTools(500), { tokenBudget: 4000 }).text,
    ]) {
      const ratio = estimateTokens(text) / tokens(text);
      expect(ratio).toBeGreaterThanOrEqual(1);
      expect(ratio).toBeLessThan(1.15);
    }
    expect(estimateTokens('')).toBe(0);
    const uneven = 'one two\r\n\tthree  four, 12345 ⇒ (x)\n\n';
    expect(estimateTokens(uneven) - tokens(uneven)).toBeGreaterThanOrEqual(0);
    expect(estimateTokens(uneven) - tokens(uneven)).toBeLessThanOrEqual(2);
    expect(estimateTokens('読む')).toBeGreaterThanOrEqual(2);
  });
});

describe('a token budget', () => {
  const many = manyTools(500);

  it('C13: 500 tools stay within 4 000 tokens: every name is there, and many signatures', () => {
    const { text, complete, shown, total } = sdkText(many, { tokenBudget: 4000 });
    expect(tokens(text)).toBeLessThanOrEqual(4000);
    expect(namesIn(text)).toEqual(many.map(({ name }) => name).sort());
    expect({ complete, total }).toEqual({ complete: false, total: 500 });
    expect(shown).toBeGreaterThan(60);
    expect(text).toContain(`${shown} of 500 tools are declared above`);
    expect(text).toContain('declare const sdk: {');
    expect(typeErrors({ 'text.ts': `export {};\n${declarationsOf(text)}` })).toEqual({});
  });

  it('C13: with an exact counter the budget is used to the last signature that fits', () => {
    const { text, shown } = sdkText(many, { tokenBudget: 4000, countTokens: tokens });
    expect(tokens(text)).toBeLessThanOrEqual(4000);
    expect(tokens(text)).toBeGreaterThan(3950);
    expect(shown).toBeGreaterThanOrEqual(sdkText(many, { tokenBudget: 4000 }).shown);
  });

  it('C13: preferred tools are written in full first', () => {
    const priority = [many[7]!.name, 'no_such_tool', many[3]!.name];
    const recentlyUsed = [many[11]!.name];
    const { text } = sdkText(many, { tokenBudget: 4000, priority, recentlyUsed });
    for (const i of [7, 3, 11]) expect(text).toContain(` */\n${many[i]!.name}(args`);
    expect(text).not.toContain('no_such_tool');
    expect(tokens(text)).toBeLessThanOrEqual(4000);
    const first = sdkText(many, { tokenBudget: 2150, countTokens: tokens, priority }).text;
    expect(tokens(first)).toBeLessThanOrEqual(2150);
  });

  it('C13: where every signature fits, what is left goes to documentation, the preferred tools first', () => {
    const size = tokens(sdkText(realTools, { detail: 'signatures' }).text);
    const tight = sdkText(realTools, {
      tokenBudget: size + 130,
      countTokens: tokens,
      priority: ['write_file'],
    });
    expect(tight).toMatchObject({ complete: true, shown: 62, total: 62 });
    expect(tight.text).toContain(' */\nwrite_file(args');
    const brief = sdkText(realTools, { tokenBudget: 4900, countTokens: tokens });
    expect(brief.complete).toBe(true);
    expect(brief.text).toContain('DEPRECATED: Use read_text_file instead. */');
    expect(tokens(brief.text)).toBeGreaterThan(4700);
    expect(brief.text).not.toContain('declare const sdk');
  });

  it('C13: a text that fits whole is the text without a budget', () => {
    const whole = sdkText(realTools);
    expect(sdkText(realTools, { tokenBudget: 100_000 })).toEqual(whole);
  });

  it('C13: 2 000 tools work: when their names do not fit they are counted by group', () => {
    const tools = manyTools(2000);
    const { text, total, shown } = sdkText(tools, { tokenBudget: 4000 });
    expect(tokens(text)).toBeLessThanOrEqual(4000);
    expect(total).toBe(2000);
    expect(shown).toBeGreaterThan(100);
    const counted = [...text.matchAll(/^\w+ \((\d+)\)$/gm)].map((match) => Number(match[1]));
    expect(counted.reduce((sum, count) => sum + count, 0) + shown).toBe(2000);
  });

  it('C13: with a budget a tool that is not shown is not read beyond its size', () => {
    const tools = manyTools(1500);
    const largest = tool({
      name: 'zzz',
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 3000 }, (_, i) => [`property_${i}`, { type: 'string' }]),
        ),
      },
    });
    let reads = 0;
    Object.defineProperty(largest.parameters, 'description', {
      enumerable: true,
      get: () => {
        reads += 1;
        return 'Read by whoever makes a text of it.';
      },
    });
    expect(sdkText([...tools, largest], { tokenBudget: 4000 }).text).not.toContain('zzz(');
    expect(reads).toBe(0);
    expect(sdkText([...tools, largest]).text).toContain('Read by whoever makes a text of it.');
  });

  it('C11: a budgeted text does not depend on the order of the tools', () => {
    const options = { tokenBudget: 4000, priority: [many[2]!.name] };
    expect(sdkText([...many].reverse(), options).text).toBe(sdkText(many, options).text);
  });

  it('C11: the same definitions give the very same result again, other options another one', () => {
    const tools = manyTools(30);
    const first = sdkText(tools, { tokenBudget: 1500 });
    expect(sdkText([...tools], { tokenBudget: 1500 })).toBe(first);
    expect(sdkText(tools, { tokenBudget: 1501 })).not.toBe(first);
    expect(sdkText(tools.slice(1), { tokenBudget: 1500 })).not.toBe(first);
    expect(sdkText([...tools.slice(0, 29), { ...tools[29]! }], { tokenBudget: 1500 })).not.toBe(first);
  });

  it('C13: names that are awkward to group are listed as they are', () => {
    const names = [
      'plain',
      'a,b',
      'it"s',
      'mcp__x__one',
      'mcp__x__two',
      'mcp__x__three',
      'solo_tool',
      '_',
      'a/b',
    ];
    const tools = names.map((name, i) =>
      tool({
        name,
        inputSchema: { type: 'object', properties: { [`long${'g'.repeat(3000)}${i}`]: { type: 'string' } } },
      }),
    );
    const { text, shown } = sdkText(tools, { tokenBudget: 900 });
    expect(shown).toBe(0);
    expect(text.split('\n').slice(-2)).toEqual([
      'mcp__x__ (3): one, three, two',
      'others (6): _, "a,b", a/b, "it\\"s", plain, solo_tool',
    ]);
  });

  it.each([
    [{ tokenBudget: 0 }, 'tokenBudget'],
    [{ tokenBudget: Number.NaN }, 'tokenBudget'],
    [{ detail: 'long' }, 'detail'],
    [{ countTokens: 4 }, 'countTokens'],
    [{ tokenBudgets: 5 }, 'tokenBudgets'],
  ])('C13: the option %j is refused', (options, name) => {
    expect(() => sdkText(realTools, options as never)).toThrow(name);
    expect(() => sdkText([], options as never)).toThrow(TypeError);
  });
});

describe('a tool that cannot be a member of tools', () => {
  const tools = [
    tool({
      name: 'then',
      description: 'Goes on.',
      inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    }),
    tool({ name: 'toJSON' }),
    tool({ name: 'catch' }),
  ];

  it('C13: a tool named then is reached through sdk.call, and the text says so', () => {
    const { text, complete, shown } = sdkText(tools);
    expect({ complete, shown }).toEqual({ complete: true, shown: 3 });
    const declared = declarationsOf(text);
    expect(declared).toContain(
      '/** Goes on. */\ncall(name: "then", args: { a: string }, options?: CallOptions)',
    );
    expect(declared).not.toMatch(/^then\(/m);
    expect(declared).toMatch(/^toJSON\(args/m);
    expect(declared).toMatch(/^catch\(args/m);
    expect(text).toContain('`await sdk.call("then", args)`');
    expect(typeErrors({ 'text.ts': `export {};\n${declared}\nvoid sdk.call("then", { a: "x" });` })).toEqual(
      {},
    );
  });
});
