import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retry } from '#dist/policies/retry.js';
import { toolTimeout } from '#dist/policies/timeout.js';
import { clampTimeout, MAX_TIMER_DELAY_MS } from '#dist/runtime/core/deadline.js';
import { ToolTimeoutError } from '#dist/runtime/core/errors.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost, textOf } from './policy-host.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body that rests when its signal aborts, and says so. */
const obedient = (timeoutMs?: number) =>
  makeTool('slow', {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      }),
  });

describe('toolTimeout', () => {
  it('Q1, Q30: a tool that declares no time keeps the very signal of its caller and no timer is armed', async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    const tool = gatedTool('quick');
    host.tools.register(tool.definition);
    const result = host.call('quick');
    await vi.advanceTimersByTimeAsync(MAX_TIMER_DELAY_MS);
    expect(tool.bodies[0]!.exec.signal).toBe(host.controller.signal);
    expect(vi.getTimerCount()).toBe(0);
    tool.bodies[0]!.open('done');
    expect((await result).value).toBe('done');
  });

  it("Q1: the time is that of the agent's own tool, not of the global one it covers", async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    host.tools.register(obedient(10_000));
    host.tools.scoped(host.agent).register(obedient(5));
    const result = host.call('slow');
    await vi.advanceTimersByTimeAsync(5);
    expect(outcomeOf(await result)).toBe('TOOL_TIMEOUT');
  });

  it('Q2: the signal of the caller is back afterwards, and timer and listener are gone, whatever came of the body', async () => {
    const host = policyHost();
    const seen: AbortSignal[] = [];
    host.tools.on('tools/execute', async (exec, next) => {
      const result = await next();
      seen.push(exec.signal);
      return result;
    });
    toolTimeout(host.tools);
    host.tools.register(makeTool('fine', { timeoutMs: 10 }));
    host.tools.register(
      makeTool('bad', {
        timeoutMs: 10,
        execute: async () => {
          throw new Error('broken');
        },
      }),
    );
    const remove = vi.spyOn(host.controller.signal, 'removeEventListener');
    const add = vi.spyOn(host.controller.signal, 'addEventListener');
    expect(outcomeOf(await host.call('fine'))).toBe('ok');
    expect(outcomeOf(await host.call('bad'))).toBe('broken');
    expect(seen).toEqual([host.controller.signal, host.controller.signal]);
    expect(vi.getTimerCount()).toBe(0);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });

  it('Q3: when its timer fired, whatever came back is replaced, and the message names the milliseconds', async () => {
    for (const execute of [obedient().execute, late(async () => 'a success after all')]) {
      const host = policyHost();
      toolTimeout(host.tools);
      host.tools.register(makeTool('slow', { timeoutMs: 50, execute }));
      const result = host.call('slow');
      await vi.advanceTimersByTimeAsync(60);
      const { error, content } = await result;
      expect(error).toEqual({
        message: 'Tool "slow" did not finish within 50 ms',
        info: { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' },
      });
      expect(content).toEqual([{ type: 'text', text: 'Error: Tool "slow" did not finish within 50 ms' }]);
    }
  });

  it('Q3: an inner wrapper that throws on its abort does not hide the deadline', async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    host.tools.on('tools/execute', async (exec, next) => {
      await next();
      throw exec.signal.reason;
    });
    host.tools.register(obedient(5));
    const result = host.call('slow');
    await vi.advanceTimersByTimeAsync(5);
    expect(outcomeOf(await result)).toBe('TOOL_TIMEOUT');
  });

  it('Q4: a caller that aborts first stays the reason; one that aborts while the tool cleans up does not become it', async () => {
    const first = policyHost();
    toolTimeout(first.tools);
    first.tools.register(makeTool('slow', { timeoutMs: 50, execute: late(async () => 'x') }));
    const aborted = first.call('slow');
    first.controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(60);
    expect(outcomeOf(await aborted)).toBe('ABORTED');

    const second = policyHost();
    toolTimeout(second.tools);
    second.tools.register(makeTool('slow', { timeoutMs: 50, execute: late(async () => 'x') }));
    const expired = second.call('slow');
    await vi.advanceTimersByTimeAsync(50);
    second.controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(10);
    expect(outcomeOf(await expired)).toBe('TOOL_TIMEOUT');
  });

  it("Q4: another policy's deadline, with the same code, reads as a plain cancellation", async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    host.tools.register(makeTool('slow', { timeoutMs: 50, execute: late(async () => 'x') }));
    const result = host.call('slow');
    host.controller.abort(new ToolTimeoutError('a foreign deadline'));
    await vi.advanceTimersByTimeAsync(60);
    expect(outcomeOf(await result)).toBe('ABORTED');
  });

  it('Q5: it waits for a tool that ignores its signal', async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    const tool = gatedTool('deaf', { timeoutMs: 5 });
    host.tools.register(tool.definition);
    let isSettled = false;
    const result = host.call('deaf').finally(() => {
      isSettled = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isSettled).toBe(false);
    tool.bodies[0]!.open('late');
    expect(outcomeOf(await result)).toBe('TOOL_TIMEOUT');
  });

  it.each([
    { order: 'before retry it bounds the whole operation', isTimeoutFirst: true, attempts: 1, after: 50 },
    { order: 'after retry it bounds each attempt', isTimeoutFirst: false, attempts: 3, after: 150 },
  ])('Q5: registered $order', async ({ isTimeoutFirst, attempts, after }) => {
    const host = policyHost();
    let bodies = 0;
    host.tools.register(
      makeTool('slow', {
        timeoutMs: 50,
        execute: (args, exec) => {
          bodies += 1;
          return obedient().execute(args, exec);
        },
      }),
      { idempotent: true },
    );
    const policies = [() => toolTimeout(host.tools), () => retry(host.tools, { pause: async () => {} })];
    for (const register of isTimeoutFirst ? policies : policies.reverse()) register();
    const result = host.call('slow');
    await vi.advanceTimersByTimeAsync(after - 1);
    expect(bodies).toBe(attempts);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomeOf(await result)).toBe('TOOL_TIMEOUT');
    expect(bodies).toBe(attempts);
  });

  it('Q6: a requested time is positive and finite, and no timer is longer than Node can hold', async () => {
    for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => clampTimeout(wrong, 0, 10)).toThrow(TypeError);
    }
    expect(MAX_TIMER_DELAY_MS).toBe(2_147_483_647);
    expect([clampTimeout(undefined, 0, 10), clampTimeout(20, 0, 10), clampTimeout(5, 0, 10)]).toEqual([
      0, 10, 5,
    ]);
    const host = policyHost();
    toolTimeout(host.tools);
    const tool = gatedTool('patient', { timeoutMs: 1e12 });
    host.tools.register(tool.definition);
    const result = host.call('patient');
    await vi.advanceTimersByTimeAsync(1_000);
    tool.bodies[0]!.open('done');
    expect(outcomeOf(await result)).toBe('ok');
  });

  it('Q1, Q3: a sub-call of a program has the same deadline, and the program gets its code', async () => {
    const host = ptcHost({
      plays: {
        main: ({ tools }) =>
          tools['slow']!().then(
            () => 'ran',
            (error: { code?: string }) => error.code,
          ),
      },
    });
    toolTimeout(host.tools);
    host.tools.register(obedient(50));
    const result = host.run('main');
    await vi.advanceTimersByTimeAsync(50);
    expect((await result).value).toEqual({ logs: [], result: 'TOOL_TIMEOUT' });
  });

  it('Q3: contexts of inner wrappers survive the replacement', async () => {
    const host = policyHost();
    toolTimeout(host.tools);
    host.tools.on('tools/execute', async (_, next) => ({
      ...(await next()),
      additionalContexts: [
        { role: 'user', content: [{ type: 'text', text: 'kept' }], source: { kind: 'plugin', plugin: 'x' } },
      ],
    }));
    host.tools.register(obedient(5));
    const result = host.call('slow');
    await vi.advanceTimersByTimeAsync(5);
    const settled = await result;
    expect(outcomeOf(settled)).toBe('TOOL_TIMEOUT');
    expect(settled.additionalContexts?.map(({ content }) => content[0])).toEqual([
      { type: 'text', text: 'kept' },
    ]);
    expect(textOf(settled)).toContain('5 ms');
  });
});

/** A body that ignores its signal and takes 60 ms. */
function late(body: () => Promise<unknown>) {
  return () =>
    new Promise<unknown>((resolve) => {
      setTimeout(() => resolve(body()), 60);
    });
}
