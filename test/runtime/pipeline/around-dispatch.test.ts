import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolDispatchExecution } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { AFTER_START, BEFORE_DISPATCH, unknownTool } from './cancel-texts.ts';
import {
  callInput,
  context,
  failureParts,
  fakeHost,
  fakeTool,
  gate,
  text,
  toolSet,
  uncoded,
} from './fake-host.ts';

const listenerCount = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

/** A host that notes the phases behind the wrappers. */
function tracedHost(overrides: Partial<ToolDefinition> = {}) {
  const phases: string[] = [];
  const tool = fakeTool(overrides);
  const host = fakeHost({
    ...tool,
    execute: (args, exec) => {
      phases.push('body');
      return tool.execute(args, exec);
    },
  });
  host.on('tools/post-execute', async (exec, _result, next) => {
    phases.push(exec.signal === signals[0] ? 'post' : 'post with another signal');
    return next();
  });
  const signals: AbortSignal[] = [];
  const execute = (fields: Parameters<typeof callInput>[0] = {}) => {
    const input = callInput(fields);
    signals.push(input.signal);
    return host.pipeline.execute(input);
  };
  return { host, phases, execute };
}

describe('what wrappers see', () => {
  it('P28: next() gives a normalised, frozen result: a body that threw is already a failure', async () => {
    const { host, execute } = tracedHost({
      execute: async () => {
        throw new Error('boom');
      },
    });
    const seen: ToolExecutionResult[] = [];
    host.on('tools/execute', async (_exec, next) => {
      seen.push(await next());
      return seen[0]!;
    });
    const result = await execute();
    expect(failureParts(seen[0]!)).toEqual(uncoded('boom'));
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(result).toBe(seen[0]);
  });

  it('P28: an outer wrapper sees the canonical form of what an inner one made up', async () => {
    const { host, execute, phases } = tracedHost();
    let seen: ToolExecutionResult | undefined;
    host.on('tools/execute', async (_exec, next) => {
      seen = await next();
      return seen;
    });
    host.on('tools/execute', async () => ({ isError: false, value: 7, content: [text('made up')], meta: 1 }));
    const result = await execute();
    expect(seen).toEqual({ isError: false, value: 7, content: [text('value 7')] });
    expect(result).toBe(seen);
    expect(phases).toEqual(['post']);
  });

  it('P28, P39: an outer wrapper may catch what an inner one threw, and answer for it', async () => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (_exec, next) => {
      try {
        return await next();
      } catch {
        return { isError: false, value: 'recovered', content: [] };
      }
    });
    host.on('tools/execute', async () => {
      throw new Error('inner broke');
    });
    const result = await execute();
    expect(result.value).toBe('recovered');
    expect(phases).toEqual(['post']);
  });

  it('P47, E62: the success that a wrapper gets cannot be changed, nor anything in it', async () => {
    const { host, execute } = tracedHost({ execute: async () => ({ rows: [1] }) });
    const changed: boolean[] = [];
    host.on('tools/execute', async (_exec, next) => {
      const result = await next();
      const value = result.value as { rows: number[] };
      changed.push(
        Reflect.set(result, 'value', 2),
        Reflect.set(value, 'rows', []),
        Reflect.set(value.rows, 0, 9),
        Reflect.set(result.content, 0, text('x')),
        Reflect.set(result.content[0]!, 'text', 'x'),
      );
      return result;
    });
    const result = await execute();
    expect(changed).toEqual([false, false, false, false, false]);
    expect(result.value).toEqual({ rows: [1] });
    expect(result.content).toEqual([text('value {"rows":[1]}')]);
  });
});

describe('signals', () => {
  it('P29: without a replacement the body gets the caller’s own signal', async () => {
    let bodySignal: AbortSignal | undefined;
    const { host, execute } = tracedHost({
      execute: async (_args, exec) => {
        bodySignal = exec.signal;
        return null;
      },
    });
    const controller = new AbortController();
    await execute({ signal: controller.signal });
    expect(bodySignal).toBe(controller.signal);
    const seen: AbortSignal[] = [];
    host.on('tools/execute', async (exec, next) => {
      seen.push(exec.signal);
      exec.signal = seen[0]!;
      return next();
    });
    bodySignal = undefined;
    await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(bodySignal).toBe(controller.signal);
    expect(seen[0]).toBe(controller.signal);
  });

  it.each(['caller', 'wrapper'] as const)(
    'P29, E44: with a replacement the body’s signal is a new one that the %s aborts with its reason, and neither aborts the other',
    async (who) => {
      const [caller, wrapper] = [new AbortController(), new AbortController()];
      let bodySignal: AbortSignal | undefined;
      const [entered, released] = [gate(), gate()];
      const { host, execute } = tracedHost({
        execute: async (_args, exec) => {
          bodySignal = exec.signal;
          entered.open();
          await released.opened;
          return null;
        },
      });
      host.on('tools/execute', async (exec, next) => {
        exec.signal = wrapper.signal;
        return next();
      });
      const pending = execute({ signal: caller.signal });
      await entered.opened;
      expect(bodySignal).not.toBe(caller.signal);
      expect(bodySignal).not.toBe(wrapper.signal);
      expect([listenerCount(caller.signal), listenerCount(wrapper.signal)]).toEqual([1, 1]);
      const reason = new Error('enough');
      (who === 'caller' ? caller : wrapper).abort(reason);
      expect(bodySignal!.aborted).toBe(true);
      expect(bodySignal!.reason).toBe(reason);
      expect((who === 'caller' ? wrapper : caller).signal.aborted).toBe(false);
      released.open();
      expect(failureParts(await pending)).toEqual(AFTER_START);
      expect([listenerCount(caller.signal), listenerCount(wrapper.signal)]).toEqual([0, 0]);
    },
  );

  const ENDINGS: readonly [string, () => Promise<unknown>][] = [
    ['settles', async () => null],
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'throws synchronously',
      (): never => {
        throw new Error('boom');
      },
    ],
  ];
  it.each(ENDINGS)('P29: the fusion’s listeners are gone once the body %s', async (_, body) => {
    const [caller, wrapper] = [new AbortController(), new AbortController()];
    const counts: number[] = [];
    const { host, execute } = tracedHost({ execute: body });
    host.on('tools/execute', async (exec, next) => {
      exec.signal = wrapper.signal;
      const result = await next();
      counts.push(listenerCount(caller.signal), listenerCount(wrapper.signal));
      return result;
    });
    await execute({ signal: caller.signal });
    expect(counts).toEqual([0, 0]);
    expect(wrapper.signal.aborted).toBe(false);
  });

  it('P30, E45: a wrapper that supplies an aborted signal, or waits until the caller has aborted, skips the body', async () => {
    const supplied = tracedHost();
    supplied.host.on('tools/execute', async (exec, next) => {
      exec.signal = AbortSignal.abort();
      return next();
    });
    expect(failureParts(await supplied.execute())).toEqual(BEFORE_DISPATCH);
    expect(supplied.phases).toEqual(['post']);
    const controller = new AbortController();
    const waited = tracedHost();
    waited.host.on('tools/execute', async (_exec, next) => {
      controller.abort();
      return next();
    });
    expect(failureParts(await waited.execute({ signal: controller.signal }))).toEqual(BEFORE_DISPATCH);
    expect(waited.phases).toEqual(['post']);
  });

  it('P30: an aborted call of a tool that vanished reads as aborted, not as unknown', async () => {
    const { host, execute } = tracedHost();
    host.on('tools/execute', async (exec, next) => {
      host.tools.clear();
      exec.signal = AbortSignal.abort();
      return next();
    });
    expect(failureParts(await execute())).toEqual(BEFORE_DISPATCH);
  });

  it('P31: nested wrappers see each other’s replacement, the body’s own signal never shows, and post-execute sees the caller’s', async () => {
    const [outer, inner] = [new AbortController(), new AbortController()];
    const { host, execute, phases } = tracedHost();
    const seen: unknown[] = [];
    host.on('tools/execute', async (exec, next) => {
      exec.signal = outer.signal;
      const result = await next();
      seen.push(exec.signal);
      return result;
    });
    host.on('tools/execute', async (exec, next) => {
      seen.push(exec.signal);
      exec.signal = inner.signal;
      const result = await next();
      seen.push(exec.signal);
      exec.signal = outer.signal;
      return result;
    });
    await execute();
    expect(seen).toEqual([outer.signal, inner.signal, outer.signal]);
    expect(seen[0]).toBe(outer.signal);
    expect(seen[1]).toBe(inner.signal);
    expect(phases).toEqual(['body', 'post']);
  });

  it('P29, P31: a view that a wrapper keeps takes no signal once the wrappers are over', async () => {
    const { host, execute } = tracedHost();
    let kept: ToolDispatchExecution | undefined;
    host.on('tools/execute', async (exec, next) => {
      kept = exec;
      return next();
    });
    const { signal } = new AbortController();
    await execute({ signal });
    expect(() => {
      kept!.signal = AbortSignal.abort();
    }).toThrow('Cannot replace the signal of "echo": wanted a running "tools/execute" listener');
    expect(kept!.signal).toBe(signal);
  });

  it('P31, P39: a wrapper that replaces the signal and throws leaves the caller’s behind', async () => {
    const { host, execute } = tracedHost();
    host.on('tools/execute', async (exec) => {
      exec.signal = AbortSignal.abort();
      throw new Error('broken');
    });
    const { signal } = new AbortController();
    expect(failureParts(await execute({ signal }))).toEqual(uncoded('broken'));
    expect(host.observed[0]!.exec.signal).toBe(signal);
  });

  it('P30, P29: the caller’s abort skips the body also when a wrapper has put a live signal in its place', async () => {
    const controller = new AbortController();
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (exec, next) => {
      exec.signal = new AbortController().signal;
      controller.abort();
      return next();
    });
    expect(failureParts(await execute({ signal: controller.signal }))).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['post']);
  });

  it('P31, P72: a wrapper that forgot to restore the signal changes nothing for post-execute and observers', async () => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (exec, next) => {
      exec.signal = new AbortController().signal;
      return next();
    });
    const controller = new AbortController();
    await execute({ signal: controller.signal });
    expect(phases).toEqual(['body', 'post']);
    expect(host.observed[0]!.exec.signal).toBe(controller.signal);
  });

  const REPLACEMENTS: readonly [string, unknown, string][] = [
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    [
      'a look-alike',
      { aborted: false, addEventListener: () => {}, removeEventListener: () => {} },
      'an object',
    ],
    ['a forged prototype', Object.create(AbortSignal.prototype), 'an object'],
    ['another event target', new EventTarget(), 'an object'],
    ['a controller', new AbortController(), 'an object'],
  ];
  it.each(REPLACEMENTS)('P73: assigning %s as signal fails that wrapper', async (_, replacement, shown) => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (exec, next) => {
      exec.signal = replacement as AbortSignal;
      return next();
    });
    expect(failureParts(await execute())).toEqual(
      uncoded(`Cannot replace the signal of "echo": wanted an AbortSignal, received ${shown}`),
    );
    expect(phases).toEqual([]);
    expect(host.observed).toHaveLength(1);
  });

  it('P73: deleting the signal fails that wrapper, and however it is tried the body has one fused with the caller’s', async () => {
    const deleting = tracedHost();
    deleting.host.on('tools/execute', async (exec, next) => {
      delete (exec as Partial<ToolDispatchExecution>).signal;
      return next();
    });
    expect((await deleting.execute()).error?.message).toMatch(/delete/);
    expect(deleting.phases).toEqual([]);
    let bodySignal: AbortSignal | undefined;
    const { host, execute } = tracedHost({
      execute: async (_args, exec) => {
        bodySignal = exec.signal;
        return null;
      },
    });
    host.on('tools/execute', async (exec, next) => {
      Reflect.deleteProperty(exec, 'signal');
      Reflect.defineProperty(exec, 'signal', { value: undefined });
      try {
        exec.signal = undefined as never;
      } catch {}
      return next();
    });
    const controller = new AbortController();
    await execute({ signal: controller.signal });
    expect(bodySignal).toBe(controller.signal);
  });

  it('P29: the body’s view of the call is its own: what it does to it reaches nobody', async () => {
    const { host, execute } = tracedHost({
      execute: async (_args, exec) => [
        Reflect.set(exec, 'name', 'other'),
        Reflect.set(exec, 'signal', AbortSignal.abort()),
        Reflect.set(exec, 'deferContext', undefined),
      ],
    });
    const result = await execute();
    expect(result.value).toEqual([false, false, false]);
    expect(host.observed[0]!.exec.name).toBe('echo');
  });
});

describe('the body', () => {
  it('P32: the tool is looked up again when its body is due, and a name that went away is unknown, reviewed', async () => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (_exec, next) => {
      host.tools.clear();
      return next();
    });
    expect(failureParts(await execute())).toEqual(unknownTool('echo'));
    expect(phases).toEqual(['post']);
  });

  it('P32: a set that was disposed meanwhile admits nothing any more', async () => {
    const { host, execute, phases } = tracedHost();
    const set = toolSet(...host.tools.values());
    host.on('tools/pre-execute', async (_exec, next) => {
      set.dispose();
      return next();
    });
    expect(failureParts(await execute({ toolSet: set }))).toEqual(unknownTool('echo'));
    expect(phases).toEqual(['post']);
  });

  it('P32: a registry that fails when the body is due makes an error result, reviewed', async () => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/pre-execute', async (_exec, next) => {
      host.executable = () => {
        throw new Error('registry is gone');
      };
      return next();
    });
    expect(failureParts(await execute())).toEqual(uncoded('registry is gone'));
    expect(phases).toEqual(['post']);
  });

  it('P33, E63: a body that ignores the abort keeps the call pending until it settles', async () => {
    const controller = new AbortController();
    const [entered, released] = [gate(), gate()];
    const { execute, phases } = tracedHost({
      execute: async () => {
        entered.open();
        await released.opened;
        return 'late';
      },
    });
    let settled = false;
    const pending = execute({ signal: controller.signal }).then((result) => {
      settled = true;
      return result;
    });
    await entered.opened;
    controller.abort();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([settled, phases]).toEqual([false, ['body']]);
    released.open();
    expect(failureParts(await pending)).toEqual(AFTER_START);
  });

  it('P33: a wrapper that returns, or throws, while the body still runs does not end the call before the body has settled', async () => {
    for (const fails of [false, true]) {
      const [entered, released] = [gate(), gate()];
      const order: string[] = [];
      const { host, execute } = tracedHost({
        execute: async () => {
          entered.open();
          await released.opened;
          order.push('body settled');
          return 'slow';
        },
      });
      host.on('tools/execute', async (_exec, next) => {
        void next();
        await entered.opened;
        if (fails) throw new Error('impatient');
        return { isError: false, value: 'fast', content: [] };
      });
      const pending = execute().then((result) => {
        order.push('call settled');
        return result;
      });
      await entered.opened;
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      released.open();
      const result = await pending;
      expect(order).toEqual(['body settled', 'call settled']);
      if (fails) expect(failureParts(result)).toEqual(uncoded('impatient'));
      else expect(result.value).toBe('fast');
    }
  });

  it('P28: next() after the wrapper has settled starts no body', async () => {
    const { host, execute, phases } = tracedHost();
    let late: (() => Promise<unknown>) | undefined;
    host.on('tools/execute', async (_exec, next) => {
      late = next;
      return { isError: false, value: 'cached', content: [] };
    });
    await execute();
    expect(() => late?.()).toThrow('next()');
    expect(phases).toEqual(['post']);
  });

  it('P28: next() twice by one wrapper is its failure, and the body ran once', async () => {
    const { host, execute, phases } = tracedHost();
    host.on('tools/execute', async (_exec, next) => {
      await next();
      return next();
    });
    expect((await execute()).error?.message).toContain('next()');
    expect(phases).toEqual(['body']);
  });

  it('P34: success under an aborted signal is ABORTED with its contexts; a failure keeps its own error', async () => {
    const deferring = (fails: boolean, controller: AbortController) =>
      tracedHost({
        execute: async (_args, exec) => {
          exec.deferContext(context('kept'));
          controller.abort();
          if (fails) throw new Error('own failure');
          return 'fine';
        },
      });
    const first = new AbortController();
    const success = await deferring(false, first).execute({ signal: first.signal });
    expect(failureParts(success)).toEqual(AFTER_START);
    expect(success.additionalContexts).toEqual([context('kept')]);
    const second = new AbortController();
    const failure = await deferring(true, second).execute({ signal: second.signal });
    expect(failureParts(failure)).toEqual(uncoded('own failure'));
    expect(failure.additionalContexts).toEqual([context('kept')]);
  });

  it('P34: the wrapper’s own signal counts: the wrapper is handed ABORTED and may make its own failure of it', async () => {
    const { host, execute } = tracedHost({
      execute: async (_args, exec) => {
        deadline.abort();
        return `aborted ${exec.signal.aborted}`;
      },
    });
    const deadline = new AbortController();
    let seen: unknown;
    host.on('tools/execute', async (exec, next) => {
      const caller = exec.signal;
      exec.signal = deadline.signal;
      const result = await next();
      exec.signal = caller;
      seen = failureParts(result);
      return {
        isError: true,
        error: { message: 'took too long', info: { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' } },
        content: [text('Error: took too long')],
      };
    });
    const result = await execute();
    expect(seen).toEqual(AFTER_START);
    expect(result.error).toEqual({
      message: 'took too long',
      info: { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' },
    });
  });

  it('P34: an output that breaks the contract stays that failure when the caller has aborted', async () => {
    const controller = new AbortController();
    const { execute } = tracedHost({
      execute: async () => {
        controller.abort();
        return 1n;
      },
    });
    expect((await execute({ signal: controller.signal })).error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
  });

  it('P33: a body that returns no promise, or a thenable, is taken the same way', async () => {
    const plain = tracedHost({ execute: (() => 'plain') as never });
    expect((await plain.execute()).value).toBe('plain');
    const thenable = tracedHost({
      execute: (() => ({ then: (resolve: (value: unknown) => void) => resolve('later') })) as never,
    });
    expect((await thenable.execute()).value).toBe('later');
  });
});
