import { describe, expect, it } from 'vitest';
import { retry } from '#dist/policies/retry.js';
import { ToolArgsError } from '#dist/runtime/core/errors.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

const IDEMPOTENT = { idempotent: true };

/** A tool that fails so many times before it succeeds. */
function flaky(failures: number, error: () => unknown = () => new Error('try again')) {
  const state = { bodies: 0 };
  const definition = makeTool('flaky', {
    execute: async (_, exec) => {
      state.bodies += 1;
      exec.deferContext({
        role: 'user',
        content: [{ type: 'text', text: `attempt ${state.bodies}` }],
        source: { kind: 'plugin', plugin: 'flaky' },
      });
      if (state.bodies <= failures) {
        exec.concludeTurn();
        throw error();
      }
      return 'fine';
    },
  });
  return { state, definition };
}

describe('retry', () => {
  it('an idempotent tool is repeated with pauses that double up to their bound', async () => {
    const host = policyHost();
    const pauses: number[] = [];
    const { state, definition } = flaky(4);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, {
      attempts: 5,
      backoffMs: 100,
      maxBackoffMs: 350,
      pause: async (ms) => void pauses.push(ms),
    });
    expect(outcomeOf(await host.call('flaky'))).toBe('ok');
    expect(state.bodies).toBe(5);
    expect(pauses).toEqual([100, 200, 350, 350]);
  });

  it('the failure of the last attempt stays when the attempts are used up', async () => {
    const host = policyHost();
    const { state, definition } = flaky(9);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, { pause: async () => {} });
    expect(outcomeOf(await host.call('flaky'))).toBe('try again');
    expect(state.bodies).toBe(3);
  });

  it('what a repeated attempt deferred or concluded is dropped; what the last one deferred stays', async () => {
    const host = policyHost();
    const { definition } = flaky(2);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, { pause: async () => {} });
    const result = await host.call('flaky');
    expect(result.additionalContexts?.map(({ content }) => content[0])).toEqual([
      { type: 'text', text: 'attempt 3' },
    ]);
    expect('concludesTurn' in result).toBe(false);
  });

  it.each([
    ['nothing declared', {}],
    ['read-only only', { readOnly: true }],
    ['idempotent: false', { idempotent: false }],
  ])('a tool with %s is never repeated', async (_, options) => {
    const host = policyHost();
    const { state, definition } = flaky(1);
    host.tools.register(definition, options);
    retry(host.tools, { pause: async () => {} });
    expect(outcomeOf(await host.call('flaky'))).toBe('try again');
    expect(state.bodies).toBe(1);
  });

  it('a failure of the library stays, such as refused arguments', async () => {
    const host = policyHost();
    const { state, definition } = flaky(1, () => new ToolArgsError(['a: is required']));
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, { pause: async () => {} });
    expect(outcomeOf(await host.call('flaky'))).toBe('INVALID_ARGS');
    expect(state.bodies).toBe(1);
  });

  it('nothing is repeated after an abort, whether it comes before the pause or within it', async () => {
    const before = policyHost();
    const first = flaky(9, () => {
      before.controller.abort();
      return new Error('stopped');
    });
    before.tools.register(first.definition, IDEMPOTENT);
    retry(before.tools, { pause: async () => {} });
    expect(outcomeOf(await before.call('flaky'))).toBe('stopped');
    expect(first.state.bodies).toBe(1);

    const within = policyHost();
    const second = flaky(9);
    within.tools.register(second.definition, IDEMPOTENT);
    retry(within.tools, {
      pause: async (_, signal) => {
        within.controller.abort();
        signal.throwIfAborted();
      },
    });
    expect(outcomeOf(await within.call('flaky'))).toBe('try again');
    expect(second.state.bodies).toBe(1);
  });

  it('the own pause of the policy ends with the abort of the call', async () => {
    const host = policyHost();
    const { state, definition } = flaky(9);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, { backoffMs: 1_000_000, maxBackoffMs: 1_000_000 });
    host.tools.on('tools/execute', async (_, next) => {
      const result = await next();
      setImmediate(() => host.controller.abort());
      return result;
    });
    expect(outcomeOf(await host.call('flaky'))).toBe('try again');
    expect(state.bodies).toBe(1);
  });

  it('a sub-call is repeated like a direct one, and the program sees the last outcome', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['flaky']!() } });
    const { state, definition } = flaky(2);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, { pause: async () => {} });
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'fine' });
    expect(state.bodies).toBe(3);
  });

  it("a judgement of the host's that throws fails the call with the policy's name", async () => {
    const host = policyHost();
    const { definition } = flaky(1);
    host.tools.register(definition, IDEMPOTENT);
    retry(host.tools, {
      isTransient: () => {
        throw new Error('no idea');
      },
    });
    expect(outcomeOf(await host.call('flaky'))).toBe('Policy "retry" failed: no idea');
  });

  it('an option without a meaning fails when the policy is made', () => {
    const { tools } = policyHost();
    expect(() => retry(tools, { attempts: 0 })).toThrow('"attempts"');
    expect(() => retry(tools, { backoffMs: -1 })).toThrow('"backoffMs"');
    expect(() => retry(tools, { times: 3 } as never)).toThrow('"times"');
  });
});
