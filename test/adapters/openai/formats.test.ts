import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { openaiChat, openaiResponses } from '#dist/adapters/openai/index.js';
import { context, failed, image, succeeded, text } from '../model-format/answered.ts';

type Message = OpenAI.ChatCompletionMessageParam;
type Item = OpenAI.Responses.ResponseInputItem;

const schemas = [
  { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } },
] as const;
const calls = [
  succeeded('c1', 'shot', text('two shots'), image('AA=='), image('BB==', 'image/webp')),
  failed('c2', 'read', 'no such file', text('Error: no such file')),
  succeeded('c3', 'noop'),
  failed('c4', 'quiet', 'it broke'),
  succeeded('c5', 'link', { type: 'resource_link', uri: 'file:///a' }),
];
const contexts = [context(text('The build still runs.'), image('CC=='))];

describe('chat completions', () => {
  const format = openaiChat<Message>();

  it('tools have the shape of the client', () => {
    const tools: OpenAI.ChatCompletionTool[] = format.tools(schemas);
    expect(tools).toEqual([
      {
        type: 'function',
        function: { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } },
      },
    ]);
  });

  it('calls are read as the model wrote them; those of custom tools and none at all are nobody here', () => {
    const reply: OpenAI.ChatCompletionMessage = {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 1' } },
        { id: 'c2', type: 'custom', custom: { name: 'grammar', input: 'x' } },
        { id: 'c3', type: 'function', function: { name: 'add', arguments: '' } },
      ],
    };
    expect(format.calls(reply)).toEqual([
      { callId: 'c1', name: 'add', arguments: '{"a": 1' },
      { callId: 'c3', name: 'add', arguments: '' },
    ]);
    expect(format.echo(reply)).toEqual([reply]);
    expect(format.calls({ role: 'assistant', tool_calls: null })).toEqual([]);
    expect(format.calls({ role: 'assistant' })).toEqual([]);
  });

  it('tool messages stand together; images and contexts follow in one user message', () => {
    expect(format.answers(calls, contexts)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: 'two shots\n[2 images below, after the tool results]',
      },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no such file' },
      { role: 'tool', tool_call_id: 'c3', content: '' },
      { role: 'tool', tool_call_id: 'c4', content: 'Error: it broke' },
      { role: 'tool', tool_call_id: 'c5', content: '{"type":"resource_link","uri":"file:///a"}' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of the result of shot (c1):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'image_url', image_url: { url: 'data:image/webp;base64,BB==' } },
          { type: 'text', text: 'The build still runs.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,CC==' } },
        ],
      },
    ]);
  });

  it('the answers are messages of the client without a cast', () => {
    const answers = openaiChat().answers(calls, contexts);
    const messages = answers as Exclude<
      (typeof answers)[number],
      { role: 'assistant' }
    >[] satisfies Message[];
    expect(messages).toHaveLength(6);
  });
});

describe('responses', () => {
  const format = openaiResponses<Item>();

  it('tools have the shape of the client', () => {
    const tools: OpenAI.Responses.Tool[] = format.tools(schemas);
    expect(tools).toEqual([
      {
        type: 'function',
        name: 'add',
        description: 'Adds.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ]);
  });

  it('calls are the function calls; reasoning goes back with them', () => {
    const output: OpenAI.Responses.ResponseOutputItem[] = [
      { type: 'reasoning', id: 'r1', summary: [] },
      { type: 'function_call', id: 'f1', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
    ];
    expect(format.calls({ output })).toEqual([{ callId: 'c1', name: 'add', arguments: '{"a":1}' }]);
    expect(format.echo({ output })).toEqual(output);
  });

  it('outputs carry their own images; contexts follow in one user message', () => {
    expect(format.answers(calls, contexts)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'two shots' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
          { type: 'input_image', image_url: 'data:image/webp;base64,BB==', detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'Error: no such file' },
      { type: 'function_call_output', call_id: 'c3', output: '' },
      { type: 'function_call_output', call_id: 'c4', output: 'Error: it broke' },
      {
        type: 'function_call_output',
        call_id: 'c5',
        output: '{"type":"resource_link","uri":"file:///a"}',
      },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'The build still runs.' },
          { type: 'input_image', image_url: 'data:image/png;base64,CC==', detail: 'auto' },
        ],
      },
    ]);
  });
});
