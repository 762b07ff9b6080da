import { createTools, type ToolDefinition, toolCallId } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import { importTool } from '#dist/runtime/tools/import-tool.js';

const tool = (parts: { parameters?: object; output?: object; value?: unknown }): ToolDefinition =>
  importTool({
    name: 'remote',
    description: 'A tool from elsewhere',
    parameters: (parts.parameters ?? { type: 'object' }) as ToolDefinition['parameters'],
    output: {
      schema: (parts.output ?? {}) as ToolDefinition['parameters'],
      render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    execute: async () => parts.value ?? 'ran',
  });

async function call(definition: ToolDefinition, args: unknown) {
  const tools = createTools();
  tools.register(definition);
  return tools.pipeline.execute({
    callId: toolCallId('c1'),
    name: 'remote',
    arguments: args,
    signal: new AbortController().signal,
  });
}

describe('imported tools', () => {
  it('F1: keywords that nobody knows are one warning when the tool is registered, and the tool works', async () => {
    const warnings: string[] = [];
    const tools = createTools({ onWarning: (message) => warnings.push(message) });
    const parameters = { type: 'object', properties: { q: { type: 'string', widget: 'area', span: 2 } } };
    tools.register(tool({ parameters, output: { type: 'string', widget: 'line' } }));
    tools.register({ ...tool({}), name: 'plain' });
    expect(warnings).toEqual([
      'Tool "remote": its parameters: schema: unknown keywords are annotations: "widget", "span"',
      'Tool "remote": its output schema: schema: unknown keywords are annotations: "widget"',
    ]);
    const call = { callId: toolCallId('c1'), name: 'remote', arguments: { q: 'x' } };
    const result = await tools.pipeline.execute({ ...call, signal: new AbortController().signal });
    expect(result.value).toBe('ran');
  });

  it('F5: a schema that cannot be used warns of nothing else', () => {
    const warnings: string[] = [];
    const tools = createTools({ onWarning: (message) => warnings.push(message) });
    tools.register(tool({ parameters: { $ref: '#/$defs/gone' } }));
    expect(warnings).toEqual([]);
  });

  it('F7: arguments are validated before the body, with their paths', async () => {
    const parameters = { type: 'object', properties: { list: { type: 'array', items: { minimum: 3 } } } };
    const result = await call(tool({ parameters }), { list: [5, 1] });
    expect(result.error?.info).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' });
    expect(result.error?.message).toContain('list[1]');
    expect((await call(tool({ parameters }), { list: [5] })).value).toBe('ran');
  });

  it('F7: a result that breaks the declared output schema fails the call', async () => {
    const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    expect((await call(tool({ output, value: { n: 1 } }), {})).value).toEqual({ n: 1 });
    expect((await call(tool({ output, value: { n: 'one' } }), {})).error?.info?.code).toBe(
      'INVALID_TOOL_OUTPUT',
    );
  });

  it.each([
    [{ $ref: '#/$defs/gone' }],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ])('F5: the schema %j refuses its own tool, when it is called, with the reason', async (parameters) => {
    const result = await call(tool({ parameters }), {});
    expect(result.isError).toBe(true);
    expect(result.error?.message).toMatch(/^Cannot call "remote": its parameters cannot be used: /);
  });

  it('F2: the dialect is 2020-12 where the schema names none, and the one it names otherwise', async () => {
    const tuple = { type: 'object', properties: { pair: { prefixItems: [{ type: 'string' }] } } };
    expect((await call(tool({ parameters: tuple }), { pair: [1] })).isError).toBe(true);
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
    expect((await call(tool({ parameters: older }), { pair: [1] })).isError).toBe(false);
  });
});
