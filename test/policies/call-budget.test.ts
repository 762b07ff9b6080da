import { describe, expect, it } from 'vitest';
import { callBudget } from '#dist/policies/call-budget.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

/** A program that calls the named tools one after the other and lists what came of each. */
function budgetHost(names: readonly string[]) {
  const host = ptcHost({
    plays: {
      main: async ({ tools }) => {
        const outcomes: string[] = [];
        for (const name of names) {
          outcomes.push(
            await tools[name]!().then(
              () => 'ok',
              (error: Error) => error.message,
            ),
          );
        }
        return outcomes;
      },
    },
  });
  for (const name of new Set(names)) host.tools.register(makeTool(name));
  return host;
}

const outcomes = async (host: ReturnType<typeof budgetHost>): Promise<readonly string[]> =>
  ((await host.run('main')).value as { result: string[] }).result;

describe('callBudget', () => {
  it('Q29: the calls of a run are limited, the call that carries the program is not one of them, and the next run starts anew', async () => {
    const host = budgetHost(['a', 'a', 'a']);
    callBudget(host.tools, { perRun: 2 });
    const expected = [
      'ok',
      'ok',
      'The limit of 2 calls of this run is reached; left: 0 of 2 calls of this run',
    ];
    expect(await outcomes(host)).toEqual(expected);
    expect(await outcomes(host)).toEqual(expected);
  });

  it('Q29: each tool has its own limit, and the reason says what is left', async () => {
    const host = budgetHost(['a', 'b', 'a', 'b']);
    callBudget(host.tools, { perRun: 9, perTool: { a: 1 } });
    expect(await outcomes(host)).toEqual([
      'ok',
      'ok',
      'The limit of 1 calls of "a" in this run is reached; left: 7 of 9 calls of this run, 0 of 1 calls of "a"',
      'ok',
    ]);
  });

  it('Q29: calls a minute are counted over all runs, in any 60 seconds', async () => {
    const host = policyHost();
    host.tools.register(makeTool('a'));
    let now = 0;
    callBudget(host.tools, { perMinute: 2, now: () => now });
    const at = async (ms: number): Promise<string> => {
      now = ms;
      return outcomeOf(await host.call('a'));
    };
    expect(await at(0)).toBe('ok');
    expect(await at(30_000)).toBe('ok');
    expect(await at(45_500)).toBe(
      'The limit of 2 calls a minute is reached, the next may start in 15 s; left: 0 of 2 calls a minute',
    );
    expect(await at(60_000)).toBe('ok');
    expect(await at(89_999)).toContain('in 1 s');
    expect(await at(90_000)).toBe('ok');
  });

  it('Q29: a cost function prices each call by its arguments, and a cheaper call may still fit', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const buy = (units: number) =>
            tools['buy']!({ units }).then(
              () => 'ok',
              (error: Error) => error.message,
            );
          return [await buy(6), await buy(5), await buy(4)];
        },
      },
    });
    host.tools.register(makeTool('buy'));
    callBudget(host.tools, { maxCost: 10, cost: ({ arguments: args }) => (args as { units: number }).units });
    expect((await host.run('main')).value).toEqual({
      logs: [],
      result: ['ok', 'The call of "buy" costs 5, more than this run has left; left: 4 of a cost of 10', 'ok'],
    });
  });

  it('Q29: a call that a policy denies costs nothing, and a guard that is asked twice counts once', async () => {
    const host = policyHost();
    host.tools.register(makeTool('a'));
    const deny = host.tools.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no' }));
    callBudget(host.tools, { perMinute: 1 });
    expect(outcomeOf(await host.call('a'))).toBe('no');
    deny();
    const ask = host.tools.on('tools/execute', (exec, next) => {
      expect(host.tools.checkGuards(exec)).toBeUndefined();
      return next();
    });
    expect(outcomeOf(await host.call('a'))).toBe('ok');
    ask();
    expect(outcomeOf(await host.call('a'))).toContain('limit of 1 calls a minute');
  });

  it('Q29: runs of two agents with the same call id do not share a budget', async () => {
    const host = policyHost();
    host.tools.register(makeTool('a'));
    callBudget(host.tools, { perRun: 1 });
    const ids = { callId: 'same' as never, rootCallId: 'root' as never };
    expect(outcomeOf(await host.call('a', {}, ids))).toBe('ok');
    expect(outcomeOf(await host.call('a', {}, { ...ids, agent: { id: 'other' } }))).toBe('ok');
    expect(outcomeOf(await host.call('a', {}, ids))).toContain('limit of 1');
  });

  it("a cost function that throws, or prices nonsense, denies with the policy's name", async () => {
    const host = policyHost();
    host.tools.register(makeTool('a'));
    const dispose = callBudget(host.tools, {
      maxCost: 1,
      cost: () => {
        throw new Error('no price');
      },
    });
    expect(outcomeOf(await host.call('a'))).toBe('Policy "callBudget" failed: no price');
    dispose();
    callBudget(host.tools, { maxCost: 1, cost: () => -1 });
    expect(outcomeOf(await host.call('a'))).toContain('Policy "callBudget" failed');
  });

  it('a budget without a limit, or with one that has no meaning, fails when it is made', () => {
    const { tools } = policyHost();
    expect(() => callBudget(tools, {})).toThrow('at least one limit');
    expect(() => callBudget(tools, { perRun: -1 })).toThrow('"perRun"');
    expect(() => callBudget(tools, { perTool: { a: 1.5 } })).toThrow('"perTool.a"');
    expect(() => callBudget(tools, { perHour: 1 } as never)).toThrow('"perHour"');
  });
});
