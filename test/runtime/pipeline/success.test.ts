import { describe, expect, it } from 'vitest';
import type { ToolDefinition, ToolOutputDefinition } from '#dist/runtime/contract/definition.js';
import { callInput, coded, failureParts, fakeHost, fakeTool, text } from './fake-host.ts';

const invalid = (message: string) =>
  coded('ToolOutputError', 'INVALID_TOOL_OUTPUT', `Invalid output of "echo": ${message}`);

/** Runs one body under an output contract. */
async function run(execute: ToolDefinition['execute'], output: Partial<ToolOutputDefinition> = {}) {
  const host = fakeHost(fakeTool({ execute, output: { ...fakeTool().output, ...output } }));
  const posts: string[] = [];
  host.on('tools/post-execute', async (_exec, result, next) => {
    posts.push(result.isError ? 'failure' : 'success');
    return next();
  });
  const result = await host.pipeline.execute(callInput());
  expect(posts).toEqual([result.isError ? 'failure' : 'success']);
  return result;
}

describe('the canonical value', () => {
  it('P42: it is a snapshot: what the body keeps a hold of cannot change it, and each getter is read once', async () => {
    let reads = 0;
    const own = {
      list: [1],
      get n() {
        reads += 1;
        return reads;
      },
    };
    const result = await run(async () => own);
    own.list.push(2);
    expect(result.value).toEqual({ list: [1], n: 1 });
    expect(reads).toBe(1);
  });

  const LOSSY: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['-0', -0],
    ['a Date', new Date(0)],
    ['an undefined property', { a: undefined }],
    ['a hole', Array(1)],
  ];
  it.each(LOSSY)('P42: %s is not lossless and fails as invalid output, reviewed', async (_, value) => {
    expect(failureParts(await run(async () => value))).toEqual(invalid('its value is not lossless JSON'));
  });

  it('P42: a body may return an object whose "then" is data', async () => {
    expect((await run(async () => ({ then: 'later' }))).value).toEqual({ then: 'later' });
  });

  it('P42: a throwing getter is named in the failure', async () => {
    const hostile = {
      get n(): never {
        throw new Error('no n today');
      },
    };
    expect(failureParts(await run(async () => hostile))).toEqual(
      invalid('taking a snapshot of its value failed: no n today'),
    );
  });

  it('P43: violations of the schema are listed with paths from "value"', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' }, s: { type: 'string' } },
      required: ['n', 's'],
    } as const;
    const result = await run(async () => ({ n: 'x' }), { schema });
    expect(result.error?.info).toEqual({ name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' });
    expect(result.error?.message).toMatch(/^Invalid output of "echo": .*value\.?.*s.*; .*value\.n/);
  });

  it('P43: a value that fits passes, and nothing is projected from one that does not', async () => {
    let renders = 0;
    const output: Partial<ToolOutputDefinition> = {
      schema: { type: 'integer' },
      render: () => {
        renders += 1;
        return [];
      },
    };
    expect((await run(async () => 3, output)).value).toBe(3);
    expect((await run(async () => 'three', output)).error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
    expect(renders).toBe(1);
  });

  it('P47, P44: value, content, meta and the success itself are deep-frozen; the projectors get them frozen', async () => {
    const seen: unknown[] = [];
    const result = await run(async () => ({ rows: [{ n: 1 }] }), {
      render: (args, value) => {
        seen.push(args, value, (value as { rows: unknown[] }).rows[0]);
        return [text('a'), { type: 'json', data: { deep: [1] } }];
      },
      presentationMeta: (args, value) => {
        seen.push(args, value);
        return { deep: [1] };
      },
    });
    expect(seen.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true, true]);
    expect(seen[1]).toBe(result.value);
    const block = result.content[1] as unknown as { data: { deep: number[] } };
    const meta = result.meta as { deep: number[] };
    for (const part of [result, result.content, block, block.data, block.data.deep, meta, meta.deep]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Reflect.set(result, 'value', 1)).toBe(false);
  });
});

describe('the projectors', () => {
  it('P44: render gets the frozen arguments and value, and its blocks are a snapshot', async () => {
    const blocks = [{ type: 'text', text: 'mine' }];
    const calls: unknown[][] = [];
    const result = await run(async () => 'v', {
      render: (...args) => {
        calls.push(args);
        return blocks as never;
      },
    });
    blocks[0]!.text = 'changed';
    expect(calls).toEqual([[{ a: 1 }, 'v']]);
    expect(result.content).toEqual([text('mine')]);
  });

  it('P44: it is called as a method of the output definition', async () => {
    const output = {
      schema: {},
      prefix: 'mine',
      render() {
        return [text(this.prefix)];
      },
      presentationMeta() {
        return this.prefix;
      },
    };
    const result = await run(async () => 1, output);
    expect([result.content, result.meta]).toEqual([[text('mine')], 'mine']);
  });

  const RENDERS: readonly [string, () => unknown, string][] = [
    [
      'throws',
      () => {
        throw new Error('no template');
      },
      'no template',
    ],
    [
      'returns lossy blocks',
      () => [{ type: 'text', text: 'x', at: new Date(0) }],
      'Cannot take the content of "echo": wanted lossless JSON, received an array',
    ],
    [
      'returns text',
      () => 'x',
      'Cannot take the content of "echo": wanted an array of content blocks, received "x"',
    ],
    [
      'returns text in an array',
      () => ['x'],
      'Cannot take the content of "echo": wanted content blocks with a "type", received "x"',
    ],
    [
      'returns null in an array',
      () => [null],
      'Cannot take the content of "echo": wanted content blocks with a "type", received null',
    ],
    [
      'returns a block whose type is no string',
      () => [{ type: 1, text: 'x' }],
      'Cannot take the content of "echo": wanted content blocks with a "type", received an object',
    ],
    [
      'returns a promise that rejects',
      () => Promise.reject(new Error('async render')),
      'Cannot take the content of "echo": wanted lossless JSON, received an object',
    ],
    [
      'returns nothing',
      () => undefined,
      'Cannot take the content of "echo": wanted lossless JSON, received undefined',
    ],
  ];
  it.each(RENDERS)('P44: a render that %s is invalid output that names it', async (_, render, message) => {
    const result = await run(async () => 1, { render: render as never });
    expect(failureParts(result)).toEqual(invalid(`"render" failed: ${message}`));
  });

  it('P45: meta is computed for direct and nested calls alike, and without a projector there is no key', async () => {
    const tool = fakeTool({
      output: { ...fakeTool().output, presentationMeta: (args, value) => ({ args, value }) as never },
    });
    const host = fakeHost(tool);
    const direct = await host.pipeline.execute(callInput());
    const nested = await host.pipeline.execute(callInput({ parent: Symbol('outer') as never }));
    expect([direct.meta, nested.meta]).toEqual(Array(2).fill({ args: { a: 1 }, value: { a: 1 } }));
    expect(Object.hasOwn(await run(async () => 1), 'meta')).toBe(false);
  });

  const METAS: readonly [string, () => unknown, string][] = [
    [
      'throws',
      () => {
        throw new Error('no meta');
      },
      'no meta',
    ],
    ['is lossy', () => new Map(), 'Cannot take the meta of "echo": wanted lossless JSON, received an object'],
    [
      'is undefined',
      () => undefined,
      'Cannot take the meta of "echo": wanted lossless JSON, received undefined',
    ],
  ];
  it.each(METAS)(
    'P45: presentationMeta that %s is invalid output that names it',
    async (_, presentationMeta, message) => {
      const result = await run(async () => 1, { presentationMeta: presentationMeta as never });
      expect(failureParts(result)).toEqual(invalid(`"presentationMeta" failed: ${message}`));
    },
  );

  it('P45: null is a meta', async () => {
    expect((await run(async () => 1, { presentationMeta: () => null })).meta).toBeNull();
  });
});

describe('concludeTurn', () => {
  it('P46: it marks a success, and no failure', async () => {
    const done = await run(async (_args, exec) => exec.concludeTurn() ?? 'done');
    expect(done.concludesTurn).toBe(true);
    expect(Object.hasOwn(await run(async () => 'done'), 'concludesTurn')).toBe(false);
    const failed = await run(async (_args, exec) => {
      exec.concludeTurn();
      throw new Error('after all');
    });
    expect(Object.hasOwn(failed, 'concludesTurn')).toBe(false);
    const lossy = await run(async (_args, exec) => exec.concludeTurn() ?? 1n);
    expect(Object.hasOwn(lossy, 'concludesTurn')).toBe(false);
  });
});
