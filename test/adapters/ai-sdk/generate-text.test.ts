import type * as Ai6 from 'ai';
import type { MockLanguageModelV3 } from 'ai/test';
import type * as Ai7 from 'ai-7';
import { createTools, defineTool, ptcExecutor, sandboxRuntime } from 'ptc-runtime';
import { runAgentTurn } from 'ptc-runtime/adapters/agent-step';
import { type AiSdkAnswer, aiSdk, registerAiSdkTools } from 'ptc-runtime/adapters/ai-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const versions = [
  { name: '6', needsNode: 18, load: () => Promise.all([import('ai'), import('ai/test')]) },
  { name: '7', needsNode: 22, load: () => Promise.all([import('ai-7'), import('ai-7/test')]) },
];
const nodeMajor = Number(process.versions.node.split('.')[0]);
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const PROGRAM = `const [sum, picture] = await Promise.all([tools.add({ a: 20, b: 22 }), tools.draw({})]);
return { sum, picture: picture.length };`;
const VALUE = '{\n  "sum": 42,\n  "picture": 5\n}';

describe.each(versions)('generateText of the AI SDK $name', ({ name, needsNode, load }) => {
  it('goes a whole turn with its mock model: a program, calls that cannot be made, their results with an image', async (context) => {
    context.skip(
      nodeMajor < needsNode,
      `the AI SDK ${name} needs Node ${needsNode} or newer, this is ${process.version}`,
    );
    const [sdk, { MockLanguageModelV3: MockModel }] = (await load()) as [
      typeof Ai6,
      { MockLanguageModelV3: typeof MockLanguageModelV3 },
    ];
    const call = (toolCallId: string, toolName: string, input: string) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName,
      input,
    });
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const answered = (content: object[], unified: 'stop' | 'tool-calls') =>
      ({ content, finishReason: { unified, raw: undefined }, usage, warnings: [] }) as never;
    const model = new MockModel({
      doGenerate: [
        answered(
          [
            { type: 'text', text: 'Let me see.' },
            call('c1', 'run_code', JSON.stringify({ code: PROGRAM, description: 'adds and draws' })),
            call('c2', 'run_code', '{"code": 1'),
            call('c3', 'add', '{"a":1,"b":1}'),
          ],
          'tool-calls',
        ),
        answered([{ type: 'text', text: 'It is 42.' }], 'stop'),
      ],
    });

    const runtime = sandboxRuntime();
    const tools = createTools();
    tools.setExecutor(ptcExecutor({ runtime }));
    await registerAiSdkTools(tools, {
      add: sdk.tool({
        description: 'Adds.',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.number(),
        execute: async ({ a, b }) => a + b,
      }),
    });
    tools.register(
      defineTool({
        name: 'draw',
        description: 'Draws.',
        parameters: {},
        output: {
          schema: { type: 'string' },
          render: () => [{ type: 'image', data: IMAGE, mimeType: 'image/png' }],
        },
        execute: async () => 'drawn',
      }),
    );
    const { reply, steps } = await runAgentTurn({
      tools,
      format: aiSdk<Ai6.ModelMessage, Ai6.ToolSet>(),
      model: { provider: 'mock', model: 'mock' },
      messages: [{ role: 'user', content: 'What is 20 + 22?' }],
      callModel: ({ tools: offered, instructions, messages }) =>
        sdk.generateText({ model, system: instructions ?? '', tools: offered, messages }),
    });
    await runtime.dispose();

    expect(steps).toBe(2);
    expect(reply).toMatchObject({ text: 'It is 42.' });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ type: 'function', name: 'run_code' }]);
    const prompt = model.doGenerateCalls[1]?.prompt ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(prompt[3]?.content).toMatchObject([
      { toolCallId: 'c1', toolName: 'run_code', output: { type: 'text', value: VALUE } },
      { toolCallId: 'c2', toolName: 'run_code', output: { type: 'error-text' } },
      { toolCallId: 'c3', toolName: 'add', output: { type: 'error-text' } },
    ]);
    expect(prompt[4]?.content).toMatchObject([{ type: 'file', mediaType: 'image/png', data: IMAGE }]);
  });
});

/** The answers fit the messages of both versions; the compiler says so. */
const answers: AiSdkAnswer[] = [];
void ([answers, answers] satisfies [Ai6.ModelMessage[], Ai7.ModelMessage[]]);
