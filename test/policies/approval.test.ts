import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApprovalAnswerer, approvals } from '#dist/policies/approval.js';
import type { ApprovalAnswer, ApprovalOutcome } from '#dist/runtime/contract/approval.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import type { Agent } from '#dist/runtime/contract/scope.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { flush, gate } from '../support/gate.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost, textOf } from './policy-host.ts';

afterEach(() => {
  vi.useRealTimers();
});

function askingHost(answerers?: readonly ApprovalAnswerer[], options: object = {}) {
  const host = policyHost();
  host.tools.register(makeTool('danger'));
  host.tools.on('tools/pre-execute', async () => ({
    kind: 'ask',
    reason: 'it writes',
    displayReason: { en: 'May it write?' },
  }));
  const dispose = approvals(host.tools, { ...(answerers && { answerers }), ...options });
  const events = () => host.agent.events.map(({ type, payload }) => ({ type, ...payload }));
  return { ...host, dispose, events };
}

const DENIED = {
  unavailable: 'The call of "danger" requires approval and no approver is available',
  rejected: 'The call of "danger" was rejected by the approver',
  cancelled: 'The approval of "danger" was cancelled before it was answered',
  deferred: 'The approval of "danger" was deferred, so the call was not made',
};

describe('approvals', () => {
  it.each<[ApprovalOutcome, string]>([
    ['allowed-once', 'ok'],
    ['rejected', DENIED.rejected],
    ['cancelled', DENIED.cancelled],
    ['unavailable', DENIED.unavailable],
    ['deferred', DENIED.deferred],
  ])(
    'Q20: the answer %s has its own outcome, and a note is appended to a denial',
    async (answer, outcome) => {
      const plain = askingHost([async () => answer]);
      expect(outcomeOf(await plain.call('danger'))).toBe(outcome);
      const noted = askingHost([() => ({ outcome: answer, note: 'not today' })]);
      expect(outcomeOf(await noted.call('danger'))).toBe(outcome === 'ok' ? 'ok' : `${outcome}: not today`);
    },
  );

  it.each<[string, readonly ApprovalAnswerer[] | undefined]>([
    ['nobody', undefined],
    ['an empty list', []],
    ['one that passes', [() => undefined]],
    [
      'one that throws',
      [
        () => {
          throw new Error('no terminal');
        },
      ],
    ],
    ['one that rejects', [() => Promise.reject(new Error('no terminal'))]],
    ['the word yes', [() => 'yes' as never]],
    ['true', [() => true as never]],
    ['an object without an outcome', [() => ({ note: 'yes' }) as never]],
    ['an unknown outcome', [() => ({ outcome: 'allowed' }) as never]],
    ['null', [() => null as never]],
  ])('Q20: %s is no permission', async (_, answerers) => {
    const host = askingHost(answerers);
    expect(outcomeOf(await host.call('danger'))).toBe(DENIED.unavailable);
  });

  it('Q20: the first answerer that answers counts; those behind it are not asked', async () => {
    const asked: string[] = [];
    const says = (name: string, answer: ApprovalAnswer | undefined): ApprovalAnswerer => {
      return () => {
        asked.push(name);
        return answer;
      };
    };
    const host = askingHost([says('a', undefined), says('b', 'allowed-once'), says('c', 'rejected')]);
    expect(outcomeOf(await host.call('danger'))).toBe('ok');
    expect(asked).toEqual(['a', 'b']);
  });

  it('Q20: an abort cancels at once, and what is answered later is dropped', async () => {
    const answer = gate<ApprovalAnswer>();
    const host = askingHost([() => answer.promise]);
    const result = host.call('danger');
    await flush();
    host.controller.abort();
    expect(outcomeOf(await result)).toBe('ABORTED_BEFORE_DISPATCH');
    answer.open('allowed-once');
    await flush();
    expect(host.events().map(({ type, outcome }: Record<string, unknown>) => [type, outcome])).toEqual([
      ['approval/asked', undefined],
      ['approval/decided', 'cancelled'],
    ]);
  });

  it('Q20: past its time limit a question is unavailable; without one nobody hurries', async () => {
    vi.useFakeTimers();
    const slow = askingHost([() => new Promise(() => {})], { timeoutMs: 500 });
    const result = slow.call('danger');
    await vi.advanceTimersByTimeAsync(500);
    expect(outcomeOf(await result)).toBe(DENIED.unavailable);
    const patient = askingHost([() => new Promise((resolve) => setTimeout(resolve, 1e9, 'allowed-once'))]);
    const later = patient.call('danger');
    await vi.advanceTimersByTimeAsync(1e9);
    expect(outcomeOf(await later)).toBe('ok');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('Q21: a session whose policy is never is rejected before any answerer, and the last event wins', async () => {
    const answerer = vi.fn(() => 'allowed-once' as const);
    const host = askingHost([answerer]);
    const policies: unknown[] = [];
    const agent = {
      ...host.agent,
      session: { ...host.agent.session!, events: () => policies },
    } as Agent;
    const call = (): Promise<ToolExecutionResult> => host.call('danger', {}, { agent });
    expect(outcomeOf(await call())).toBe('ok');
    policies.push({ policy: 'ask' }, { policy: 'never' });
    expect(outcomeOf(await call())).toBe(DENIED.rejected);
    expect(answerer).toHaveBeenCalledTimes(1);
    policies.push({ policy: 'ask' });
    expect(outcomeOf(await call())).toBe('ok');
    policies.push({ policy: 'whatever' });
    expect(outcomeOf(await call())).toBe(DENIED.rejected);
    const never = askingHost([answerer], { policy: 'never' });
    expect(outcomeOf(await never.call('danger'))).toBe(DENIED.rejected);
    expect(answerer).toHaveBeenCalledTimes(2);
  });

  it('Q22, Q31: both events have one fresh id; the audited reason is recorded, prompt text and arguments are not', async () => {
    const host = askingHost([() => ({ outcome: 'rejected', note: 'no' })]);
    await host.call('danger', { secret: 'x' });
    await host.call('danger', { secret: 'x' });
    const events = host.events() as unknown as Record<string, string>[];
    const [first, , second] = events.map(({ id }) => id);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(first).not.toBe(second);
    expect(events.slice(0, 2)).toEqual([
      {
        type: 'approval/asked',
        id: first,
        toolName: 'danger',
        callId: expect.any(String),
        reason: 'it writes',
      },
      { type: 'approval/decided', id: first, outcome: 'rejected', note: 'no' },
    ]);
  });

  it('Q31: prompt text reaches the answerer and neither the audit nor what the model reads', async () => {
    let shown: string | undefined;
    const host = askingHost([
      ({ displayReason }) => {
        shown = displayReason?.en;
        return 'rejected';
      },
    ]);
    const result = await host.call('danger');
    expect(shown).toBe('May it write?');
    expect(textOf(result)).toBe(`Error: ${DENIED.rejected}`);
    expect(JSON.stringify(host.events())).not.toContain('May it write');
  });

  it('Q22: what cannot be recorded is not allowed, before the question or after the answer', async () => {
    const answerer = vi.fn(() => 'allowed-once' as const);
    const before = askingHost([answerer]);
    before.agent.refuse('approval/asked', new Error('disk full'));
    expect(outcomeOf(await before.call('danger'))).toBe(
      'The approval of "danger" failed: Policy "approvals" failed: disk full',
    );
    expect(answerer).not.toHaveBeenCalled();
    const after = askingHost([answerer]);
    after.agent.refuse('approval/decided', new Error('disk full'));
    expect(outcomeOf(await after.call('danger'))).toContain('disk full');
  });

  it('Q23: nothing is remembered, and the request carries no arguments', async () => {
    const requests: object[] = [];
    const host = askingHost([
      (request) => {
        requests.push(request);
        return requests.length === 1 ? 'allowed-once' : 'rejected';
      },
    ]);
    expect(outcomeOf(await host.call('danger', { path: 'a' }))).toBe('ok');
    expect(outcomeOf(await host.call('danger', { path: 'a' }))).toBe(DENIED.rejected);
    expect(Object.keys(requests[0]!).sort()).toEqual([
      'agent',
      'callId',
      'displayReason',
      'reason',
      'signal',
      'toolName',
    ]);
  });

  it('Q20: a sub-call asks the same service, with the arguments on the execution beside the request', async () => {
    const host = ptcHost({
      plays: {
        main: ({ tools }) =>
          tools['danger']!({ target: 'x' }).then(
            () => 'ran',
            (error: Error) => error.message,
          ),
      },
    });
    host.tools.register(makeTool('danger'));
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.parent === undefined ? next() : { kind: 'ask' },
    );
    const seen: unknown[] = [];
    approvals(host.tools, {
      answerers: [
        (_, execution) => {
          seen.push(execution?.arguments);
          return 'rejected';
        },
      ],
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: DENIED.rejected });
    expect(seen).toEqual([{ target: 'x' }]);
  });

  it('an option without a meaning fails when the service is made, and its disposer takes it away', async () => {
    const { tools } = policyHost();
    expect(() => approvals(tools, { answerers: ['yes'] as never })).toThrow('"answerers[0]"');
    expect(() => approvals(tools, { answerers: 'yes' as never })).toThrow('"answerers"');
    expect(() => approvals(tools, { timeoutMs: 0 })).toThrow('"timeoutMs"');
    expect(() => approvals(tools, { policy: 'always' as never })).toThrow('"policy"');
    const host = askingHost([() => 'allowed-once']);
    host.dispose();
    expect(outcomeOf(await host.call('danger'))).toBe('it writes');
  });
});
