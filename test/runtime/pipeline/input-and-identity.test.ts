import { describe, expect, it } from 'vitest';
import type { ToolExecution, ToolExecutionInput } from '#dist/runtime/contract/execution.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createPipeline } from '#dist/runtime/pipeline/pipeline.js';
import { BEFORE_DISPATCH } from './cancel-texts.ts';
import { agent, callInput, failureParts, fakeHost, fakeTool, text, toolSet, uncoded } from './fake-host.ts';

const NOT_SERIALISABLE = uncoded('Cannot call "echo": the arguments must be losslessly serialisable as JSON');

/** An input whose every field is an accessor that counts and then lies. */
function countingInput(fields: ToolExecutionInput) {
  const reads: Record<string, number> = {};
  const input = {};
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(input, key, {
      enumerable: true,
      get: () => {
        reads[key] = (reads[key] ?? 0) + 1;
        return reads[key] === 1 ? value : `second ${key}`;
      },
    });
  }
  return { input: input as ToolExecutionInput, reads };
}

function fullInput(overrides: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
  return callInput({
    rootCallId: toolCallId('root'),
    schema: Object.freeze({ name: 'echo', description: 'bound', parameters: {} }),
    agent: agent(),
    toolSet: toolSet(fakeTool()),
    dispatch: { direct: 'any' },
    parent: Symbol('outer') as never,
    position: { line: 3, column: 7 },
    ...overrides,
  });
}

const ONCE = {
  callId: 1,
  rootCallId: 1,
  name: 1,
  schema: 1,
  arguments: 1,
  agent: 1,
  toolSet: 1,
  dispatch: 1,
  parent: 1,
  position: 1,
  signal: 1,
};

describe('the input', () => {
  it('P1: every field is read once, and every stage and observer sees the first value', async () => {
    const fields = fullInput();
    const { input, reads } = countingInput(fields);
    const host = fakeHost(fakeTool());
    const seen: [string, ToolExecution][] = [];
    host.on('tools/pre-execute', async (exec, next) => {
      seen.push(['pre', exec]);
      return next();
    });
    host.guards.push((exec) => {
      seen.push(['guard', exec]);
      return undefined;
    });
    host.on('tools/execute', async (exec, next) => {
      seen.push(['around', exec]);
      return next();
    });
    host.on('tools/post-execute', async (exec, _result, next) => {
      seen.push(['post', exec]);
      return next();
    });
    host.on('tools/result', (exec) => {
      seen.push(['result', exec]);
    });
    await host.pipeline.execute(input);
    expect(reads).toEqual(ONCE);
    expect(seen.map(([stage]) => stage)).toEqual(['pre', 'guard', 'around', 'post', 'result']);
    for (const [, exec] of seen) {
      const { token, ...rest } = exec;
      expect(rest).toEqual(fields);
      for (const field of ['schema', 'agent', 'toolSet', 'parent', 'signal'] as const) {
        expect(exec[field]).toBe(fields[field]);
      }
      expect(typeof token).toBe('symbol');
    }
  });

  it('P1, E36: fields are read once on the path of lossy arguments too', async () => {
    const { input, reads } = countingInput(fullInput({ arguments: new Map() }));
    const host = fakeHost(fakeTool());
    await host.pipeline.execute(input);
    expect(reads).toEqual(ONCE);
    const { token: _, ...shell } = host.observed[0]!.exec;
    expect(shell).toMatchObject({ callId: 'call_1', rootCallId: 'root', position: { line: 3, column: 7 } });
  });

  it('P1: rootCallId is the call id where the input has none', async () => {
    const host = fakeHost(fakeTool());
    await host.pipeline.execute(callInput());
    expect(host.observed[0]!.exec.rootCallId).toBe('call_1');
  });

  it('P6: the signal is carried as it is: none is invented for a call without one, which fails as a result', async () => {
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(callInput({ signal: undefined as never }));
    expect(failureParts(result)).toMatchObject({
      message: expect.stringContaining("'aborted'"),
      info: undefined,
    });
    expect(host.observed[0]!.exec.signal).toBeUndefined();
  });

  it('P7: the binding-time schema rides on the execution, the same object', async () => {
    const schema = Object.freeze({ name: 'echo', description: 'bound', parameters: {} });
    const host = fakeHost(fakeTool());
    await host.pipeline.execute(callInput({ schema }));
    expect(host.observed[0]!.exec.schema).toBe(schema);
  });

  it('P67: a caller that hands over no input at all is told so by a rejection, and no result is announced', async () => {
    const host = fakeHost(fakeTool());
    await expect(host.pipeline.execute(undefined as never)).rejects.toThrow(TypeError);
    expect(host.observed).toEqual([]);
  });
});

describe('the arguments', () => {
  it('P2: one deep-frozen snapshot is shared by policy, wrapper, tool and observers; the caller keeps an open original', async () => {
    const original = { list: [{ n: 1 }] };
    const seen: unknown[] = [];
    const host = fakeHost(
      fakeTool({
        execute: async (args, exec) => {
          seen.push(args, exec.arguments);
          return null;
        },
      }),
    );
    host.on('tools/pre-execute', async (exec, next) => {
      seen.push(exec.arguments);
      return next();
    });
    host.on('tools/execute', async (exec, next) => {
      seen.push(exec.arguments);
      return next();
    });
    await host.pipeline.execute(callInput({ arguments: original }));
    seen.push(host.observed[0]!.exec.arguments);
    expect(seen).toHaveLength(5);
    for (const args of seen) expect(args).toBe(seen[0]);
    const args = seen[0] as typeof original;
    expect(args).toEqual({ list: [{ n: 1 }] });
    expect(args).not.toBe(original);
    expect([args, args.list, args.list[0]].map(Object.isFrozen)).toEqual([true, true, true]);
    expect([original, original.list, original.list[0]].map(Object.isFrozen)).toEqual([false, false, false]);
  });

  it('P2: a nested getter is read once, and all see what it said then', async () => {
    let reads = 0;
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(
      callInput({
        arguments: {
          get n() {
            reads += 1;
            return reads;
          },
        },
      }),
    );
    expect(reads).toBe(1);
    expect(result.value).toEqual({ n: 1 });
    expect(host.observed[0]!.exec.arguments).toEqual({ n: 1 });
  });

  const LOSSY = [
    ['a function', () => () => {}],
    ['a Map', () => new Map()],
    ['a class instance', () => new (class Point {})()],
    ['undefined', () => undefined],
    ['a bigint', () => ({ n: 1n })],
    ['a rejecting promise', () => Promise.reject(new Error('nobody waits for this'))],
  ] as const;
  it.each(LOSSY)(
    'P3, P57: %s ends the call before any policy, without a code, with one result event and one final content',
    async (_, makeArgs) => {
      const phases: string[] = [];
      const host = fakeHost(
        fakeTool({
          execute: async () => {
            phases.push('body');
            return null;
          },
          projectContent: () => {
            phases.push('project');
            return undefined;
          },
          finalizeContent: () => {
            phases.push('finalize');
            return undefined;
          },
        }),
      );
      host.on('tools/pre-execute', async (_exec, next) => {
        phases.push('pre');
        return next();
      });
      host.guards.push(() => {
        phases.push('guard');
        return undefined;
      });
      host.on('tools/post-execute', async (_exec, _result, next) => {
        phases.push('post');
        return next();
      });
      const parent = Symbol('outer') as never;
      const input = callInput({ arguments: makeArgs(), parent });
      const result = await host.pipeline.execute(input);
      expect(failureParts(result)).toEqual(NOT_SERIALISABLE);
      expect(phases).toEqual(['finalize']);
      expect(host.observed).toHaveLength(1);
      const { exec } = host.observed[0]!;
      expect(exec.arguments).toBeUndefined();
      expect(exec.parent).toBe(parent);
      expect(exec.signal).toBe(input.signal);
    },
  );

  it('P3: a throwing accessor among or on the arguments gives its own message, even a coded one gives no code', async () => {
    const host = fakeHost(fakeTool());
    const nested = await host.pipeline.execute(
      callInput({
        arguments: {
          get n(): never {
            throw new Error('no n today');
          },
        },
      }),
    );
    expect(failureParts(nested)).toEqual(uncoded('no n today'));
    const { ToolArgsError } = await import('#dist/runtime/core/errors.js');
    const own = await host.pipeline.execute(
      Object.defineProperty(callInput(), 'arguments', {
        get: () => {
          throw new ToolArgsError(['coded']);
        },
      }),
    );
    expect(failureParts(own)).toEqual(uncoded('Invalid arguments: coded'));
    expect(host.observed.map(({ exec }) => exec.arguments)).toEqual([undefined, undefined]);
  });

  it('P3, E122: on the path of lossy arguments the result event is still routed by agent', async () => {
    const host = fakeHost(fakeTool());
    const mine = agent('mine');
    const calls: string[] = [];
    host.on('tools/result', () => void calls.push('mine'), mine);
    host.on('tools/result', () => void calls.push('other'), agent('other'));
    await host.pipeline.execute(callInput({ arguments: () => {}, agent: mine }));
    expect(calls).toEqual(['mine']);
    expect(host.asked).toEqual([{ event: 'tools/result', scope: mine }]);
  });

  it('P4, E37: lossy arguments beat a signal that has already aborted', async () => {
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(
      callInput({ arguments: new Map(), signal: AbortSignal.abort() }),
    );
    expect(failureParts(result)).toEqual(NOT_SERIALISABLE);
  });

  it('E38, P57: a pre-aborted call still takes its arguments and announces one frozen, finalised result, in no policy phase', async () => {
    const host = fakeHost(fakeTool({ finalizeContent: () => [text('capped')] }));
    host.guards.push(() => 'denied');
    const result = await host.pipeline.execute(
      callInput({ arguments: { deep: [1] }, signal: AbortSignal.abort() }),
    );
    expect(failureParts(result)).toMatchObject({
      info: { name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' },
      content: [text('capped')],
    });
    expect(host.observed.map(({ exec }) => exec.arguments)).toEqual([{ deep: [1] }]);
    expect(Object.isFrozen(result)).toBe(true);
    expect(host.asked.map(({ event }) => event)).toEqual(['tools/result']);
  });

  it('E38: without a finaliser the pre-aborted call says that the tool did not start', async () => {
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(callInput({ signal: AbortSignal.abort('reason') }));
    expect(failureParts(result)).toEqual(BEFORE_DISPATCH);
  });
});

describe('identity', () => {
  it('P5: one token in all stages, another one for each execution, and a nested call knows its parent by token alone', async () => {
    const tokens: Record<string, symbol[]> = {};
    const note = (stage: string, exec: ToolExecution) => {
      tokens[exec.name] = [...(tokens[exec.name] ?? []), exec.token];
      return stage;
    };
    const inner = fakeTool({ name: 'inner' });
    const parentsSeen: unknown[] = [];
    const outer = fakeTool({
      name: 'outer',
      execute: async (_args, exec) => {
        note('body', exec);
        const nested = callInput({ name: 'inner', parent: exec.token, signal: exec.signal });
        return (await host.pipeline.execute(nested)).value;
      },
    });
    const host = fakeHost(inner, outer);
    host.on('tools/pre-execute', async (exec, next) => {
      note('pre', exec);
      if (exec.name === 'inner') parentsSeen.push(exec.parent);
      return next();
    });
    host.on('tools/execute', async (exec, next) => {
      note('around', exec as ToolExecution);
      return next();
    });
    host.on('tools/post-execute', async (exec, _result, next) => {
      note('post', exec);
      return next();
    });
    await host.pipeline.execute(callInput({ name: 'outer' }));
    await host.pipeline.execute(callInput({ name: 'inner' }));
    for (const { exec } of host.observed) note('result', exec);
    expect(tokens['outer']).toHaveLength(5);
    expect(new Set(tokens['outer']).size).toBe(1);
    expect(new Set(tokens['inner']).size).toBe(2);
    expect(parentsSeen).toEqual([tokens['outer']![0], undefined]);
    expect(typeof parentsSeen[0]).toBe('symbol');
  });

  it('P17: no stage can rewrite the execution: it is frozen from the first policy on', async () => {
    const host = fakeHost(fakeTool());
    const refused: boolean[] = [];
    const messages: string[] = [];
    const attack = (exec: object) => {
      for (const field of ['arguments', 'name', 'callId', 'token', 'agent']) {
        refused.push(Reflect.set(exec, field, 'other'), Reflect.deleteProperty(exec, field));
      }
      refused.push(Reflect.set(exec, 'added', 1));
    };
    host.on('tools/pre-execute', async (exec, next) => {
      attack(exec);
      try {
        Reflect.set(exec, 'signal', AbortSignal.abort());
      } catch (error) {
        messages.push((error as Error).message);
      }
      return next();
    });
    host.on('tools/execute', async (exec, next) => {
      attack(exec);
      return next();
    });
    host.on('tools/post-execute', async (exec, _result, next) => {
      attack(exec);
      return next();
    });
    const result = await host.pipeline.execute(callInput());
    expect(new Set(refused)).toEqual(new Set([false]));
    expect(refused).toHaveLength(33);
    expect(messages).toEqual([
      'Cannot replace the signal of "echo": wanted a running "tools/execute" listener',
    ]);
    expect(result.value).toEqual({ a: 1 });
  });

  it('P5, P31: one object stands for the call in every stage and for observers; the body’s view alone is another', async () => {
    const seen: unknown[] = [];
    let bodyView: unknown;
    const host = fakeHost(
      fakeTool({
        execute: async (_args, exec) => {
          bodyView = exec;
          return null;
        },
      }),
    );
    const delegate = async <T>(exec: unknown, next: () => Promise<T>) => {
      seen.push(exec);
      return next();
    };
    host.on('tools/pre-execute', delegate);
    host.guards.push((exec) => void seen.push(exec));
    host.on('tools/execute', delegate);
    host.on('tools/post-execute', (exec, _result, next) => delegate(exec, next));
    await host.pipeline.execute(callInput());
    expect(seen).toHaveLength(4);
    for (const exec of seen) expect(exec).toBe(host.observed[0]!.exec);
    expect(bodyView).not.toBe(host.observed[0]!.exec);
    expect({ ...(bodyView as object) }).toMatchObject({ ...host.observed[0]!.exec });
  });

  it('P70: a result carries neither the call id nor the name', async () => {
    const host = fakeHost(fakeTool());
    const success = await host.pipeline.execute(callInput());
    const failure = await host.pipeline.execute(callInput({ name: 'absent' }));
    expect(Object.keys(success).sort()).toEqual(['content', 'isError', 'value']);
    expect(Object.keys(failure).sort()).toEqual(['content', 'error', 'isError']);
  });

  it('P67: one pipeline over one host serves direct calls and nested ones alike, each with exactly one result', async () => {
    const host = fakeHost(fakeTool());
    const pipeline = createPipeline(host);
    const results = await Promise.all([
      pipeline.execute(callInput({ callId: toolCallId('a') })),
      pipeline.execute(callInput({ callId: toolCallId('b'), parent: Symbol('outer') as never })),
    ]);
    expect(host.observed.map(({ exec }) => exec.callId)).toEqual(['a', 'b']);
    expect(host.observed.map(({ result }) => result)).toEqual(results);
  });
});
