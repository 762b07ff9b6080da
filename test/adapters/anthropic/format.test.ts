import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { type AnthropicAnswer, anthropicMessages } from '#dist/adapters/anthropic/index.js';
import { context, failed, image, succeeded, text } from '../model-format/answered.ts';

type Message = Anthropic.MessageParam;
const format = anthropicMessages<Message>();

describe('messages', () => {
  it('tools have the shape of the client', () => {
    const parameters = { oneOf: [{ type: 'object', properties: { a: { type: 'number' } } }] } as const;
    const tools: Anthropic.Tool[] = format.tools([{ name: 'add', description: 'Adds.', parameters }]);
    expect(tools).toEqual([
      {
        name: 'add',
        description: 'Adds.',
        input_schema: { type: 'object', properties: { a: { type: 'number' } } },
      },
    ]);
  });

  it('calls are the tool uses of the host; the whole content goes back', () => {
    const content = [
      { type: 'text', text: 'Let me see.', citations: null },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 't2', name: 'noop', input: undefined },
    ];
    expect(format.calls({ role: 'assistant', content })).toEqual([
      { callId: 't1', name: 'add', arguments: '{"a":1}' },
      { callId: 't2', name: 'noop', arguments: '{}' },
    ]);
    expect(format.echo({ role: 'assistant', content })).toEqual([{ role: 'assistant', content }]);
    expect(format.echo({ role: 'assistant', content: [] })).toEqual([]);
  });

  it('one user message: results first, each with its images, then the contexts', () => {
    const calls = [
      succeeded('t1', 'shot', text('a shot'), image('AA=='), image('BB==', 'image/bmp')),
      failed('t2', 'read', 'no such file', text('Error: no such file')),
      succeeded('t3', 'noop', text(' \n')),
    ];
    const wanted: AnthropicAnswer = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [
            { type: 'text', text: 'a shot' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'text', text: '[an image of type image/bmp, which cannot be shown]' },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [{ type: 'text', text: 'Error: no such file' }],
          is_error: true,
        },
        { type: 'tool_result', tool_use_id: 't3' },
        { type: 'text', text: 'The build still runs.' },
      ],
    };
    const typed: Message = wanted;
    expect(format.answers(calls, [context(text('The build still runs.'))])).toEqual([typed]);
    expect(format.answers([], [])).toEqual([]);
  });
});
