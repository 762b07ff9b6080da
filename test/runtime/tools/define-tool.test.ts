import { describe, expect, it } from 'vitest';
import type { ToolRunContext } from '#dist/runtime/contract/execution.js';
import { JsonSchemaError, ToolArgsError, ToolOutputError } from '#dist/runtime/core/errors.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';
import { contentTool } from '../../support/content-tool.ts';

const exec = { signal: new AbortController().signal } as ToolRunContext;

const base = {
  name: 'greet',
  description: 'Greets somebody',
  parameters: {
    who: { type: 'string', required: true },
    times: { type: 'integer', default: 3 },
  },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { text: { type: 'string', required: true } },
    },
    render: (_args: unknown, value: { text: string }) => [{ type: 'text', text: value.text } as const],
  },
  execute: async ({ who, times }: { who: string; times?: number }) => ({
    text: `hello ${who} ${times ?? 1}`,
  }),
} as const;

describe('defineTool', () => {
  it('T1: both schemas are compiled at once', () => {
    const tool = defineTool(base);
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: { who: { type: 'string' }, times: { type: 'integer', default: 3 } },
      required: ['who'],
    });
    expect(tool.output.schema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    });
    const wrong = { type: 'text' };
    expect(() => defineTool({ ...base, parameters: { a: wrong } } as never)).toThrow(JsonSchemaError);
    expect(() => defineTool({ ...base, output: { ...base.output, schema: wrong } } as never)).toThrow(
      JsonSchemaError,
    );
  });

  it('T2, V26: invalid arguments never reach the body, and every mismatch is named', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      ...base,
      execute: async (args) => {
        seen.push(args);
        return { text: '' };
      },
    });
    const failure = await tool.execute({ times: 'many' }, exec).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolArgsError);
    expect((failure as ToolArgsError).code).toBe('INVALID_ARGS');
    expect((failure as ToolArgsError).violations).toEqual([
      'who: is required',
      'times: wanted an integer, received "many"',
    ]);
    for (const args of [undefined, null, 'x', []]) {
      await expect(tool.execute(args, exec)).rejects.toThrow(/arguments: wanted an object/);
    }
    expect(seen).toEqual([]);
  });

  it('T2, V22, E34: valid arguments arrive as they are, extra keys included, defaults not applied', async () => {
    const args = { who: 'you', extra: true };
    const seen: unknown[] = [];
    const tool = defineTool({
      ...base,
      execute: async (given, context) => {
        seen.push(given, context);
        return { text: 'hi' };
      },
    });
    expect(await tool.execute(args, exec)).toEqual({ text: 'hi' });
    expect(seen[0]).toBe(args);
    expect(seen[1]).toBe(exec);
    expect(args).toEqual({ who: 'you', extra: true });
  });

  it('T2: the functions keep what they belong to', async () => {
    const tool = defineTool({
      ...base,
      greeting: 'hello',
      async execute(this: { greeting: string }) {
        return { text: this.greeting };
      },
    } as never);
    expect(await tool.execute({ who: 'x' }, exec)).toEqual({ text: 'hello' });
  });

  it('T3, E33: presenters answer undefined for arguments that do not match, and never throw', () => {
    const tool = defineTool({
      ...base,
      presentCall: ({ who }) => {
        if (who === 'nobody') throw new Error('no card');
        return { card: 'generic', title: `Greet ${who}` };
      },
      presentResult: ({ who }, result) => {
        if (who === 'nobody') throw new Error('no card');
        return { card: 'generic', title: who, content: result.content };
      },
    });
    const result = { content: [], isError: false };
    expect(tool.presentCall?.({ who: 'you' })).toEqual({ card: 'generic', title: 'Greet you' });
    expect(tool.presentResult?.({ who: 'you' }, result)).toEqual({
      card: 'generic',
      title: 'you',
      content: [],
    });
    for (const args of [{ who: 1 }, {}, null, 'old text', { who: 'nobody' }]) {
      expect(tool.presentCall?.(args)).toBeUndefined();
      expect(tool.presentResult?.(args, result)).toBeUndefined();
    }
  });

  it('T4, E124: calls with invalid arguments are never safe to overlap; only an exact true is', () => {
    const safe = (answer: unknown) => defineTool({ ...base, isConcurrencySafe: () => answer as boolean });
    expect(safe(true).isConcurrencySafe?.({ who: 'x' })).toBe(true);
    expect(safe(true).isConcurrencySafe?.({ who: 1 })).toBe(false);
    expect(safe(true).isConcurrencySafe?.(undefined)).toBe(false);
    expect(safe(1).isConcurrencySafe?.({ who: 'x' })).toBe(false);
  });

  it('T5: projectContent and finalizeContent are the author’s own, and get the execution', () => {
    const projectContent = () => undefined;
    const finalizeContent = () => [];
    const tool = defineTool({ ...base, projectContent, finalizeContent });
    expect(tool.projectContent).toBe(projectContent);
    expect(tool.finalizeContent).toBe(finalizeContent);
  });

  it('T3, T6: what the author left out is absent', () => {
    const optional = [
      'projectContent',
      'finalizeContent',
      'timeoutMs',
      'isConcurrencySafe',
      'presentCall',
      'presentResult',
    ];
    const plain = defineTool(base);
    expect(Object.keys(plain)).toEqual(['name', 'description', 'parameters', 'output', 'execute']);
    expect(Object.keys(plain.output)).toEqual(['schema', 'render']);
    const undefinedOnes = Object.fromEntries(optional.map((key) => [key, undefined]));
    const tool = defineTool({
      ...base,
      ...undefinedOnes,
      output: { ...base.output, presentationMeta: undefined },
    } as never);
    expect(Object.keys(tool)).toEqual(Object.keys(plain));
    expect(Object.keys(tool.output)).toEqual(Object.keys(plain.output));
  });

  it('R10: a budget that is not positive and finite is refused', () => {
    expect(defineTool({ ...base, timeoutMs: 50 }).timeoutMs).toBe(50);
    for (const timeoutMs of [0, -1, Number.NaN, Infinity, '5' as never]) {
      expect(() => defineTool({ ...base, timeoutMs })).toThrow('greet.timeoutMs');
    }
  });

  it('R8: a missing name or function fails where the tool is defined', () => {
    expect(() => defineTool({ ...base, name: '' })).toThrow('"name"');
    expect(() => defineTool({ ...base, execute: undefined as never })).toThrow('"greet.execute"');
    expect(() => defineTool({ ...base, output: { schema: base.output.schema } as never })).toThrow(
      '"greet.output.render"',
    );
    expect(() => defineTool({ ...base, presentCall: 'card' as never })).toThrow('"greet.presentCall"');
    expect(() => defineTool(undefined as never)).toThrow(
      'Cannot define a tool: wanted an object, received undefined',
    );
    for (const output of [undefined, null, 'text']) {
      expect(() => defineTool({ ...base, output: output as never })).toThrow(
        'Cannot use option "greet.output": wanted an object with schema and render',
      );
    }
    expect(() =>
      defineTool({ ...base, output: { ...base.output, presentationMeta: null as never } }),
    ).toThrow('"greet.output.presentationMeta"');
  });

  it('P48, P57: a projector or finalizer that is no function fails where the tool is defined, not at its first call', () => {
    for (const key of ['projectContent', 'finalizeContent']) {
      for (const bad of [null, 5, '', []]) {
        expect(() => defineTool({ ...base, [key]: bad as never })).toThrow(
          `"greet.${key}": wanted a function`,
        );
      }
    }
  });

  it('T7: a tool whose value is its content serves tests', async () => {
    const tool = contentTool('show', [{ type: 'text', text: 'seen' }]);
    const value = await tool.execute({}, exec);
    expect(tool.output.render({}, value as never)).toEqual([{ type: 'text', text: 'seen' }]);
  });

  it('T8, P35: what was not validated is not rendered', () => {
    const tool = defineTool({
      ...base,
      output: { ...base.output, presentationMeta: ({ who }) => ({ who }) },
    });
    expect(tool.output.render({ who: 'you' }, { text: 'hi' })).toEqual([{ type: 'text', text: 'hi' }]);
    expect(tool.output.presentationMeta?.({ who: 'you' }, { text: 'hi' })).toEqual({ who: 'you' });
    for (const project of [tool.output.render, tool.output.presentationMeta!]) {
      expect(() => project({ who: 1 }, { text: 'hi' })).toThrow(ToolOutputError);
      expect(() => project(null, { text: 'hi' })).toThrow(
        /Cannot render "greet" for invalid arguments: arguments: /,
      );
    }
  });
});
