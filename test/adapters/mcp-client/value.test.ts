import { mcpContent, mcpErrorText, mcpValue } from 'ptc-runtime/adapters/mcp-client';
import { describe, expect, it } from 'vitest';

const text = (content: string) => ({ type: 'text', text: content });
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

describe('values of MCP results', () => {
  it('X1: structured content is the value, also when blocks stand beside it', () => {
    expect(mcpValue({ content: [text('{"n":2}')], structuredContent: { n: 1 } })).toEqual({ n: 1 });
  });

  it('X1: no content is null', () => {
    expect(mcpValue({ content: [] })).toBeNull();
    expect(mcpValue({})).toBeNull();
  });

  it('X1: text blocks are joined by newlines', () => {
    expect(mcpValue({ content: [text('one'), text('two')] })).toBe('one\ntwo');
  });

  it.each(['42', 'null', 'true', '"quoted"', '', '{broken', '[1,'])(
    'X1: the text %j stays text',
    (content) => {
      expect(mcpValue({ content: [text(content)] })).toBe(content);
    },
  );

  it('X1: text that is a JSON object or array is parsed', () => {
    expect(mcpValue({ content: [text(' {"a": [1, 2.5, -3e2]} ')] })).toEqual({ a: [1, 2.5, -300] });
    expect(mcpValue({ content: [text('[]')] })).toEqual([]);
  });

  it('X1: text with an integer that a number cannot hold stays text', () => {
    const content = '{"deep":[{"id":9007199254740993}]}';
    expect(mcpValue({ content: [text(content)] })).toBe(content);
    expect(mcpValue({ content: [text('[-9007199254740993]')] })).toBe('[-9007199254740993]');
    expect(mcpValue({ content: [text('[1e999]')] })).toBe('[1e999]');
  });

  it('X1: digits inside a string or a key do not make an integer', () => {
    expect(mcpValue({ content: [text('{"9007199254740993":"a \\"9007199254740993\\""}')] })).toEqual({
      '9007199254740993': 'a "9007199254740993"',
    });
    expect(mcpValue({ content: [text('[9007199254740991]')] })).toEqual([9007199254740991]);
  });

  it('X1: a negative zero becomes zero, so that the value is lossless', () => {
    expect(Object.is((mcpValue({ structuredContent: { n: -0 } }) as { n: number }).n, 0)).toBe(true);
  });

  it('X1, X3: any other block makes the value the array of blocks', () => {
    const resource = { type: 'resource', resource: { uri: 'file:///a', text: 'body' } };
    expect(mcpValue({ content: [text('look'), image, resource] })).toEqual([text('look'), image, resource]);
  });

  it('X3: content keeps images and links as they came', () => {
    const link = { type: 'resource_link', uri: 'https://example.test/a', name: 'a' };
    expect(mcpContent({ content: [image, link] })).toEqual([image, link]);
    expect(mcpContent({ content: [] })).toBeUndefined();
  });

  it('X2: the message of a failed result is its text', () => {
    expect(mcpErrorText({ isError: true, content: [text('no such file'), image, text('try again')] })).toBe(
      'no such file\ntry again',
    );
    expect(mcpErrorText({ isError: true, content: [image] })).toBe(
      'The tool reported an error without a text',
    );
  });
});
