import { describe, expect, it } from 'vitest';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { ToolArgsError } from '#dist/runtime/core/errors.js';
import { AFTER_START, BEFORE_DISPATCH, unknownTool } from './cancel-texts.ts';
import { callInput, coded, context, failureParts, fakeHost, fakeTool, text, uncoded } from './fake-host.ts';

/** A host whose only wrapper answers instead of the body, or makes something of the body's result. */
function answeringHost(
  answer: (inner: () => Promise<ToolExecutionResult>) => unknown,
  overrides: Parameters<typeof fakeTool>[0] = {},
) {
  const phases: string[] = [];
  const tool = fakeTool({
    finalizeContent: () => {
      phases.push('finalize');
      return undefined;
    },
    ...overrides,
  });
  const host = fakeHost({
    ...tool,
    execute: (args, exec) => {
      phases.push('body');
      return tool.execute(args, exec);
    },
  });
  host.on('tools/execute', async (_exec, next) => (await answer(next)) as ToolExecutionResult);
  host.on('tools/post-execute', async (_exec, _result, next) => {
    phases.push('post');
    return next();
  });
  return { host, phases };
}

const success = { isError: false, value: { n: 1 }, content: [text('authored')], meta: { authored: true } };

describe('a success that a wrapper authored', () => {
  it('P35, E48: only its value and contexts count: content and meta come from the tool’s own contract, and no body runs', async () => {
    const { host, phases } = answeringHost(
      () => ({ ...success, additionalContexts: [context('from wrapper')] }),
      {
        output: {
          schema: {},
          render: (args, value) => [text(`${JSON.stringify(args)} ${JSON.stringify(value)}`)],
          presentationMeta: (args, value) => [args, value] as never,
        },
      },
    );
    expect(await host.pipeline.execute(callInput())).toEqual({
      isError: false,
      value: { n: 1 },
      content: [text('{"a":1} {"n":1}')],
      meta: [{ a: 1 }, { n: 1 }],
      additionalContexts: [context('from wrapper')],
    });
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P35: its value is a snapshot: the wrapper cannot change it later', async () => {
    const value = { n: 1 };
    const { host } = answeringHost(() => ({ isError: false, value, content: [] }));
    const result = await host.pipeline.execute(callInput());
    value.n = 2;
    expect(result.value).toEqual({ n: 1 });
    expect(Object.isFrozen(result.value)).toBe(true);
  });

  it('P35: a value against the tool’s schema, or lossy, fails as invalid output with the wrapper’s contexts, reviewed', async () => {
    const { host, phases } = answeringHost(() => ({
      ...success,
      value: 1n,
      additionalContexts: [context('kept')],
    }));
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(
      coded(
        'ToolOutputError',
        'INVALID_TOOL_OUTPUT',
        'Invalid output of "echo": its value is not lossless JSON',
      ),
    );
    expect(result.additionalContexts).toEqual([context('kept')]);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P37, E47: a canonical result of another call is made anew for this one', async () => {
    const cache: ToolExecutionResult[] = [];
    const other = fakeHost(fakeTool({ execute: async (_args, exec) => exec.concludeTurn() ?? 'cached' }));
    cache.push(await other.pipeline.execute(callInput()));
    expect(cache[0]?.concludesTurn).toBe(true);
    const { host } = answeringHost(() => cache[0], {
      output: { schema: {}, render: () => [text('rendered here')] },
    });
    const result = await host.pipeline.execute(callInput());
    expect(result).toEqual({ isError: false, value: 'cached', content: [text('rendered here')] });
    expect(result).not.toBe(cache[0]);
  });

  it('P37: a cached result of an earlier call of the same tool is made anew too', async () => {
    let renders = 0;
    let cached: ToolExecutionResult | undefined;
    const { host } = answeringHost(
      async (inner) => {
        cached ??= await inner();
        return cached;
      },
      {
        output: {
          schema: {},
          render: () => {
            renders += 1;
            return [text(`render ${renders}`)];
          },
        },
      },
    );
    const first = await host.pipeline.execute(callInput());
    const second = await host.pipeline.execute(callInput());
    expect(first).toBe(cached);
    expect([first.content, second.content]).toEqual([[text('render 1')], [text('render 2')]]);
  });

  it('P38: a spread copy of the body’s own success is rendered again, so no content is smuggled in', async () => {
    const { host, phases } = answeringHost(async (inner) => ({
      ...(await inner()),
      content: [text('smuggled')],
      meta: 'smuggled',
    }));
    expect(await host.pipeline.execute(callInput())).toEqual({
      isError: false,
      value: { a: 1 },
      content: [text('value {"a":1}')],
    });
    expect(phases).toEqual(['body', 'post', 'finalize']);
  });

  it('P40: for a tool that vanished it ends as unknown, reviewed', async () => {
    const { host, phases } = answeringHost(() => {
      host.tools.clear();
      return { ...success, additionalContexts: [context('kept')] };
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(unknownTool('echo'));
    expect(result.additionalContexts).toEqual([context('kept')]);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P41, E46: overtaken by the caller’s abort it is aborted before dispatch and keeps its contexts', async () => {
    const controller = new AbortController();
    const { host, phases } = answeringHost(() => {
      controller.abort();
      return { ...success, additionalContexts: [context('from wrapper')] };
    });
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(BEFORE_DISPATCH);
    expect(result.additionalContexts).toEqual([context('from wrapper')]);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P41: a cancellation without contexts has no key for them', async () => {
    const controller = new AbortController();
    const { host } = answeringHost(() => {
      controller.abort();
      return success;
    });
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(Object.keys(result).sort()).toEqual(['content', 'error', 'isError']);
    expect(Object.isFrozen(result)).toBe(true);
  });

  it('P41: an abort while the wrapper waits behind the body is ABORTED, with the body’s contexts in front of the wrapper’s', async () => {
    const controller = new AbortController();
    const { host } = answeringHost(
      async (inner) => {
        const result = await inner();
        controller.abort();
        return { ...result, additionalContexts: [context('wrapper')] };
      },
      {
        execute: async (_args, exec) => {
          exec.deferContext(context('body'));
          return 'fine';
        },
      },
    );
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(AFTER_START);
    expect(result.additionalContexts).toEqual([context('body'), context('wrapper')]);
  });

  it('P46, P35: a wrapper cannot conclude the turn; only the body of this call can', async () => {
    const claimed = answeringHost(() => ({ ...success, concludesTurn: true }));
    expect(Object.hasOwn(await claimed.host.pipeline.execute(callInput()), 'concludesTurn')).toBe(false);
    const earned = answeringHost(
      async (inner) => {
        const { concludesTurn: _, ...rest } = await inner();
        return rest;
      },
      { execute: async (_args, exec) => exec.concludeTurn() ?? 'done' },
    );
    expect((await earned.host.pipeline.execute(callInput())).concludesTurn).toBe(true);
  });
});

describe('a failure that a wrapper authored', () => {
  it('P36: error, content, meta and contexts are kept as given and frozen; everything else is dropped', async () => {
    const authored = {
      isError: true,
      error: { message: 'throttled', info: { name: 'Throttled', code: 'RATE', reason: 'too many' } },
      content: [text('come back later'), { type: 'audio', data: 'x' }],
      meta: { retryAfter: 3 },
      additionalContexts: [context('from wrapper')],
      value: 'not for a failure',
      concludesTurn: true,
      callId: 'forged',
      name: 'forged',
    };
    const { host, phases } = answeringHost(() => authored);
    const result = await host.pipeline.execute(callInput());
    const { value: _v, concludesTurn: _c, callId: _i, name: _n, ...kept } = authored;
    expect(result).toEqual(kept);
    expect(Object.keys(result).sort()).toEqual(Object.keys(kept).sort());
    for (const part of [
      result,
      result.error,
      result.error?.info,
      result.content,
      result.content[0],
      result.meta,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.isFrozen(authored.content)).toBe(false);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P36, P59: without info, meta and contexts it has no such keys, and is frozen all the same', async () => {
    const { host } = answeringHost(() => ({ isError: true, error: { message: 'x' }, content: [] }));
    const result = await host.pipeline.execute(callInput());
    expect(Object.keys(result).sort()).toEqual(['content', 'error', 'isError']);
    expect(Object.keys(result.error!)).toEqual(['message']);
    expect([result, result.error, result.content].map((part) => Object.isFrozen(part))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('P36: contexts that the body deferred come in front of its own', async () => {
    const { host } = answeringHost(
      async (inner) => {
        await inner();
        return {
          isError: true,
          error: { message: 'x' },
          content: [],
          additionalContexts: [context('wrapper')],
        };
      },
      { execute: async (_args, exec) => exec.deferContext(context('body')) ?? null },
    );
    const result = await host.pipeline.execute(callInput());
    expect(result.additionalContexts).toEqual([context('body'), context('wrapper')]);
  });

  const LOSSY: readonly [string, object][] = [
    ['meta', { meta: { when: new Date(0) } }],
    ['content', { content: [{ type: 'text', text: () => 'x' }] }],
    ['content that is no list', { content: 'Error' }],
    ['content that holds no blocks', { content: ['Error'] }],
    ['text without text', { content: [{ type: 'text' }] }],
    ['contexts', { additionalContexts: [() => {}] }],
    ['contexts that are no messages', { additionalContexts: ['later'] }],
    ['an error', { error: { message: 'x', info: { name: 'A', code: 1n } } }],
    ['an error without a message', { error: { text: 'x' } }],
    ['no error', { error: undefined }],
    ['null for an error', { error: null }],
    ['info without a code', { error: { message: 'x', info: { name: 'A' } } }],
  ];
  it.each(LOSSY)(
    'P58, E57: with lossy or missing %s it is a safe error result that is still reviewed and finalised',
    async (_, part) => {
      const { host, phases } = answeringHost(() => ({
        isError: true,
        error: { message: 'x' },
        content: [],
        ...part,
      }));
      const result = await host.pipeline.execute(callInput());
      expect(result.error?.message).toMatch(
        /^Cannot take the \w+ of the result of a "tools\/execute" listener: wanted /,
      );
      expect(result.error?.info).toBeUndefined();
      expect(result.content).toEqual([text(`Error: ${result.error?.message}`)]);
      expect(phases).toEqual(['post', 'finalize']);
    },
  );

  it('P58: a throwing getter in it gives its own message', async () => {
    const { host, phases } = answeringHost(() => ({
      isError: true,
      error: { message: 'x' },
      get content(): never {
        throw new Error('hostile content');
      },
    }));
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(uncoded('hostile content'));
    expect(phases).toEqual(['post', 'finalize']);
  });
});

describe('a wrapper that fails', () => {
  it('P39, E53: one that throws skips post-execute, loses the body’s contexts and is finalised; a coded error keeps its code', async () => {
    const deferring = {
      execute: async (_: unknown, exec: { deferContext(c: unknown): void }) =>
        exec.deferContext(context('lost')) ?? 1,
    };
    const { host, phases } = answeringHost(async (inner) => {
      await inner();
      throw new ToolArgsError(['late']);
    }, deferring as never);
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(coded('ToolArgsError', 'INVALID_ARGS', 'Invalid arguments: late'));
    expect(Object.hasOwn(result, 'additionalContexts')).toBe(false);
    expect(phases).toEqual(['body', 'finalize']);
  });

  it('P39: its failure stays when the caller has aborted', async () => {
    const controller = new AbortController();
    const { host } = answeringHost(() => {
      controller.abort();
      throw new Error('broken wrapper');
    });
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(uncoded('broken wrapper'));
  });

  const NO_RESULTS: readonly [string, unknown, string][] = [
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['text', 'done', '"done"'],
    ['an object without isError', { value: 1 }, 'an object'],
    ['isError that is no boolean', { isError: 0, value: 1 }, 'an object'],
  ];
  it.each(NO_RESULTS)('P39: returning %s is its failure', async (_, answer, shown) => {
    const { host, phases } = answeringHost(() => answer);
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(
      uncoded(
        `Cannot take the result of a "tools/execute" listener: wanted a result with "isError", received ${shown}`,
      ),
    );
    expect(phases).toEqual(['finalize']);
  });
});
