import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { ToolArgsError } from '#dist/runtime/core/errors.js';
import { callInput, coded, context, failureParts, fakeHost, fakeTool, text, uncoded } from './fake-host.ts';

/** A host over a tool whose final content is noted and replaced. */
function finalizingHost(finalize: () => unknown, overrides: Partial<ToolDefinition> = {}) {
  const seen: { exec: Readonly<ToolExecution>; result: ToolExecutionResult }[] = [];
  const host = fakeHost(
    fakeTool({
      finalizeContent: (exec, result) => {
        seen.push({ exec, result });
        return finalize() as never;
      },
      ...overrides,
    }),
  );
  return { host, seen };
}

const final = () => [text('final')];
const throwing = async () => {
  throw new Error('boom');
};

describe('finalizeContent', () => {
  it('P57: it may change content alone; value, meta, contexts and conclusion stay, and undefined keeps the very object', async () => {
    const body: Partial<ToolDefinition> = {
      execute: async (_args, exec) => {
        exec.deferContext(context('tool'));
        exec.concludeTurn();
        return 1;
      },
      output: { ...fakeTool().output, presentationMeta: () => 'meta' },
    };
    const { host, seen } = finalizingHost(final, body);
    const result = await host.pipeline.execute(callInput());
    expect(result).toEqual({
      isError: false,
      value: 1,
      content: [text('final')],
      meta: 'meta',
      additionalContexts: [context('tool')],
      concludesTurn: true,
    });
    expect(Object.isFrozen(result.content[0])).toBe(true);
    expect(Object.isFrozen(result)).toBe(true);
    expect(seen[0]!.exec).toBe(host.observed[0]!.exec);
    const keeping = finalizingHost(() => undefined, body);
    expect(await keeping.host.pipeline.execute(callInput())).toBe(keeping.seen[0]!.result);
  });

  it('P57: a failure keeps its error and meta', async () => {
    const { host } = finalizingHost(final);
    host.on('tools/execute', async () => ({
      isError: true,
      error: { message: 'x', info: { name: 'A', code: 'B' } },
      content: [],
      meta: 'm',
      additionalContexts: [context('wrapper')],
    }));
    expect(await host.pipeline.execute(callInput())).toEqual({
      isError: true,
      error: { message: 'x', info: { name: 'A', code: 'B' } },
      content: [text('final')],
      meta: 'm',
      additionalContexts: [context('wrapper')],
    });
  });

  type Arrange = (host: ReturnType<typeof fakeHost>) => unknown;
  const OUTCOMES: readonly [string, Arrange, string | undefined][] = [
    ['a success', () => undefined, undefined],
    [
      'a body that threw',
      (host) => void host.tools.set('echo', { ...host.tools.get('echo')!, execute: throwing }),
      'boom',
    ],
    ['a denial', (host) => void host.guards.push(() => 'denied'), 'denied'],
    ['a throwing policy', (host) => host.on('tools/pre-execute', throwing), 'boom'],
    ['a throwing wrapper', (host) => host.on('tools/execute', throwing), 'boom'],
    ['a throwing review', (host) => host.on('tools/post-execute', throwing), 'boom'],
    [
      'a block',
      (host) => host.on('tools/post-execute', async () => ({ kind: 'block', feedback: [text('blocked')] })),
      'blocked',
    ],
    [
      'a pre-aborted call',
      () => ({ signal: AbortSignal.abort() }),
      'The call was aborted before the tool started',
    ],
    [
      'lossy arguments',
      () => ({ arguments: 1n }),
      'Cannot call "echo": the arguments must be losslessly serialisable as JSON',
    ],
  ];
  it.each(OUTCOMES)(
    'P57, E38: it runs exactly once for %s, over a frozen result',
    async (_, arrange, message) => {
      const { host, seen } = finalizingHost(final);
      const result = await host.pipeline.execute(callInput(arrange(host) as Parameters<typeof callInput>[0]));
      expect(seen).toHaveLength(1);
      expect(seen[0]!.result.error?.message).toBe(message);
      expect(Object.isFrozen(seen[0]!.result)).toBe(true);
      expect(result.content).toEqual([text('final')]);
      expect(host.observed.map((each) => each.result)).toEqual([result]);
    },
  );

  it('P57, E56: it is captured at the start: the tool may be gone, and a policy may throw, by the time it runs', async () => {
    const { host, seen } = finalizingHost(final);
    host.on('tools/pre-execute', async () => {
      host.tools.clear();
      throw new Error('policy broke');
    });
    const result = await host.pipeline.execute(callInput());
    expect(seen).toHaveLength(1);
    expect(result).toMatchObject({ error: { message: 'policy broke' }, content: [text('final')] });
  });

  it('E55: it is captured before the arguments are read, whose getter may take the tool away', async () => {
    for (const nested of [true, false]) {
      const { host, seen } = finalizingHost(final);
      const takeAway = {
        enumerable: true,
        get: () => {
          host.tools.clear();
          return nested ? 1 : {};
        },
      };
      const input = nested
        ? callInput({ arguments: Object.defineProperty({}, 'n', takeAway) })
        : Object.defineProperty(callInput(), 'arguments', takeAway);
      const result = await host.pipeline.execute(input);
      expect(result.error?.info?.code).toBe('UNKNOWN_TOOL');
      expect(result.content).toEqual([text('final')]);
      expect(seen).toHaveLength(1);
    }
  });

  it('P57: both callbacks are read once, when the call begins', async () => {
    const reads: string[] = [];
    const tool = fakeTool();
    for (const hook of ['projectContent', 'finalizeContent'] as const) {
      Object.defineProperty(tool, hook, {
        get: () => {
          reads.push(hook);
          return undefined;
        },
      });
    }
    const host = fakeHost(tool);
    host.on('tools/pre-execute', async (_exec, next) => {
      reads.push('pre');
      return next();
    });
    await host.pipeline.execute(callInput());
    expect(reads.sort()).toEqual(['finalizeContent', 'pre', 'projectContent']);
  });

  it('P57, E54: one that throws makes an error result, coded if the error is, and is not called again', async () => {
    const { host, seen } = finalizingHost(() => {
      throw new ToolArgsError(['final']);
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(coded('ToolArgsError', 'INVALID_ARGS', 'Invalid arguments: final'));
    expect(seen).toHaveLength(1);
    expect(host.observed.map((each) => each.result)).toEqual([result]);
  });

  const BROKEN: readonly [string, () => unknown, string][] = [
    ['lossy blocks', () => [{ type: 'text', text: 1n }], 'wanted lossless JSON, received an array'],
    ['text', () => 'final', 'wanted an array of content blocks, received "final"'],
    [
      'a promise that rejects',
      () => Promise.reject(new Error('async')),
      'wanted lossless JSON, received an object',
    ],
  ];
  it.each(BROKEN)('P74: %s make an error result without a second call', async (_, finalize, message) => {
    const { host, seen } = finalizingHost(finalize);
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(uncoded(`Cannot take the final content of "echo": ${message}`));
    expect(seen).toHaveLength(1);
    expect(Object.isFrozen(result)).toBe(true);
  });

  it('E57: an outcome that could not be taken is capped like any other', async () => {
    const { host, seen } = finalizingHost(() => [text('capped')]);
    host.on('tools/post-execute', async () => ({
      kind: 'accept',
      content: [{ type: 'text', text: () => {} } as never],
    }));
    const result = await host.pipeline.execute(callInput());
    expect(result.content).toEqual([text('capped')]);
    expect(seen[0]!.result.error?.message).toMatch(/^Cannot take the content of /);
  });

  it('P68: a registry that fails while the callbacks are captured ends the call before policy', async () => {
    const host = fakeHost(fakeTool());
    host.executable = () => {
      throw new Error('registry is gone');
    };
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(uncoded('registry is gone'));
    expect(host.asked.map(({ event }) => event)).toEqual(['tools/result']);
  });
});
