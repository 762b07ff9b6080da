import { generateText, type ModelMessage, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { type AiSdkAnswer, aiSdk } from '#dist/adapters/ai-sdk/index.js';
import { context, failed, image, succeeded, text } from '../model-format/answered.ts';

const format = aiSdk<ModelMessage, ToolSet>();
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const toolCall = (toolCallId: string, toolName: string, input: string) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName,
  input,
});

describe('the AI SDK', () => {
  it('is told of the tools and leaves every call to the host, unknown and unreadable ones too', async () => {
    const model = new MockLanguageModelV3({
      doGenerate: {
        content: [
          { type: 'text', text: 'Let me see.' },
          toolCall('c1', 'add', '{"a":1}'),
          toolCall('c2', 'add', '{"a": 1'),
          toolCall('c3', 'invented', '{}'),
        ],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage,
        warnings: [],
      },
    });
    const parameters = { type: 'object', properties: { a: { type: 'number' } } } as const;
    const tools = format.tools([
      { name: 'add', description: 'Adds.', parameters },
      { name: '__proto__', description: '', parameters: {} },
    ]);
    expect(Object.keys(tools)).toEqual(['add', '__proto__']);
    const reply = await generateText({ model, tools: { add: tools['add']! }, prompt: 'hi' });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      { type: 'function', name: 'add', description: 'Adds.', inputSchema: parameters },
    ]);
    expect(format.calls(reply)).toEqual([
      { callId: 'c1', name: 'add', arguments: '{"a":1}' },
      { callId: 'c2', name: 'add', arguments: '{"a": 1' },
      { callId: 'c3', name: 'invented', arguments: '{}' },
    ]);
    expect(format.echo(reply).map(({ role }) => role)).toEqual(['assistant']);
  });

  it('a call that the provider carried out stays its own, and so does its result', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'p1', toolName: 'search', input: {}, providerExecuted: true },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'p1', toolName: 'search', output: {} }] },
      { role: 'assistant', content: 'done' },
    ];
    const toolCalls = [{ toolCallId: 'p1', toolName: 'search', input: {}, providerExecuted: true }];
    expect(format.calls({ response: { messages }, toolCalls })).toEqual([]);
    expect(format.echo({ response: { messages }, toolCalls })).toEqual(messages);
  });

  it('one tool message holds every result with its images, contexts follow', () => {
    const calls = [
      succeeded('c1', 'shot', text('a shot'), image('AA==')),
      failed('c2', 'read', 'gone', text('Error: gone')),
      succeeded('c3', 'noop'),
    ];
    const wanted: AiSdkAnswer[] = [
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'shot',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'a shot' },
                { type: 'image-data', data: 'AA==', mediaType: 'image/png' },
              ],
            },
          },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'read',
            output: { type: 'error-text', value: 'Error: gone' },
          },
          { type: 'tool-result', toolCallId: 'c3', toolName: 'noop', output: { type: 'text', value: '' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'note' },
          { type: 'image', image: 'BB==', mediaType: 'image/png' },
        ],
      },
    ];
    const typed: ModelMessage[] = wanted;
    expect(format.answers(calls, [context(text('note'), image('BB=='))])).toEqual(typed);
  });
});
