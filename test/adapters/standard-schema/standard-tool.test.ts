import { sdkText } from 'ptc-runtime';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { standardTool } from '#dist/adapters/standard-schema/index.js';
import { callTool, nativeTools } from '../foreign.ts';

describe('a tool with zod schemas', () => {
  it('has its types in the SDK text, and gets what the schema made of the arguments', async () => {
    const tools = nativeTools();
    tools.register(
      standardTool({
        name: 'search',
        description: 'Searches.',
        input: z.object({ q: z.string().min(1), limit: z.coerce.number().default(10) }),
        output: z.object({ hits: z.array(z.string()) }),
        execute: async (args) => {
          expectTypeOf(args).toEqualTypeOf<{ q: string; limit: number }>();
          return { hits: [`${args.q} ${args.limit}`], internal: true };
        },
      }),
    );
    expect(sdkText(tools.definitions()).text).toContain('hits: string[]');
    const result = await callTool(tools, 'search', { q: 'a', limit: '3' });
    expect(result).toMatchObject({ isError: false, value: { hits: ['a 3'] } });
    expect(await callTool(tools, 'search', { q: 'a' })).toMatchObject({ value: { hits: ['a 10'] } });
  });

  it('a refusal has the words of the JSON Schema, and a refinement its own', async () => {
    const tools = nativeTools();
    const input = z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from < to, {
      message: 'from must come before to',
      path: ['range', 0, 'from'],
    });
    tools.register(standardTool({ name: 'range', description: '', input, execute: async () => null }));
    const wrong = await callTool(tools, 'range', { from: 'x', to: 2 });
    expect(wrong.error).toMatchObject({
      message: 'Invalid arguments: from: wanted a number, received "x"',
      info: { code: 'INVALID_ARGS' },
    });
    expect((await callTool(tools, 'range', { from: 3, to: 2 })).error?.message).toBe(
      'Invalid arguments: range[0].from: from must come before to',
    );
  });

  it('a value that is not its own fails the call; dates and nothing become JSON', async () => {
    const tools = nativeTools();
    const make = (name: string, value: unknown, output?: z.ZodType) =>
      tools.register(
        standardTool({
          name,
          description: '',
          input: z.object({}),
          ...(output && { output }),
          execute: async () => value,
        }),
      );
    make('wrong', 'text', z.number());
    make('date', { at: new Date(0), gone: undefined });
    make('nothing', undefined);
    expect((await callTool(tools, 'wrong', {})).error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
    expect(await callTool(tools, 'date', {})).toMatchObject({ value: { at: '1970-01-01T00:00:00.000Z' } });
    expect(await callTool(tools, 'nothing', {})).toMatchObject({ value: null });
  });

  it('a schema without JSON Schema refuses its own tool with the reason, unless a converter is given', async () => {
    const tools = nativeTools();
    const bare = {
      '~standard': { version: 1, vendor: 'bare', validate: (value: unknown) => ({ value }) },
    } as const;
    const execute = async () => 'ran';
    tools.register(standardTool({ name: 'bare', description: '', input: bare, execute }));
    tools.register(
      standardTool({
        name: 'given',
        description: '',
        input: bare,
        execute,
        toJsonSchema: () => ({ type: 'object' }),
      }),
    );
    tools.register(
      standardTool({ name: 'dated', description: '', input: z.object({ at: z.date() }), execute }),
    );
    expect((await callTool(tools, 'bare', {})).error?.message).toBe(
      'Cannot call "bare": its parameters cannot be used: schemas of "bare" give no JSON Schema, and no converter was given',
    );
    expect((await callTool(tools, 'dated', {})).error?.message).toMatch(/^Cannot call "dated": .*Date/);
    expect(await callTool(tools, 'given', {})).toMatchObject({ value: 'ran' });
    expect(tools.describe().schemas).toHaveLength(3);
  });

  it('types are checked where the tool is written', () => {
    const input = z.object({ n: z.number() });
    standardTool({
      name: 'typed',
      description: '',
      input,
      output: z.number(),
      // @ts-expect-error the output schema wants a number
      execute: async ({ n }) => String(n),
    });
    // @ts-expect-error `m` is no argument
    standardTool({ name: 'typed', description: '', input, execute: async ({ m }) => m });
    expect(() => standardTool({ name: '', description: '', input, execute: async () => 1 })).toThrow(
      TypeError,
    );
  });
});
