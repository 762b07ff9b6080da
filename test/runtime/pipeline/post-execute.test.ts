import { describe, expect, it } from 'vitest';
import type { PostToolDecision } from '#dist/runtime/contract/decisions.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { ToolArgsError } from '#dist/runtime/core/errors.js';
import { AFTER_START, BEFORE_DISPATCH, unknownTool } from './cancel-texts.ts';
import { callInput, coded, context, failureParts, fakeHost, fakeTool, text, uncoded } from './fake-host.ts';

const WHAT = 'the decision of "tools/post-execute"';

/** A host over a tool that defers a context; what is finalised is noted. */
function deferringHost(overrides: Partial<ToolDefinition> = {}) {
  const finalized: ToolExecutionResult[] = [];
  const host = fakeHost(
    fakeTool({
      execute: async (_args, exec) => {
        exec.deferContext(context('tool'));
        return { n: 1 };
      },
      output: {
        schema: { type: 'object', properties: { n: { type: 'number' } } },
        render: (_args, value) => [text(`value ${JSON.stringify(value)}`)],
        presentationMeta: (_args, value) => [value],
      },
      finalizeContent: (_exec, result) => {
        finalized.push(result);
        return undefined;
      },
      ...overrides,
    }),
  );
  return { host, finalized };
}

/** The same with one post-execute listener that answers with a fixed decision. */
function decidingHost(decision: unknown, overrides: Partial<ToolDefinition> = {}) {
  const { host, finalized } = deferringHost(overrides);
  host.on('tools/post-execute', async () => decision as PostToolDecision);
  return { host, finalized, run: () => host.pipeline.execute(callInput()) };
}

const BASE = {
  isError: false,
  value: { n: 1 },
  content: [text('value {"n":1}')],
  meta: [{ n: 1 }],
  additionalContexts: [context('tool')],
};

const throwing = async () => {
  throw new Error('boom');
};

describe('accept', () => {
  it('P49: without fields nothing changes, and the result stays the very object that listeners saw', async () => {
    let seen: unknown;
    const { host } = deferringHost();
    host.on('tools/post-execute', async (_exec, result, next) => {
      seen = result;
      return next();
    });
    const result = await host.pipeline.execute(callInput());
    expect(result).toEqual(BASE);
    expect(result).toBe(seen);
  });

  it('P54: the innermost next() accepts, and what the outermost returns counts', async () => {
    const { host } = deferringHost();
    const inner: unknown[] = [];
    host.on('tools/post-execute', async (_exec, _result, next) => {
      const decision = await next();
      return { ...decision, additionalContexts: [context('outer'), ...(decision.additionalContexts ?? [])] };
    });
    host.on('tools/post-execute', async (_exec, _result, next) => {
      inner.push(await next());
      return { kind: 'accept', additionalContexts: [context('inner')] };
    });
    const result = await host.pipeline.execute(callInput());
    expect(inner).toEqual([{ kind: 'accept' }]);
    expect(result.additionalContexts).toEqual([context('tool'), context('outer'), context('inner')]);
  });

  it('P54: what next() says cannot be changed for other calls', async () => {
    const { host } = deferringHost();
    const changed: boolean[] = [];
    host.on('tools/post-execute', async (_exec, _result, next) => {
      const decision = await next();
      changed.push(Reflect.set(decision, 'kind', 'block'), Reflect.set(decision, 'content', []));
      return decision;
    });
    expect(await host.pipeline.execute(callInput())).toEqual(BASE);
    expect(changed).toEqual([false, false]);
  });

  it('P49: content is replaced alone; value and meta stay, so it hides nothing from a program', async () => {
    const { run } = decidingHost({ kind: 'accept', content: [text('short')] });
    expect(await run()).toEqual({ ...BASE, content: [text('short')] });
  });

  it('P49: content may be replaced on a failure too, whose error stays', async () => {
    const { run } = decidingHost({ kind: 'accept', content: [text('sorry')] }, { execute: throwing });
    expect(await run()).toEqual({ isError: true, error: { message: 'boom' }, content: [text('sorry')] });
  });

  it('P50: a value is taken, validated, rendered and given meta anew; wrapper and projected content is gone, contexts stay', async () => {
    const value = { n: 2 };
    const { run } = decidingHost(
      { kind: 'accept', value, additionalContexts: [context('decision')] },
      { projectContent: () => [text('projected')] },
    );
    const result = await run();
    value.n = 3;
    expect(result).toEqual({
      isError: false,
      value: { n: 2 },
      content: [text('value {"n":2}')],
      meta: [{ n: 2 }],
      additionalContexts: [context('tool'), context('decision')],
    });
    expect(Object.isFrozen(result.value)).toBe(true);
  });

  it('P46: a value replacement keeps the conclusion that the body asked for', async () => {
    const { run } = decidingHost(
      { kind: 'accept', value: { n: 2 } },
      { execute: async (_args, exec) => exec.concludeTurn() ?? { n: 1 } },
    );
    expect(await run()).toMatchObject({ value: { n: 2 }, concludesTurn: true });
  });

  it('P50: a value against the schema, or lossy, is invalid output', async () => {
    const wrong = await decidingHost({ kind: 'accept', value: { n: 'x' } }).run();
    expect(wrong.error?.info).toEqual({ name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' });
    expect(wrong.error?.message).toMatch(/^Invalid output of "echo": value\.n/);
    const lossy = await decidingHost({ kind: 'accept', value: 1n }).run();
    expect(failureParts(lossy)).toEqual(
      coded(
        'ToolOutputError',
        'INVALID_TOOL_OUTPUT',
        'Invalid output of "echo": its value is not lossless JSON',
      ),
    );
  });

  it('P50, P42: a value that is a promise is refused, and its rejection ends no process', async () => {
    const value = Promise.reject(new Error('nobody waits for this'));
    const { run } = decidingHost({ kind: 'accept', value });
    expect((await run()).error?.message).toBe('Invalid output of "echo": its value is not lossless JSON');
  });

  it('P50: a value on a failed result is an error without a code', async () => {
    const { run } = decidingHost({ kind: 'accept', value: { n: 2 } }, { execute: throwing });
    expect(failureParts(await run())).toEqual(
      uncoded('Cannot replace the value of "echo": wanted a success, received a failure'),
    );
  });

  it('P50, E49: a value for a tool that went away during post-execute is UNKNOWN_TOOL', async () => {
    const { host } = deferringHost();
    host.on('tools/post-execute', async () => {
      host.tools.clear();
      return { kind: 'accept', value: { n: 2 } };
    });
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(unknownTool('echo'));
  });

  it('E118: an own value that is undefined is a replacement, and invalid output', async () => {
    const { run } = decidingHost({ kind: 'accept', value: undefined });
    expect((await run()).error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
  });

  it('P51, E50: owning both keys is an error without a code, even where one is undefined; inherited keys do not count', async () => {
    const both = uncoded(`Cannot take ${WHAT}: wanted "content" or "value", received both`);
    for (const extra of [
      { content: [text('x')], value: { n: 2 } },
      { content: undefined, value: { n: 2 } },
      { content: [text('x')], value: undefined },
      { content: undefined, value: undefined },
    ]) {
      expect(failureParts(await decidingHost({ kind: 'accept', ...extra }).run())).toEqual(both);
    }
    const inherited = Object.assign(Object.create({ value: { n: 9 }, content: [] }), { kind: 'accept' });
    expect(await decidingHost(inherited).run()).toEqual(BASE);
  });

  it('P53: contexts come in the order tool, wrapper, decision, and are frozen', async () => {
    const { host, run } = decidingHost({ kind: 'accept', additionalContexts: [context('decision')] });
    host.on('tools/execute', async (_exec, next) => ({
      ...(await next()),
      additionalContexts: [context('wrapper')],
    }));
    const result = await run();
    expect(result.additionalContexts).toEqual([context('tool'), context('wrapper'), context('decision')]);
    expect(Object.isFrozen(result.additionalContexts)).toBe(true);
    expect(result.additionalContexts!.map((each) => Object.isFrozen(each.content[0]))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('block', () => {
  it('P52, E52, E64: feedback is the content verbatim; value, meta, error identity, conclusion and the tool’s contexts are gone', async () => {
    const feedback = [text('first'), text('second')];
    const { run } = decidingHost(
      { kind: 'block', feedback, additionalContexts: [context('decision')] },
      {
        execute: async (_args, exec) => {
          exec.deferContext(context('tool'));
          exec.concludeTurn();
          return { n: 1 };
        },
      },
    );
    const result = await run();
    expect(result).toEqual({
      isError: true,
      error: { message: 'first\nsecond' },
      content: feedback,
      additionalContexts: [context('decision')],
    });
    expect(Object.keys(result).sort()).toEqual(['additionalContexts', 'content', 'error', 'isError']);
  });

  it('P52: a coded failure that is blocked loses its code', async () => {
    const { run } = decidingHost(
      { kind: 'block', feedback: [text('hidden')] },
      {
        execute: async () => {
          throw new ToolArgsError(['a']);
        },
      },
    );
    expect(await run()).toEqual({ isError: true, error: { message: 'hidden' }, content: [text('hidden')] });
  });

  it('P52, E51: what is no text reads as its bracketed type, and no text at all as a fixed sentence', async () => {
    const mixed = [text('see'), { type: 'image', data: '', mimeType: 'image/png' }, { type: 'audio' }];
    const { run } = decidingHost({ kind: 'block', feedback: mixed });
    expect(await run()).toEqual({
      isError: true,
      error: { message: 'see\n[image]\n[audio]' },
      content: mixed,
    });
    for (const feedback of [[], [text('')]]) {
      expect(await decidingHost({ kind: 'block', feedback }).run()).toEqual({
        isError: true,
        error: { message: 'The result was blocked by a policy' },
        content: feedback,
      });
    }
  });

  it('P53: a block without contexts of its own leaves none', async () => {
    const result = await decidingHost({ kind: 'block', feedback: [text('no')] }).run();
    expect(Object.hasOwn(result, 'additionalContexts')).toBe(false);
  });
});

describe('decisions that cannot be taken', () => {
  const MALFORMED: readonly [string, unknown, string][] = [
    ['nothing', undefined, 'wanted the kind "accept" or "block", received undefined'],
    ['null', null, 'wanted the kind "accept" or "block", received null'],
    ['a foreign kind', { kind: 'allow' }, 'wanted the kind "accept" or "block", received "allow"'],
    ['no kind', {}, 'wanted the kind "accept" or "block", received undefined'],
  ];
  it.each(MALFORMED)(
    'P55: %s is a safe error result that loses the contexts and is finalised',
    async (_, decision, message) => {
      const { run, finalized } = decidingHost(decision);
      const result = await run();
      expect(failureParts(result)).toEqual(uncoded(`Cannot take ${WHAT}: ${message}`));
      expect(Object.hasOwn(result, 'additionalContexts')).toBe(false);
      expect(finalized).toEqual([result]);
    },
  );

  const LOSSY: readonly [string, unknown, RegExp][] = [
    [
      'content',
      { kind: 'accept', content: [{ type: 'text', text: 1n }] },
      /^Cannot take the content of .*lossless/,
    ],
    ['content undefined', { kind: 'accept', content: undefined }, /^Cannot take the content of .*lossless/],
    [
      'contexts',
      { kind: 'accept', additionalContexts: [new Map()] },
      /^Cannot take the contexts of .*lossless/,
    ],
    [
      'contexts',
      { kind: 'accept', additionalContexts: 'later' },
      /^Cannot take the contexts of .*array of messages/,
    ],
    ['feedback', { kind: 'block', feedback: 'no' }, /^Cannot take the feedback of .*array of content blocks/],
    ['no feedback', { kind: 'block' }, /^Cannot take the feedback of .*lossless JSON, received undefined/],
    ['contexts', { kind: 'block', feedback: [], additionalContexts: [1] }, /^Cannot take the contexts of /],
  ];
  it.each(LOSSY)(
    'P55, P58, E57: lossy or malformed %s is a safe error result that is finalised',
    async (_, decision, message) => {
      const { run, finalized } = decidingHost(decision);
      const result = await run();
      expect(result.error?.message).toMatch(message);
      expect(result.error?.info).toBeUndefined();
      expect(finalized).toEqual([result]);
    },
  );

  it('P55: a throwing getter of a decision gives its own message', async () => {
    const { run } = decidingHost({
      kind: 'accept',
      get content(): never {
        throw new Error('hostile decision');
      },
    });
    expect(failureParts(await run())).toEqual(uncoded('hostile decision'));
  });

  it('P53: contexts that are undefined are none', async () => {
    expect(await decidingHost({ kind: 'accept', additionalContexts: undefined }).run()).toEqual(BASE);
  });
});

describe('a listener that throws', () => {
  it('P55: it makes the result, coded if the error is, and the contexts are lost', async () => {
    const { host } = deferringHost();
    host.on('tools/post-execute', async () => {
      throw new ToolArgsError(['late']);
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(coded('ToolArgsError', 'INVALID_ARGS', 'Invalid arguments: late'));
    expect(Object.hasOwn(result, 'additionalContexts')).toBe(false);
    expect(host.observed).toHaveLength(1);
  });

  it('P55: its failure is preserved when the caller has aborted', async () => {
    const controller = new AbortController();
    const host = fakeHost(fakeTool());
    host.on('tools/post-execute', () => {
      controller.abort();
      throw new Error('broken review');
    });
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(uncoded('broken review'));
  });
});

describe('the caller’s abort during post-execute', () => {
  /** Aborts in the listener, then decides. */
  async function abortedRun(
    decision: PostToolDecision,
    execute?: ToolDefinition['execute'],
    shortCircuit = false,
  ) {
    const controller = new AbortController();
    const host = fakeHost(
      fakeTool({ execute: execute ?? (async (_args, exec) => exec.deferContext(context('tool')) ?? 'fine') }),
    );
    if (shortCircuit) host.on('tools/execute', async () => ({ isError: false, value: 1, content: [] }));
    host.on('tools/post-execute', async () => {
      controller.abort();
      return decision;
    });
    return host.pipeline.execute(callInput({ signal: controller.signal }));
  }

  it('P56: a success becomes ABORTED with deferred and decision contexts', async () => {
    const result = await abortedRun({ kind: 'accept', additionalContexts: [context('decision')] });
    expect(failureParts(result)).toEqual(AFTER_START);
    expect(result.additionalContexts).toEqual([context('tool'), context('decision')]);
    const replaced = await abortedRun({ kind: 'accept', value: 'other' });
    expect(failureParts(replaced)).toEqual(AFTER_START);
  });

  it('P56: where no body was invoked it is ABORTED_BEFORE_DISPATCH', async () => {
    expect(failureParts(await abortedRun({ kind: 'accept' }, undefined, true))).toEqual(BEFORE_DISPATCH);
  });

  it('P56: a failure, and a block, are left alone', async () => {
    expect(failureParts(await abortedRun({ kind: 'accept' }, throwing))).toEqual(uncoded('boom'));
    const blocked = await abortedRun({ kind: 'block', feedback: [text('no')] });
    expect(blocked).toEqual({ isError: true, error: { message: 'no' }, content: [text('no')] });
  });

  it('P56: a projection that aborts the caller counts too, with no listener at all', async () => {
    const controller = new AbortController();
    const host = fakeHost(
      fakeTool({
        projectContent: () => {
          controller.abort();
          return undefined;
        },
      }),
    );
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(AFTER_START);
  });
});

describe('projectContent', () => {
  /** A tool whose projection is noted. */
  function projectingHost(
    project: (result: ToolExecutionResult) => unknown,
    overrides: Partial<ToolDefinition> = {},
  ) {
    const seen: ToolExecutionResult[] = [];
    const posts: ToolExecutionResult[] = [];
    const finalized: ToolExecutionResult[] = [];
    const host = fakeHost(
      fakeTool({
        projectContent: (_exec, result) => {
          seen.push(result);
          return project(result) as never;
        },
        finalizeContent: (_exec, result) => {
          finalized.push(result);
          return undefined;
        },
        ...overrides,
      }),
    );
    host.on('tools/post-execute', async (_exec, result, next) => {
      posts.push(result);
      return next();
    });
    return { host, seen, posts, finalized };
  }

  it('P48: it runs once, before the listeners, sees the frozen outcome, and its blocks replace the content', async () => {
    const { host, seen, posts } = projectingHost(() => [text('projected')]);
    const result = await host.pipeline.execute(callInput());
    expect(seen).toEqual([{ isError: false, value: { a: 1 }, content: [text('value {"a":1}')] }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(posts).toEqual([{ isError: false, value: { a: 1 }, content: [text('projected')] }]);
    expect(result).toBe(posts[0]);
    expect(Object.isFrozen(result.content)).toBe(true);
  });

  it('P48: undefined keeps the content, and the very object', async () => {
    const { host, seen } = projectingHost(() => undefined);
    expect(await host.pipeline.execute(callInput())).toBe(seen[0]);
  });

  it('P48: it also runs for failures and denials that are reviewed, and not for pipeline failures', async () => {
    const failing = projectingHost((result) => [text(`shown: ${result.error?.message}`)], {
      execute: throwing,
    });
    expect((await failing.host.pipeline.execute(callInput())).content).toEqual([text('shown: boom')]);
    const denied = projectingHost((result) => [text(`shown: ${result.error?.message}`)]);
    denied.host.guards.push(() => 'denied');
    expect((await denied.host.pipeline.execute(callInput())).content).toEqual([text('shown: denied')]);
    for (const event of ['tools/pre-execute', 'tools/execute'] as const) {
      const broken = projectingHost(() => [text('never')]);
      broken.host.on(event, (() => {
        throw new Error('broken');
      }) as never);
      await broken.host.pipeline.execute(callInput());
      expect([broken.seen, broken.posts]).toEqual([[], []]);
    }
    const early = projectingHost(() => [text('never')]);
    await early.host.pipeline.execute(callInput({ signal: AbortSignal.abort() }));
    await early.host.pipeline.execute(callInput({ arguments: 1n }));
    expect([early.seen, early.posts]).toEqual([[], []]);
  });

  it('P48: it is captured at the start and called as the tool’s method, even if the tool has gone', async () => {
    const tool = {
      ...fakeTool(),
      label: 'mine',
      projectContent() {
        return [text(this.label)];
      },
    };
    const host = fakeHost(tool);
    host.on('tools/pre-execute', async (_exec, next) => {
      host.tools.clear();
      return next();
    });
    const result = await host.pipeline.execute(callInput());
    expect(result.error?.info?.code).toBe('UNKNOWN_TOOL');
    expect(result.content).toEqual([text('mine')]);
  });

  it('P75: it wins over render, and post-execute’s content and value win over it', async () => {
    const { host } = projectingHost(() => [text('projected')]);
    expect((await host.pipeline.execute(callInput())).content).toEqual([text('projected')]);
    const contentWins = projectingHost(() => [text('projected')]);
    contentWins.host.on('tools/post-execute', async () => ({ kind: 'accept', content: [text('policy')] }));
    expect((await contentWins.host.pipeline.execute(callInput())).content).toEqual([text('policy')]);
    const valueWins = projectingHost(() => [text('projected')]);
    valueWins.host.on('tools/post-execute', async () => ({ kind: 'accept', value: 2 }));
    expect((await valueWins.host.pipeline.execute(callInput())).content).toEqual([text('value 2')]);
    expect([contentWins.seen.length, valueWins.seen.length]).toEqual([1, 1]);
  });

  const BROKEN: readonly [string, () => unknown, string][] = [
    [
      'throws',
      () => {
        throw new Error('no projection');
      },
      'no projection',
    ],
    [
      'is lossy',
      () => [{ type: 'text', text: 'x', at: new Date(0) }],
      'Cannot take the projected content of "echo": wanted lossless JSON, received an array',
    ],
    [
      'is a promise that rejects',
      () => Promise.reject(new Error('async projection')),
      'Cannot take the projected content of "echo": wanted lossless JSON, received an object',
    ],
    [
      'is no list',
      () => 'x',
      'Cannot take the projected content of "echo": wanted an array of content blocks, received "x"',
    ],
  ];
  it.each(BROKEN)(
    'P74: a projection that %s is a safe error result, and it is not called again',
    async (_, project, message) => {
      const { host, seen, posts, finalized } = projectingHost(project);
      const result = await host.pipeline.execute(callInput());
      expect(failureParts(result)).toEqual(uncoded(message));
      expect(seen).toHaveLength(1);
      expect(posts).toEqual([]);
      expect(finalized).toEqual([result]);
      expect(host.observed).toHaveLength(1);
    },
  );
});
