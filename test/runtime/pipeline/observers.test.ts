import { describe, expect, it } from 'vitest';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { durableOutcome } from '#dist/runtime/pipeline/durable-outcome.js';
import { agent, callInput, context, fakeHost, fakeTool, text } from './fake-host.ts';

/** Every object reachable from a value, itself included. */
function reachable(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(reachable)];
}

describe('the result', () => {
  it('P59: what the caller gets is the very object that observers got, deep-frozen, with the execution frozen before', async () => {
    const host = fakeHost(
      fakeTool({
        execute: async (_args, exec) =>
          exec.deferContext({ ...context('c'), meta: { deep: [1] } }) ?? { rows: [{ n: 1 }] },
        output: { ...fakeTool().output, presentationMeta: () => ({ deep: [1] }) },
      }),
    );
    const frozen: boolean[] = [];
    host.on(
      'tools/result',
      (exec, result) => void frozen.push(Object.isFrozen(exec), Object.isFrozen(result)),
    );
    const result = await host.pipeline.execute(callInput());
    expect(host.observed[0]!.result).toBe(result);
    expect(frozen).toEqual([true, true]);
    expect(reachable(result).filter((part) => !Object.isFrozen(part))).toEqual([]);
    expect(reachable(result).length).toBeGreaterThan(10);
  });

  it('P59: a success owns a value, null included, and a failure never owns the key', async () => {
    const host = fakeHost(fakeTool({ execute: async () => null }));
    const success = await host.pipeline.execute(callInput());
    expect([Object.hasOwn(success, 'value'), Object.hasOwn(success, 'error')]).toEqual([true, false]);
    host.guards.push(() => 'no');
    const failure = await host.pipeline.execute(callInput());
    expect([Object.hasOwn(failure, 'value'), Object.hasOwn(failure, 'error')]).toEqual([false, true]);
  });

  it('P61, P71: its durable part is content, error identity with the reason, and meta; never the value', async () => {
    const host = fakeHost(
      fakeTool({ output: { ...fakeTool().output, presentationMeta: () => ({ path: 'a.txt' }) } }),
    );
    const success = durableOutcome(await host.pipeline.execute(callInput()));
    expect(success).toEqual({ content: [text('value {"a":1}')], isError: false, meta: { path: 'a.txt' } });
    expect(Object.keys(success).sort()).toEqual(['content', 'isError', 'meta']);
    const info = { name: 'A', code: 'B', reason: 'for the user' };
    host.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no', info }));
    const denied = durableOutcome(await host.pipeline.execute(callInput()));
    expect(denied).toEqual({ content: [text('Error: no')], isError: true, error: info });
    host.on('tools/pre-execute', async (_exec, next) => next());
    const plain = fakeHost(fakeTool());
    plain.guards.push(() => 'no');
    expect(Object.keys(durableOutcome(await plain.pipeline.execute(callInput()))).sort()).toEqual([
      'content',
      'isError',
    ]);
  });
});

describe('observers', () => {
  it('P60: each is told once, synchronously, after the outcome is final, and cannot change it', async () => {
    const host = fakeHost(fakeTool());
    const log: string[] = [];
    host.on('tools/result', (_exec, result) => {
      log.push(`set ${Reflect.set(result, 'content', [])}`);
      queueMicrotask(() => log.push('microtask'));
    });
    host.on('tools/result', () => {
      log.push('second');
      return { isError: true } as never;
    });
    const result = await host.pipeline.execute(callInput()).then((each) => {
      log.push('returned');
      return each;
    });
    expect(log.slice(0, 2)).toEqual(['set false', 'second']);
    expect(log).toHaveLength(4);
    expect(result.value).toEqual({ a: 1 });
  });

  it('P60: none can delay it: a promise that never settles is not waited for', async () => {
    const host = fakeHost(fakeTool());
    host.on('tools/result', () => new Promise(() => {}) as never);
    expect((await host.pipeline.execute(callInput())).value).toEqual({ a: 1 });
  });

  it('P60, E58, E59: throws and rejections are contained and reported, hostile ones too, and the others still run', async () => {
    const host = fakeHost(fakeTool());
    const hostile = {
      toString: () => {
        throw new Error('not even printable');
      },
    };
    const rejected = new Error('rejected later');
    host.on('tools/result', () => {
      throw hostile;
    });
    host.on('tools/result', (async () => {
      throw rejected;
    }) as never);
    host.on(
      'tools/result',
      () =>
        ({
          get then(): never {
            throw hostile;
          },
        }) as never,
    );
    const after: string[] = [];
    host.on('tools/result', () => void after.push('ran'));
    const result = await host.pipeline.execute(callInput());
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(result.value).toEqual({ a: 1 });
    expect(after).toEqual(['ran']);
    expect(host.warnings.map(({ cause }) => cause)).toEqual([hostile, rejected, hostile]);
    expect(host.warnings[1]!.message).toContain('rejected later');
  });

  it('P60: a reporter that throws, and a host that cannot list its observers, take no outcome away', async () => {
    const host = fakeHost(fakeTool());
    host.on('tools/result', () => {
      throw new Error('observer');
    });
    host.warn = () => {
      throw new Error('reporter');
    };
    expect((await host.pipeline.execute(callInput())).value).toEqual({ a: 1 });
    const unlisted = fakeHost(fakeTool());
    const listeners = unlisted.listeners;
    unlisted.listeners = (event, scope) => {
      if (event === 'tools/result') throw new Error('no list');
      return listeners(event, scope);
    };
    expect((await unlisted.pipeline.execute(callInput())).value).toEqual({ a: 1 });
    expect(unlisted.warnings.map(({ message }) => message)).toEqual([
      'Cannot list the observers of "echo": no list',
    ]);
    unlisted.warn = host.warn;
    expect((await unlisted.pipeline.execute(callInput())).value).toEqual({ a: 1 });
  });

  it('P60: every stage asks for the listeners of the call’s own agent', async () => {
    const host = fakeHost(fakeTool());
    const mine = agent('mine');
    await host.pipeline.execute(callInput({ agent: mine }));
    expect(host.asked).toEqual(
      ['tools/pre-execute', 'tools/execute', 'tools/post-execute', 'tools/result'].map((event) => ({
        event,
        scope: mine,
      })),
    );
  });

  it('E119: an observer can commit a nested result by its parent’s token, once the outer call is a success', async () => {
    const pendingUnder = new Map<symbol, ToolExecutionResult[]>();
    const committed: unknown[] = [];
    const inner = fakeTool({ name: 'inner', execute: async () => 'nested' });
    const outer = fakeTool({
      name: 'outer',
      execute: async (args, exec) => {
        await host.pipeline.execute(callInput({ name: 'inner', parent: exec.token, signal: exec.signal }));
        if ((args as { fails: boolean }).fails) throw new Error('outer failed');
        return 'done';
      },
    });
    const host = fakeHost(inner, outer);
    host.on('tools/result', (exec: Readonly<ToolExecution>, result) => {
      if (exec.parent !== undefined) {
        pendingUnder.set(exec.parent, [...(pendingUnder.get(exec.parent) ?? []), result]);
        return;
      }
      if (!result.isError) committed.push(...(pendingUnder.get(exec.token) ?? []).map(({ value }) => value));
    });
    await host.pipeline.execute(callInput({ name: 'outer', arguments: { fails: true } }));
    expect([committed, pendingUnder.size]).toEqual([[], 1]);
    await host.pipeline.execute(callInput({ name: 'outer', arguments: { fails: false } }));
    expect([committed, pendingUnder.size]).toEqual([['nested'], 2]);
  });
});
