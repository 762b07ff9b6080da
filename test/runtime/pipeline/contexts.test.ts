import { describe, expect, it } from 'vitest';
import type { UserMessage } from '#dist/runtime/contract/content.js';
import type { ToolRunContext } from '#dist/runtime/contract/execution.js';
import { AFTER_START } from './cancel-texts.ts';
import { callInput, context, failureParts, fakeHost, fakeTool, text, uncoded } from './fake-host.ts';

describe('deferContext', () => {
  it('P62: contexts keep their order, source and meta, and belong to this call alone', async () => {
    const plugin: UserMessage = { ...context('first'), meta: { n: [1] } };
    const user: UserMessage = { role: 'user', content: [text('second')], source: { kind: 'user' } };
    const host = fakeHost(
      fakeTool({
        execute: async (_args, exec) => {
          exec.deferContext(plugin);
          exec.deferContext(user);
          return null;
        },
      }),
      fakeTool({ name: 'quiet' }),
    );
    expect((await host.pipeline.execute(callInput())).additionalContexts).toEqual([plugin, user]);
    const quiet = await host.pipeline.execute(callInput({ name: 'quiet' }));
    expect(Object.hasOwn(quiet, 'additionalContexts')).toBe(false);
  });

  it('P62: a composite tool defers for itself and forwards what its nested call deferred', async () => {
    const leaf = fakeTool({
      name: 'leaf',
      execute: async (_args, exec) => exec.deferContext(context('leaf')) ?? 1,
    });
    const composite = fakeTool({
      execute: async (_args, exec) => {
        exec.deferContext(context('composite'));
        const nested = await host.pipeline.execute(
          callInput({ name: 'leaf', parent: exec.token, signal: exec.signal }),
        );
        for (const each of nested.additionalContexts ?? []) exec.deferContext(each);
        return nested.value;
      },
    });
    const host = fakeHost(leaf, composite);
    const result = await host.pipeline.execute(callInput());
    expect(result.additionalContexts).toEqual([context('composite'), context('leaf')]);
  });

  it('P62, E53: they survive a body that throws, and a success that is replaced by a cancellation', async () => {
    const deferring = (then: () => void) =>
      fakeTool({
        execute: async (_args, exec) => {
          exec.deferContext(context('kept'));
          then();
          return 1;
        },
      });
    const thrown = fakeHost(
      deferring(() => {
        throw new Error('boom');
      }),
    );
    const failure = await thrown.pipeline.execute(callInput());
    expect(failureParts(failure)).toEqual(uncoded('boom'));
    expect(failure.additionalContexts).toEqual([context('kept')]);
    const controller = new AbortController();
    const aborted = fakeHost(deferring(() => controller.abort()));
    const cancelled = await aborted.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(cancelled)).toEqual(AFTER_START);
    expect(cancelled.additionalContexts).toEqual([context('kept')]);
  });

  it('P62: a context is taken when it is deferred: a later change of the message is not seen', async () => {
    const message = {
      role: 'user' as const,
      content: [{ type: 'text', text: 'then' }],
      source: { kind: 'user' as const },
    };
    const host = fakeHost(
      fakeTool({
        execute: async (_args, exec) => {
          exec.deferContext(message as UserMessage);
          message.content[0]!.text = 'later';
          return 1;
        },
      }),
    );
    expect((await host.pipeline.execute(callInput())).additionalContexts).toEqual([
      { ...context('then'), source: { kind: 'user' } },
    ]);
  });

  const MALFORMED: readonly [string, unknown, string][] = [
    [
      'content that holds no blocks',
      { ...context('x'), content: ['x', null] },
      'wanted user messages with content blocks, received an object',
    ],
    ['a text', 'remember', 'wanted user messages with content blocks, received "remember"'],
    [
      'another role',
      { ...context('x'), role: 'system' },
      'wanted user messages with content blocks, received an object',
    ],
    [
      'content that is no list',
      { role: 'user', content: 'x' },
      'wanted user messages with content blocks, received an object',
    ],
    ['null', null, 'wanted user messages with content blocks, received null'],
    ['a lossy meta', { ...context('x'), meta: () => {} }, 'wanted lossless JSON, received an object'],
  ];
  it.each(MALFORMED)(
    'P58, P62: deferring %s throws in the body, where it can be mended',
    async (_, message, expected) => {
      const host = fakeHost(
        fakeTool({
          execute: async (_args, exec) => exec.deferContext(message as UserMessage) ?? 'unreachable',
        }),
      );
      expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(
        uncoded(`Cannot take a context of "echo": ${expected}`),
      );
    },
  );

  it('P62: what a body defers or concludes after it has settled is dropped with a warning', async () => {
    let leaked: ToolRunContext | undefined;
    const host = fakeHost(
      fakeTool({
        execute: async (_args, exec) => {
          leaked = exec;
          return 1;
        },
      }),
    );
    host.on('tools/execute', async (_exec, next) => {
      const result = await next();
      leaked?.deferContext(context('late'));
      leaked?.concludeTurn();
      return result;
    });
    expect(await host.pipeline.execute(callInput())).toEqual({
      isError: false,
      value: 1,
      content: [text('value 1')],
    });
    expect(host.warnings).toEqual([
      { message: 'Ignored "deferContext" of "echo": the body had already settled', cause: undefined },
      { message: 'Ignored "concludeTurn" of "echo": the body had already settled', cause: undefined },
    ]);
  });
});

describe('concludeTurn of a nested call', () => {
  /** A composite that forwards its leaf's conclusion, over a leaf that concludes. */
  function compositeHost() {
    const leaf = fakeTool({ name: 'leaf', execute: async (_args, exec) => exec.concludeTurn() ?? 'leaf' });
    const composite = fakeTool({
      execute: async (_args, exec) => {
        const nested = await host.pipeline.execute(
          callInput({ name: 'leaf', parent: exec.token, signal: exec.signal }),
        );
        if (nested.concludesTurn) exec.concludeTurn();
        return nested.isError ? 'recovered' : nested.value;
      },
    });
    const host = fakeHost(leaf, composite);
    return host;
  }

  it('P63: the composite forwards it', async () => {
    expect(await compositeHost().pipeline.execute(callInput())).toMatchObject({
      value: 'leaf',
      concludesTurn: true,
    });
  });

  it('P63, E64: a nested success that policy turned into a failure carries none, so a composite that recovers does not conclude', async () => {
    const host = compositeHost();
    host.on('tools/post-execute', async (exec, _result, next) =>
      exec.name === 'leaf' ? { kind: 'block', feedback: [text('no')] } : next(),
    );
    const result = await host.pipeline.execute(callInput());
    expect(result).toEqual({ isError: false, value: 'recovered', content: [text('value "recovered"')] });
  });
});
