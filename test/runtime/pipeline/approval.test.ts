import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from '#dist/runtime/contract/approval.js';
import type { PreToolDecision } from '#dist/runtime/contract/decisions.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { BEFORE_DISPATCH } from './cancel-texts.ts';
import { agent, callInput, failureParts, fakeHost, fakeTool, uncoded } from './fake-host.ts';

type Ask = Extract<PreToolDecision, { kind: 'ask' }>;

/** A host whose policy asks, and whose approver answers as told. */
function askingHost(ask: Omit<Ask, 'kind'> = {}, answer?: () => unknown) {
  const phases: string[] = [];
  const requests: { request: ApprovalRequest; execution: Readonly<ToolExecution> | undefined }[] = [];
  const host = fakeHost(
    fakeTool({
      execute: async () => {
        phases.push('body');
        return 'done';
      },
    }),
  );
  host.on('tools/pre-execute', async () => ({ kind: 'ask', ...ask }));
  host.guards.push(() => {
    phases.push('guard');
    return undefined;
  });
  host.on('tools/post-execute', async (_exec, _result, next) => {
    phases.push('post');
    return next();
  });
  if (answer !== undefined) {
    host.approvals = {
      request: (request, execution) => {
        requests.push({ request, execution });
        return answer() as ApprovalAnswer;
      },
    };
  }
  return { host, phases, requests };
}

describe('an ask decision', () => {
  it('P22, E120: without an approver it is denied with its own reason, or a default one', async () => {
    const { host, phases } = askingHost({ reason: 'writes outside the project' });
    expect(failureParts(await host.pipeline.execute(callInput({ agent: agent() })))).toEqual(
      uncoded('writes outside the project'),
    );
    expect(phases).toEqual(['post']);
    const silent = askingHost();
    expect(failureParts(await silent.host.pipeline.execute(callInput({ agent: agent() })))).toEqual(
      uncoded('The call of "echo" requires approval and no approver is configured'),
    );
    const empty = askingHost({ reason: '' });
    expect(failureParts(await empty.host.pipeline.execute(callInput({ agent: agent() })))).toEqual(
      uncoded('The call of "echo" requires approval and no approver is configured'),
    );
  });

  it('P23, E42: without an agent it is denied, and nobody is asked', async () => {
    const { host, phases, requests } = askingHost({}, () => 'allowed-once');
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(
      uncoded('The call of "echo" requires approval and has no agent to ask for it'),
    );
    const reasoned = askingHost({ reason: 'writes' }, () => 'allowed-once');
    expect(failureParts(await reasoned.host.pipeline.execute(callInput()))).toEqual(uncoded('writes'));
    expect([requests, reasoned.requests]).toEqual([[], []]);
    expect(phases).toEqual(['post']);
  });

  it('P24: the request carries what was given and the caller’s own signal; arguments stay with the execution beside it', async () => {
    const displayReason = { en: 'May I?', de: 'Darf ich?' };
    const { host, requests } = askingHost({ reason: 'audited', displayReason }, () => 'allowed-once');
    const asker = agent();
    const input = callInput({ agent: asker, position: { line: 2, column: 5 } });
    await host.pipeline.execute(input);
    const [{ request, execution }] = requests as [(typeof requests)[0]];
    expect(request).toEqual({
      agent: asker,
      toolName: 'echo',
      callId: 'call_1',
      reason: 'audited',
      displayReason,
      position: { line: 2, column: 5 },
      signal: input.signal,
    });
    expect(request.agent).toBe(asker);
    expect(request.signal).toBe(input.signal);
    expect(execution?.arguments).toEqual({ a: 1 });
    expect(execution).toBe(host.observed[0]!.exec);
  });

  it('P16, P24: what was not given is no key of the request', async () => {
    const { host, requests } = askingHost({}, () => 'allowed-once');
    await host.pipeline.execute(callInput({ agent: agent() }));
    expect(Object.keys(requests[0]!.request).sort()).toEqual(['agent', 'callId', 'signal', 'toolName']);
  });

  it('P25: allowed-once goes on to the guards, which still apply, and the body', async () => {
    for (const answer of ['allowed-once', { outcome: 'allowed-once', note: 'fine' }]) {
      const { host, phases } = askingHost({}, async () => answer);
      const result = await host.pipeline.execute(callInput({ agent: agent() }));
      expect(result.value).toBe('done');
      expect(phases).toEqual(['guard', 'body', 'post']);
    }
    const { host, phases } = askingHost({}, () => 'allowed-once');
    host.guards.push(() => 'guarded all the same');
    const result = await host.pipeline.execute(callInput({ agent: agent() }));
    expect(failureParts(result)).toEqual(uncoded('guarded all the same'));
    expect(phases).toEqual(['guard', 'post']);
  });

  const UNKNOWN = 'The approval of "echo" ended without a known outcome, so the call was not made';
  const ANSWERS = [
    ['rejected', 'The call of "echo" was rejected by the approver'],
    ['cancelled', 'The approval of "echo" was cancelled before it was answered'],
    ['unavailable', 'The call of "echo" requires approval and no approver is available'],
    ['deferred', 'The approval of "echo" was deferred, so the call was not made'],
    ['allowed', UNKNOWN],
    ['ALLOWED-ONCE', UNKNOWN],
    [true, UNKNOWN],
    [undefined, UNKNOWN],
    [null, UNKNOWN],
    [{ outcome: 'allowed-always' }, UNKNOWN],
    [{}, UNKNOWN],
  ] as const;
  it.each(ANSWERS)(
    'P25, E41, E43: the outcome %j of a live caller is a denial with its own reason, reviewed',
    async (answer, reason) => {
      const { host, phases } = askingHost({ reason: 'audited' }, () => answer);
      const result = await host.pipeline.execute(callInput({ agent: agent() }));
      expect(failureParts(result)).toEqual(uncoded(reason));
      expect(phases).toEqual(['post']);
    },
  );

  it('P25: an approver’s note is appended to the denial; one that is no text is left out', async () => {
    const noted = askingHost({}, () => ({ outcome: 'rejected', note: 'use a branch' }));
    expect((await noted.host.pipeline.execute(callInput({ agent: agent() }))).error?.message).toBe(
      'The call of "echo" was rejected by the approver: use a branch',
    );
    const odd = askingHost({}, () => ({ outcome: 'rejected', note: { a: 1 } }));
    expect((await odd.host.pipeline.execute(callInput({ agent: agent() }))).error?.message).toBe(
      'The call of "echo" was rejected by the approver',
    );
  });

  it('P26, E41: cancelled by a caller that aborted is the cancellation result, reviewed; any other answer stays a denial', async () => {
    const controller = new AbortController();
    const { host, phases } = askingHost({}, () => {
      controller.abort();
      return 'cancelled';
    });
    const input = callInput({ agent: agent(), signal: controller.signal });
    expect(failureParts(await host.pipeline.execute(input))).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['post']);
    const other = new AbortController();
    const rejecting = askingHost({}, () => {
      other.abort();
      return 'rejected';
    });
    const result = await rejecting.host.pipeline.execute(callInput({ agent: agent(), signal: other.signal }));
    expect(failureParts(result)).toEqual(uncoded('The call of "echo" was rejected by the approver'));
  });

  it('P26, E40: allowed after the caller aborted does not dispatch', async () => {
    const controller = new AbortController();
    const { host, phases } = askingHost({}, async () => {
      controller.abort();
      return 'allowed-once';
    });
    const result = await host.pipeline.execute(callInput({ agent: agent(), signal: controller.signal }));
    expect(failureParts(result)).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['guard', 'post']);
  });

  it('P27: an approver that throws, rejects or gives a hostile answer is a denial that names the failure, reviewed', async () => {
    const failures: (() => unknown)[] = [
      () => {
        throw new Error('no terminal');
      },
      () => Promise.reject(new Error('no terminal')),
      () => ({
        get outcome(): never {
          throw new Error('no terminal');
        },
      }),
    ];
    for (const failure of failures) {
      const { host, phases } = askingHost({}, failure);
      const result = await host.pipeline.execute(callInput({ agent: agent() }));
      expect(failureParts(result)).toEqual(uncoded('The approval of "echo" failed: no terminal'));
      expect(phases).toEqual(['post']);
    }
  });

  it('P24: the executor hears of a question when it is put and when it is answered, however it is answered', async () => {
    for (const answer of [() => 'allowed-once', () => Promise.reject(new Error('no terminal'))]) {
      const heard: string[] = [];
      const { host } = askingHost({}, () => {
        heard.push('asked');
        return answer();
      });
      const onApproval = () => {
        heard.push('put');
        return () => void heard.push('answered');
      };
      await host.pipeline.execute(callInput({ agent: agent(), dispatch: { direct: 'any', onApproval } }));
      expect(heard).toEqual(['put', 'asked', 'answered']);
    }
  });

  it('P24: the request cannot be changed by the approver', async () => {
    const { host, requests } = askingHost({}, () => 'allowed-once');
    await host.pipeline.execute(callInput({ agent: agent() }));
    expect(Reflect.set(requests[0]!.request, 'toolName', 'other')).toBe(false);
  });

  it('P22: the approver is the one of the call’s own scope', async () => {
    const { host } = askingHost();
    const asked: unknown[] = [];
    host.approval = (scope) => {
      asked.push(scope);
      return undefined;
    };
    const mine = agent();
    await host.pipeline.execute(callInput({ agent: mine }));
    expect(asked).toEqual([mine]);
  });
});
