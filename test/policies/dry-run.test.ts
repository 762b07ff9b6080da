import { describe, expect, it } from 'vitest';
import { type DryRunOptions, dryRun } from '#dist/policies/dry-run.js';
import { placeholder } from '#dist/policies/placeholder.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { JsonSchemaNode } from '#dist/runtime/schema/json-schema.js';
import { schemaValidator } from '#dist/runtime/schema/schema-validator.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import type { Play } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost, textOf } from './policy-host.ts';

const bodies: string[] = [];
const tool = (name: string, overrides: Partial<ToolDefinition> = {}) =>
  makeTool(name, {
    output: { schema: {}, render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }] },
    execute: async () => {
      bodies.push(name);
      return name;
    },
    ...overrides,
  });

function dryHost(play: Play, options?: DryRunOptions) {
  bodies.length = 0;
  const host = ptcHost({ plays: { main: play } });
  host.tools.register(tool('read'), { readOnly: true });
  host.tools.register(tool('write'));
  host.tools.register(tool('remove'), { readOnly: false, destructive: true });
  const dispose = dryRun(host.tools, options);
  return { ...host, dispose };
}

describe('dryRun', () => {
  it('reading tools run, all others answer with a marked placeholder, and the result lists what was not done', async () => {
    const host = dryHost(async ({ tools }) => [
      await tools['read']!(),
      await tools['write']!({ path: 'a' }, { at: { line: 3, column: 9 } }),
      await tools['remove']!({ path: 'b' }),
    ]);
    const result = await host.run('main');
    expect(bodies).toEqual(['read']);
    expect(result.value).toEqual({ logs: [], result: ['read', { dryRun: true }, { dryRun: true }] });
    const block = result.content.at(-1) as { text: string };
    expect(block.text).toBe(
      '[dry run] calls that were not made (2):\n  write({"path":"a"}) (line 3)\n  remove({"path":"b"})',
    );
    const logged = host.agent.of('tool/ptc-dispatch').map(({ content }) => JSON.stringify(content));
    expect(logged.map((text) => text.includes('[dry run]'))).toEqual([false, true, true]);
  });

  it('the list is there when the program fails, is bounded, and starts anew with each run', async () => {
    const host = dryHost(
      async ({ tools }) => {
        for (let n = 0; n < 4; n += 1) await tools['write']!({ n });
        throw new Error('broke');
      },
      { maxListed: 2 },
    );
    for (let run = 0; run < 2; run += 1) {
      const result = await host.run('main');
      expect(result.isError).toBe(true);
      expect((result.content.at(-1) as { text: string }).text).toBe(
        '[dry run] calls that were not made (4):\n  write({"n":0})\n  write({"n":1})\n  … and 2 more',
      );
    }
    host.dispose();
    await host.run('main');
    expect(bodies).toHaveLength(4);
  });

  it('a direct call is not made either, and says so', async () => {
    bodies.length = 0;
    const host = policyHost();
    host.tools.register(tool('write'));
    const told: string[] = [];
    dryRun(host.tools, { onSkip: ({ name }) => void told.push(name) });
    const result = await host.call('write', { path: 'a' });
    expect(textOf(result)).toBe('{"dryRun":true}\n[dry run] write({"path":"a"})');
    expect([bodies, told]).toEqual([[], ['write']]);
  });

  it('where no value fits, the call fails and is still not made; so it is when the host cannot be told', async () => {
    bodies.length = 0;
    const host = policyHost();
    const impossible = {
      schema: { type: 'string', pattern: '^[A-Z]{3}\\d{9}$' } as JsonSchemaNode,
      dialect: '2020-12' as const,
    };
    host.tools.register(tool('odd', { output: { ...impossible, render: () => [] } }));
    const dispose = dryRun(host.tools);
    expect(outcomeOf(await host.call('odd'))).toBe(
      'Dry run: the call of "odd" was not made, and no made-up answer fits its output schema',
    );
    dispose();
    dryRun(host.tools, {
      onSkip: () => {
        throw new Error('full');
      },
    });
    expect(outcomeOf(await host.call('odd'))).toBe('Policy "dryRun" failed: full');
    expect(bodies).toEqual([]);
  });

  it('the mark follows a value that another policy replaces, and stands behind the feedback of a block', async () => {
    const host = policyHost();
    host.tools.register(tool('write'));
    dryRun(host.tools);
    const lift = host.tools.on('tools/post-execute', async () => ({ kind: 'accept', value: 'replaced' }));
    expect((await host.call('write')).additionalContexts?.[0]?.content).toEqual([
      { type: 'text', text: '[dry run] write({})' },
    ]);
    lift();
    host.tools.on('tools/post-execute', async () => ({
      kind: 'block',
      feedback: [{ type: 'text', text: 'no' }],
    }));
    expect(textOf(await host.call('write'))).toBe('no\n[dry run] write({})');
  });
});

describe('placeholder', () => {
  it.each<[string, object, unknown]>([
    ['a text', { type: 'string' }, '[dry run]'],
    ['a long text', { type: 'string', minLength: 12 }, '[dry run]...'],
    ['a short text', { type: 'string', maxLength: 4 }, '[dry'],
    ['a date', { type: 'string', format: 'date-time' }, '1970-01-01T00:00:00Z'],
    ['a bounded number', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    ['a negative number', { type: 'number', exclusiveMaximum: -1 }, -2],
    ['a flag', { type: 'boolean' }, false],
    ['nothing', { type: 'null' }, null],
    ['a choice', { enum: ['open', 'shut'] }, 'open'],
    ['a constant', { const: { a: 1 } }, { a: 1 }],
    ['a list', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    [
      'an open object',
      { type: 'object', required: ['id'], properties: { id: { type: 'string' }, more: {} } },
      { id: '[dry run]', dryRun: true },
    ],
    [
      'a closed object',
      {
        type: 'object',
        additionalProperties: false,
        required: ['ok'],
        properties: { ok: { type: 'boolean' } },
      },
      { ok: false },
    ],
    ['one of several', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
    [
      'all of several',
      {
        allOf: [
          { required: ['a'], properties: { a: { type: 'integer' } } },
          { required: ['b'], properties: { b: { type: 'null' } } },
        ],
      },
      { a: 0, b: null, dryRun: true },
    ],
    [
      'a reference',
      {
        $ref: '#/$defs/row',
        $defs: { row: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
      },
      { n: 0, dryRun: true },
    ],
    [
      'a tree',
      {
        $ref: '#/$defs/t',
        $defs: {
          t: {
            type: 'object',
            properties: { kids: { type: 'array', items: { $ref: '#/$defs/t' } } },
            required: ['kids'],
          },
        },
      },
      { kids: [], dryRun: true },
    ],
    ['anything', {}, { dryRun: true }],
    ['a nullable text', { type: ['null', 'string'] }, null],
  ])('%s fits its schema', (_, schema, value) => {
    const made = placeholder(schema as JsonSchemaNode, '2020-12', '[dry run]');
    expect(made).toEqual(value);
    expect(schemaValidator(schema as JsonSchemaNode, '2020-12')(made, 'value')).toEqual([]);
  });

  it('nothing is made up where nothing fits', () => {
    expect(placeholder({ not: {} } as JsonSchemaNode, '2020-12', 'x')).toBeUndefined();
  });
});
