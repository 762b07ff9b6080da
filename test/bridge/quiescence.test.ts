import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LateOutcome } from '#dist/bridge/index.js';
import type { CodeBindingCall } from '#dist/runtime/contract/code-runtime.js';
import type { World } from '../support/fake-runtime.ts';
import { flush, gate } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost, textOf } from './ptc-host.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A tool that settles only when its signal aborts. */
const hang = (name = 'hang') => {
  const reasons: unknown[] = [];
  const tool = makeTool(name, {
    isConcurrencySafe: () => true,
    execute: (_, exec) =>
      new Promise((_resolve, reject) => {
        exec.signal.addEventListener('abort', () => {
          reasons.push(exec.signal.reason);
          reject(exec.signal.reason);
        });
      }),
  });
  return { tool, reasons };
};

describe('the end of a run', () => {
  it('C60, C65: the run has a signal of its own that follows the outer one with its reason and leaves no listener', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['hang']!() } });
    const { tool, reasons } = hang();
    host.tools.register(tool);
    let added = 0;
    const { signal } = host.controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      added += 1;
      add(...args);
    }) as never;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      added -= 1;
      remove(...args);
    }) as never;
    const outcome = host.run('main');
    await flush();
    const reason = new Error('user pressed stop');
    host.controller.abort(reason);
    const result = await outcome;
    const given = host.runtime.requests[0]!.signal!;
    expect(given).not.toBe(signal);
    expect([given.reason, reasons]).toEqual([reason, [reason]]);
    expect(added).toBe(0);
    expect(result.error?.info?.code).toBe('CODE_RUN_FAILED');
    expect(result.error?.message).toContain('code run failed (abort): Error: user pressed stop');
  });

  it('C60: the run-scoped signal is aborted however the run ends', async () => {
    const host = ptcHost({
      plays: {
        good: () => 1,
        bad: () => {
          throw new Error('x');
        },
      },
    });
    for (const play of ['good', 'bad', 'missing']) {
      await host.run(play);
      expect(host.runtime.requests.at(-1)!.signal!.aborted).toBe(true);
    }
  });

  it('C61, C62, E75: what runs is aborted and drained, what is queued is abandoned without events, and the run succeeds', async () => {
    const rejections: string[] = [];
    const host = ptcHost({
      plays: {
        main: ({ request }) => {
          const { functions } = request.bindings[0]!;
          for (const [i, name] of ['hang', 'write', 'write'].entries()) {
            const call = { n: i + 1, position: { line: i + 1, column: 1 } } as CodeBindingCall;
            (functions[name]!({ i }, call) as Promise<unknown>).catch((error: Error) => {
              rejections.push(error.message);
            });
          }
          return 'done';
        },
      },
    });
    const { tool, reasons } = hang();
    host.tools.register(tool);
    host.tools.register(makeTool('write'));
    const result = await host.run('main');
    expect([result.isError, result.value]).toEqual([false, { logs: [], result: 'done' }]);
    expect(textOf(result)).toMatch(
      /^done\n.*#1 hang \(line 1\).*#2 write \(line 2\).*#3 write \(line 3\) \(not started\)/,
    );
    expect(reasons).toEqual([new Error('The run is over')]);
    expect(host.lines()).toEqual(['start 1 hang', 'end 1 failed']);
    expect(rejections).toEqual([
      'The run is over: the call of "write" was abandoned before it started',
      'The run is over: the call of "write" was abandoned before it started',
      'The run is over: the result of "hang" was discarded',
    ]);
  });

  it('C61, C47: the run returns only when bodies, reviews and log listeners have come to rest', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => void tools['slow']!() } });
    const slow = gatedTool('slow');
    host.tools.register(slow.definition);
    const review = gate();
    const shaping = gate();
    host.tools.on('tools/post-execute', async (exec, _, next) => {
      if (exec.name === 'slow') await review.promise;
      return next();
    });
    host.tools.on('tools/ptc-dispatch-log', async (_, next) => {
      await shaping.promise;
      return next();
    });
    let isBack = false;
    const outcome = host.run('main').finally(() => {
      isBack = true;
    });
    for (const step of [() => {}, () => slow.bodies[0]!.open(1), () => review.open()]) {
      step();
      await flush();
      await flush();
      expect(isBack).toBe(false);
    }
    shaping.open();
    await outcome;
    expect(host.lines()).toEqual(['start 1 slow', 'end 1 failed']);
  });

  it('C61, E79: a runtime that rejects after it started a call still drains it', async () => {
    const { tool, reasons } = hang();
    const host = ptcHost({
      runtime: {
        run: async ({ bindings }) => {
          const call = { n: 1, signal: new AbortController().signal };
          (bindings[0]!.functions['hang']!({}, call) as Promise<unknown>).catch(() => {});
          await flush();
          throw new Error('the engine is gone');
        },
      },
    });
    host.tools.register(tool);
    const result = await host.run('main');
    expect(result.error).toEqual({ message: 'the engine is gone' });
    expect([reasons.length, host.lines()]).toEqual([1, ['start 1 hang', 'end 1 failed']]);
  });

  it('C63: a call that was aborted before its body never reaches the runtime', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    host.tools.on('tools/pre-execute', (_, next) => {
      host.controller.abort();
      return next();
    });
    expect((await host.run('main')).error?.info?.code).toBe('ABORTED_BEFORE_DISPATCH');
    host.controller.abort();
    expect((await host.run('main')).error?.info?.code).toBe('ABORTED_BEFORE_DISPATCH');
    expect(host.runtime.requests).toEqual([]);
  });

  it('C64: a program that succeeds although the outer call was aborted is ABORTED', async () => {
    const host = ptcHost({
      runtime: {
        run: async () => {
          host.controller.abort();
          const stats = {
            wallMs: 0,
            computeMs: 0,
            calls: 0,
            bytesOut: 0,
            bytesIn: 0,
            engine: 'fake',
            placement: 'in-process' as const,
          };
          return { logs: [], value: 'done anyway', stats };
        },
      },
    });
    expect((await host.run('main')).error?.info).toEqual({ name: 'AbortError', code: 'ABORTED' });
  });

  it('C61: after an abort nothing more starts, even while the runtime has not settled', async () => {
    const end = gate();
    const host = ptcHost({
      runtime: {
        run: async ({ bindings }) => {
          const { functions } = bindings[0]!;
          for (const name of ['slow', 'slow']) {
            (functions[name]!({}, { n: 1 } as CodeBindingCall) as Promise<unknown>).catch(() => {});
          }
          await end.promise;
          throw new Error('over');
        },
      },
      maxParallelSubCalls: 1,
    });
    const slow = gatedTool('slow');
    host.tools.register(slow.definition);
    const outcome = host.run('main');
    await flush();
    host.controller.abort();
    slow.bodies[0]!.open(1);
    await flush();
    expect(slow.bodies.length).toBe(1);
    end.open();
    await outcome;
    expect(host.lines()).toEqual(['start 1 slow', 'end 1 failed']);
  });

  it('C66: a queued call is told of the end only after the runtime has settled', async () => {
    const end = gate();
    const order: string[] = [];
    const host = ptcHost({
      runtime: {
        run: async ({ bindings }) => {
          const { functions } = bindings[0]!;
          for (const name of ['hang', 'write']) {
            (functions[name]!({}, { n: 1 } as CodeBindingCall) as Promise<unknown>).catch(() =>
              order.push(`${name} told`),
            );
          }
          host.controller.abort();
          await flush();
          order.push('runtime settles');
          await end.promise;
          throw new Error('over');
        },
      },
    });
    host.tools.register(hang().tool);
    host.tools.register(makeTool('write'));
    const outcome = host.run('main');
    await flush();
    await flush();
    expect(order).toEqual(['hang told', 'runtime settles']);
    end.open();
    await outcome;
    expect(order).toEqual(['hang told', 'runtime settles', 'write told']);
  });
});

describe('calls that do not come to rest', () => {
  const stuckHost = (options: { drainMs?: number; onLateOutcome?: (late: LateOutcome) => void } = {}) => {
    const host = ptcHost({
      plays: {
        main: ({ tools }) => {
          void tools['stuck']!({ id: 7 }, { at: { line: 4, column: 2 } });
          return 'done';
        },
      },
      ...options,
    });
    const stuck = gatedTool('stuck');
    host.tools.register(stuck.definition);
    return { host, stuck };
  };

  it('C61: past drainMs a call is recorded with an unknown outcome, the run returns, and what comes late goes to the observer', async () => {
    const late: LateOutcome[] = [];
    const { host, stuck } = stuckHost({ drainMs: 0, onLateOutcome: (outcome) => late.push(outcome) });
    const result = await host.run('main');
    expect(result.value).toEqual({ logs: [], result: 'done' });
    expect(textOf(result)).toMatch(/^done\n.*#1 stuck \(line 4\).*may still be running/);
    const [event] = host.agent.of('tool/ptc-dispatch');
    expect(event).toMatchObject({
      subCallId: 'outer:ptc:1',
      name: 'stuck',
      isError: true,
      error: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' },
      position: { line: 4, column: 2 },
    });
    expect(JSON.stringify(event!['content'])).toContain('may still be running');
    expect(late).toEqual([]);

    stuck.bodies[0]!.open('after all');
    await flush();
    expect(
      late.map(({ exec, subCallId, name, result: outcome }) => [
        exec.callId,
        subCallId,
        name,
        outcome.error?.info?.code,
      ]),
    ).toEqual([['outer', 'outer:ptc:1', 'stuck', 'ABORTED']]);
    expect(host.agent.of('tool/ptc-dispatch').length).toBe(1);
  });

  it('C61: without an observer a late outcome is a warning', async () => {
    const { host, stuck } = stuckHost({ drainMs: 0 });
    await host.run('main');
    stuck.bodies[0]!.fail(new Error('too late'));
    await flush();
    expect(host.warnings.map(({ message }) => message)).toEqual([
      'Sub-call "outer:ptc:1" of "stuck" settled after its run had returned: it failed: too late',
    ]);
  });

  it('C61: the bound is 2 000 ms by default, counted from the abort', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { host } = stuckHost();
    let isBack = false;
    const outcome = host.run('main').finally(() => {
      isBack = true;
    });
    await flush();
    await vi.advanceTimersByTimeAsync(1900);
    await flush();
    expect(isBack).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('C61: a call that comes to rest within the bound leaves no timer and keeps its own outcome', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { host, stuck } = stuckHost({ drainMs: 500 });
    const outcome = host.run('main');
    await flush();
    stuck.bodies[0]!.fail(new Error('cleaned up'));
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
    expect(host.agent.of('tool/ptc-dispatch')[0]!['content']).toEqual([
      { type: 'text', text: 'Error: cleaned up' },
    ]);
  });

  it('C61: a policy that never answers, and one that reviews for ever, do not hold the run either; no body starts late', async () => {
    const never = new Promise<never>(() => {});
    for (const stage of ['tools/pre-execute', 'tools/post-execute'] as const) {
      const { host, stuck } = stuckHost({ drainMs: 0 });
      const policy = gate();
      host.tools.on(stage, (async (exec: { name: string }, ...rest: unknown[]) => {
        if (exec.name === 'stuck') await (stage === 'tools/pre-execute' ? policy.promise : never);
        return (rest.at(-1) as () => unknown)();
      }) as never);
      const outcome = host.run('main');
      await flush();
      stuck.bodies[0]?.open(1);
      await outcome;
      expect(host.lines()).toEqual(['start 1 stuck', 'end 1 failed']);
      policy.open();
      await flush();
      expect(stuck.bodies.length).toBe(stage === 'tools/pre-execute' ? 0 : 1);
    }
  });

  it('C61, C47: a log listener that never settles leaves the content as it is, with a warning', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!() }, drainMs: 0 });
    host.tools.register(makeTool('read'));
    const shaping = gate();
    host.tools.on('tools/ptc-dispatch-log', async () => {
      await shaping.promise;
      return [{ type: 'text', text: 'too late' }];
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'read' });
    shaping.open();
    await flush();
    expect(host.agent.of('tool/ptc-dispatch').map((payload) => payload['content'])).toEqual([
      [{ type: 'text', text: 'read' }],
    ]);
    expect(host.warnings.length).toBe(1);
  });
});

describe('calls that a program gives up', () => {
  it('C61: one that runs sees its own signal abort; the others and the run go on', async () => {
    const own = new AbortController();
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const given = tools['hang']!({}, { signal: own.signal }).catch(
            (error: { code?: string }) => error.code,
          );
          const other = tools['hang']!().catch(() => 'over');
          void other;
          await flush();
          own.abort(new Error('enough'));
          return given;
        },
      },
    });
    const { tool, reasons } = hang();
    host.tools.register(tool);
    const result = await host.run('main');
    expect(reasons[0]).toEqual(new Error('enough'));
    expect((result.value as { logs: [] }).logs).toEqual([]);
    expect(host.lines().slice(0, 3)).toEqual(['start 1 hang', 'start 2 hang', 'end 1 failed']);
  });

  it('C61, E75: one that is queued never starts, leaves no trace, and lets those behind it through', async () => {
    const own = new AbortController();
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const slow = tools['slow']!();
          const given = tools['write']!({}, { signal: own.signal }).catch(
            (error: { code?: string }) => error.code,
          );
          const after = tools['slow']!();
          own.abort();
          return [await given, await slow, await after];
        },
      },
    });
    const slow = gatedTool('slow');
    host.tools.register(slow.definition);
    host.tools.register(makeTool('write'));
    const outcome = host.run('main');
    await flush();
    expect(slow.running).toBe(2);
    for (const [i, body] of slow.bodies.entries()) body.open(i);
    expect((await outcome).value).toEqual({ logs: [], result: ['ABORTED_BEFORE_DISPATCH', 0, 1] });
    expect(host.lines().filter((line) => line.includes('write'))).toEqual([]);
  });

  it('C62: one that still runs when the program ends is named as given up, not as one that nobody awaited', async () => {
    const host = ptcHost({
      drainMs: 0,
      plays: {
        main: async ({ tools }) => {
          const own = new AbortController();
          const given = tools['stuck']!({}, { signal: own.signal });
          await flush();
          own.abort();
          void given;
          return 'went on';
        },
      },
    });
    host.tools.register(gatedTool('stuck').definition);
    expect(textOf(await host.run('main'))).toBe(
      'went on\nCalls that the program gave up and that had not ended when it did: #1 stuck (may still be running).',
    );
  });

  it('C62: one that was taken back before it started is not told as a call that nobody awaited', async () => {
    const takeBack = async ({ tools }: World) => {
      const own = new AbortController();
      const slow = tools['slow']!();
      const given = tools['write']!({}, { signal: own.signal }).catch(() => 'given up');
      own.abort();
      return [await given, await slow];
    };
    const host = ptcHost({
      plays: { told: takeBack, silent: async (world) => void (await takeBack(world)) },
    });
    host.tools.register(makeTool('slow', { isConcurrencySafe: () => true }));
    host.tools.register(makeTool('write'));
    expect(textOf(await host.run('told'))).toBe('[\n  "given up",\n  "slow"\n]');
    expect(textOf(await host.run('silent'))).toBe('(completed with no output; 1 call ran: slow)');
  });

  it('C30: one whose signal had already aborted takes no number', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const code = await tools['read']!({}, { signal: AbortSignal.abort() }).catch(
            (error: { code?: string }) => error.code,
          );
          await tools['read']!();
          return code;
        },
      },
    });
    host.tools.register(makeTool('read'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'ABORTED_BEFORE_DISPATCH' });
    expect(host.lines()).toEqual(['start 1 read', 'end 1 ok']);
  });

  it('C31, Q2: the deadline of a call aborts it and reads as TOOL_TIMEOUT, whether it runs or waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcomes: unknown[] = [];
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const note = (error: { code?: string; message: string }) =>
            void outcomes.push([error.code, error.message]);
          await Promise.all([
            tools['ignores']!({}, { timeoutMs: 50 }).catch(note),
            tools['write']!({}, { timeoutMs: 20 }).catch(note),
          ]);
        },
      },
    });
    const ignores = gatedTool('ignores');
    host.tools.register(ignores.definition);
    host.tools.register(makeTool('write'));
    const outcome = host.run('main');
    await flush();
    await vi.advanceTimersByTimeAsync(20);
    expect(outcomes).toEqual([['TOOL_TIMEOUT', expect.stringContaining('within 20 ms')]]);
    await vi.advanceTimersByTimeAsync(30);
    expect(ignores.bodies[0]!.exec.signal.aborted).toBe(true);
    ignores.bodies[0]!.open('too late');
    await outcome;
    expect(outcomes[1]).toEqual(['TOOL_TIMEOUT', expect.stringContaining('within 50 ms')]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('C31: a call that settles before its deadline leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!({}, { timeoutMs: 1000 }) } });
    host.tools.register(makeTool('read'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'read' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('approvals', () => {
  it('M36, P24: while an approver decides, the clock of the run is stopped; once per question', async () => {
    const clock: string[] = [];
    const answer = gate<'allowed-once'>();
    const host = ptcHost({
      runtime: {
        run: async ({ bindings }) => {
          const call = {
            n: 1,
            signal: new AbortController().signal,
            isCancellable: false,
            pauseWall: () => {
              clock.push('stop');
              return () => clock.push('go');
            },
          } as unknown as CodeBindingCall;
          const { functions } = bindings[0]!;
          await functions['free']!({}, call);
          await functions['danger']!({}, call);
          throw new Error('over');
        },
      },
    });
    host.tools.register(makeTool('free'));
    host.tools.register(makeTool('danger'));
    host.tools.setApproval({ request: () => answer.promise });
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'danger' ? { kind: 'ask' } : next(),
    );
    const outcome = host.run('main');
    await flush();
    expect(clock).toEqual(['stop']);
    answer.open('allowed-once');
    await outcome;
    expect(clock).toEqual(['stop', 'go']);
  });
});
