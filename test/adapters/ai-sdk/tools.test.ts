import { readFileSync } from 'node:fs';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { ptcExecutor, sdkText } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importAiSdkTool, registerAiSdkTools } from '#dist/adapters/ai-sdk/index.js';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { recordingAgent } from '../../support/recording-agent.ts';
import { callTool, nativeTools } from '../foreign.ts';

const file = JSON.parse(readFileSync('test/fixtures/cases/127-ai-sdk-schema-wrapper.json', 'utf8'));

describe('the schemas of AI SDK tools', () => {
  it('case 127: a wrapped JSON Schema is enforced and has its type, whichever way it is wrapped', async () => {
    const tools = nativeTools();
    const schema = file.tool.inputSchema;
    const execute = async (input: unknown) => input;
    await registerAiSdkTools(tools, {
      plain: tool({ inputSchema: jsonSchema(schema), execute }),
      promised: tool({ inputSchema: jsonSchema(async () => schema), execute }),
      lazy: tool({ inputSchema: () => jsonSchema(schema), execute }),
      bare: { inputSchema: schema, execute },
    });
    for (const name of ['plain', 'promised', 'lazy', 'bare']) {
      for (const args of file.valid) expect(await callTool(tools, name, args)).toMatchObject({ value: args });
      for (const args of file.invalid) {
        expect((await callTool(tools, name, args)).error?.info?.code).toBe('INVALID_ARGS');
      }
    }
    expect(sdkText(tools.definitions()).text).toContain('{ a: 5; b?: string | /** integer */ number }');
  });

  it('case 127: null, a text and a number refuse their own tool with the reason; booleans and {} work', async () => {
    const tools = nativeTools();
    const execute = async () => 'ran';
    const refused: Record<string, unknown> = {
      isNull: null,
      isText: 'text',
      isNumber: 3,
      isMissing: undefined,
      isList: [],
      isWrappedNull: jsonSchema(null as never),
      isBroken: jsonSchema(async () => Promise.reject(new Error('no schema today'))),
      isThrowing: () => {
        throw new Error('cannot be made');
      },
    };
    const working: Record<string, unknown> = {
      isTrue: true,
      isEmpty: {},
      isWrappedTrue: jsonSchema(true as never),
    };
    const set = Object.entries({ ...refused, ...working }).map(([name, inputSchema]) => [
      name,
      { inputSchema, execute },
    ]);
    await registerAiSdkTools(tools, Object.fromEntries(set));
    for (const name of Object.keys(refused)) {
      const { error } = await callTool(tools, name, {});
      expect(error?.message).toMatch(new RegExp(`^Cannot call "${name}": its parameters cannot be used: .`));
    }
    for (const name of Object.keys(working)) {
      expect(await callTool(tools, name, { any: 1 })).toMatchObject({ value: 'ran' });
    }
    expect(tools.describe().schemas).toHaveLength(11);
    expect(sdkText(tools.definitions()).complete).toBe(true);
  });
});

describe('AI SDK tools', () => {
  it('a zod tool gets its parsed input, the call’s id and the signal', async () => {
    const tools = nativeTools();
    const seen: unknown[] = [];
    const set = {
      weather: tool({
        description: 'Tells the weather.',
        inputSchema: z.object({ city: z.string(), unit: z.enum(['C', 'F']).default('C') }),
        execute: async ({ city, unit }, { toolCallId, abortSignal, messages, experimental_context }) => {
          seen.push(toolCallId, abortSignal?.aborted, messages, experimental_context);
          return { city, unit };
        },
      }),
    } satisfies ToolSet;
    const remove = await registerAiSdkTools(tools, set, {
      messages: () => [{ role: 'user', content: 'hi' }],
      context: 'ctx',
      registration: () => ({ readOnly: true, source: 'sdk' }),
    });
    expect(await callTool(tools, 'weather', { city: 'Oslo' })).toMatchObject({
      value: { city: 'Oslo', unit: 'C' },
    });
    expect(seen).toEqual(['c1', false, [{ role: 'user', content: 'hi' }], 'ctx']);
    expect(tools.registration('weather')).toEqual({ readOnly: true, source: 'sdk' });
    expect(tools.get('weather')?.isConcurrencySafe?.({})).toBe(true);
    remove();
    remove();
    expect(tools.definitions()).toEqual([]);
  });

  it('toModelOutput decides what a model reads, the program keeps the value', async () => {
    const tools = nativeTools();
    const show = (output: object) =>
      tool({
        inputSchema: z.object({}),
        execute: async () => ({ n: 1 }),
        toModelOutput: async () => output as never,
      });
    const png = { data: 'AA==', mediaType: 'image/png' };
    await registerAiSdkTools(tools, {
      shot: show({
        type: 'content',
        value: [
          { type: 'text', text: 'a shot' },
          { type: 'image-data', ...png },
          { type: 'media', ...png },
          { type: 'file-data', data: 'AA==', mediaType: 'application/pdf' },
        ],
      }),
      json: show({ type: 'json', value: { a: [1] } }),
      denied: show({ type: 'execution-denied' }),
    });
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    expect(await callTool(tools, 'shot', {})).toMatchObject({
      value: { n: 1 },
      content: [
        { type: 'text', text: 'a shot' },
        image,
        image,
        { type: 'file-data', data: 'AA==', mediaType: 'application/pdf' },
      ],
    });
    expect((await callTool(tools, 'json', {})).content).toEqual([{ type: 'text', text: '{"a":[1]}' }]);
    expect((await callTool(tools, 'denied', {})).content).toEqual([
      { type: 'text', text: 'The execution was denied' },
    ]);
  });

  it('the last value of a generator is the value, the others are progress', async () => {
    const tools = nativeTools();
    const seen: unknown[] = [];
    const set = {
      slow: tool({
        inputSchema: z.object({}),
        async *execute() {
          yield 'a';
          yield 'b';
          yield 'c';
        },
      }),
    };
    await registerAiSdkTools(tools, set, { onPreliminary: (exec, value) => seen.push([exec.name, value]) });
    expect(await callTool(tools, 'slow', {})).toMatchObject({ value: 'c' });
    expect(seen).toEqual([
      ['slow', 'a'],
      ['slow', 'b'],
    ]);
  });

  it('a tool that runs elsewhere refuses its calls with the reason', async () => {
    const tools = nativeTools();
    tools.register(await importAiSdkTool('client', tool({ inputSchema: z.object({}) })));
    tools.register(await importAiSdkTool('search', { type: 'provider', inputSchema: {} }));
    expect((await callTool(tools, 'client', {})).error?.message).toMatch(/no "execute"/);
    expect((await callTool(tools, 'search', {})).error?.message).toMatch(/provider carries it out/);
  });

  it('needsApproval asks, also for a program’s call, and without an approver it is denied', async () => {
    const asked: unknown[] = [];
    const set = {
      pay: tool({
        inputSchema: z.object({ sum: z.number().default(1) }),
        needsApproval: ({ sum }) => sum > 10,
        execute: async ({ sum }) => sum,
      }),
      wipe: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 'wiped' }),
    };
    const agent = recordingAgent();
    const closed = nativeTools();
    await registerAiSdkTools(closed, set);
    expect(await callTool(closed, 'pay', {}, { agent })).toMatchObject({ value: 1 });
    expect((await callTool(closed, 'pay', { sum: 'x' }, { agent })).error?.info?.code).toBe('INVALID_ARGS');
    expect((await callTool(closed, 'wipe', {}, { agent })).error?.message).toMatch(/requires approval/);

    const tools = nativeTools({
      approval: {
        request: ({ toolName }) => {
          asked.push(toolName);
          return 'allowed-once';
        },
      },
    });
    await registerAiSdkTools(tools, set);
    const play = ({ tools: members }: { tools: Record<string, (args: unknown) => Promise<unknown>> }) =>
      members['pay']!({ sum: 11 });
    tools.scoped(agent).setExecutor(ptcExecutor({ runtime: fakeRuntime({ play: play as never }) }));
    const code = { code: 'play', description: 'Pays' };
    expect(await callTool(tools, 'run_code', code, { agent })).toMatchObject({ isError: false });
    expect(asked).toEqual(['pay']);
  });
});
