import { describe, expect, it } from 'vitest';
import type { PreToolDecision } from '#dist/runtime/contract/decisions.js';
import { ToolArgsError } from '#dist/runtime/core/errors.js';
import { durableOutcome } from '#dist/runtime/pipeline/durable-outcome.js';
import { BEFORE_DISPATCH } from './cancel-texts.ts';
import { callInput, coded, failureParts, fakeHost, fakeTool, gate, text, uncoded } from './fake-host.ts';

/** A host that notes which of body and post-execute a call reached. */
function tracedHost() {
  const phases: string[] = [];
  const host = fakeHost(
    fakeTool({
      execute: async () => {
        phases.push('body');
        return 'done';
      },
      finalizeContent: () => {
        phases.push('finalize');
        return undefined;
      },
    }),
  );
  host.on('tools/post-execute', async (_exec, _result, next) => {
    phases.push('post');
    return next();
  });
  const decide = (decision: unknown) => host.on('tools/pre-execute', async () => decision as PreToolDecision);
  return { host, phases, decide };
}

describe('policy decisions', () => {
  it('P12: allow goes on to the guards and the body; the innermost next() says allow', async () => {
    const { host, phases } = tracedHost();
    let inner: unknown;
    host.on('tools/pre-execute', async (_exec, next) => {
      inner = await next();
      return { kind: 'allow' };
    });
    host.guards.push(() => {
      phases.push('guard');
      return undefined;
    });
    const result = await host.pipeline.execute(callInput());
    expect(inner).toEqual({ kind: 'allow' });
    expect(phases).toEqual(['guard', 'body', 'post', 'finalize']);
    expect(result.value).toBe('done');
  });

  it('P13, P69: a denial’s reason is the message, its content has the prefix, and it is reviewed without guards or a body', async () => {
    const { host, phases, decide } = tracedHost();
    decide({ kind: 'deny', reason: 'not on fridays' });
    host.guards.push(() => {
      phases.push('guard');
      return undefined;
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(uncoded('not on fridays'));
    expect(Object.hasOwn(result.error!, 'info')).toBe(false);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P13, P14: info is kept as given, and its reason reaches durable records but no model', async () => {
    const { host, decide } = tracedHost();
    const info = { name: 'RuleError', code: 'RULE', reason: 'path /secret is private' };
    decide({ kind: 'deny', reason: 'denied by a rule', info });
    const result = await host.pipeline.execute(callInput());
    expect(result.error).toEqual({ message: 'denied by a rule', info });
    expect(result.content).toEqual([text('Error: denied by a rule')]);
    expect(durableOutcome(result).error).toEqual(info);
    expect(Object.isFrozen(result.error?.info)).toBe(true);
    expect(Object.isFrozen(info)).toBe(false);
  });

  it('P13, P58: info that is lossy or has no code makes a safe error result, reviewed like the denial', async () => {
    for (const info of [
      { name: 'A', code: () => {} },
      { name: 'A' },
      { name: 1, code: 'B' },
      null,
      'A',
      { name: 'A', code: 'B', reason: 1 },
    ]) {
      const { host, phases, decide } = tracedHost();
      decide({ kind: 'deny', reason: 'no', info });
      const result = await host.pipeline.execute(callInput());
      expect(result.error?.message).toMatch(/^Cannot take the info of a denial: wanted /);
      expect(result.error?.info).toBeUndefined();
      expect(phases).toEqual(['post', 'finalize']);
    }
  });

  it('P15: cancel is the one cancellation result, reviewed, and not a denial', async () => {
    const { host, phases, decide } = tracedHost();
    decide({ kind: 'cancel' });
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P16: each field of a decision is read once', async () => {
    const { host } = tracedHost();
    const reads: string[] = [];
    host.on(
      'tools/pre-execute',
      async () =>
        new Proxy({ kind: 'deny', reason: 'no', info: { name: 'A', code: 'B' } } as const, {
          get: (target, key) => {
            if (key !== 'then') reads.push(String(key));
            return Reflect.get(target, key);
          },
        }),
    );
    await host.pipeline.execute(callInput());
    expect(reads.sort()).toEqual(['info', 'kind', 'reason']);
  });

  const NO_DECISIONS = [
    ['nothing', undefined, 'wanted a decision, received undefined'],
    ['true', true, 'wanted a decision, received true'],
    ['null', null, 'wanted a decision, received null'],
    ['no kind', {}, 'wanted the kind "allow", "deny", "cancel" or "ask", received undefined'],
    [
      'a foreign kind',
      { kind: 'ALLOW' },
      'wanted the kind "allow", "deny", "cancel" or "ask", received "ALLOW"',
    ],
    [
      'a denial without a reason',
      { kind: 'deny' },
      'wanted a string "reason" for "deny", received undefined',
    ],
    [
      'an ask with a lossy reason',
      { kind: 'ask', reason: 1n },
      'wanted a string "reason" for "ask", received 1n',
    ],
  ] as const;
  it.each(NO_DECISIONS)(
    'P18: a listener that returns %s fails the call closed, like one that throws',
    async (_, decision, message) => {
      const { host, phases, decide } = tracedHost();
      decide(decision);
      const result = await host.pipeline.execute(callInput());
      expect(failureParts(result)).toEqual(
        uncoded(`Cannot read the decision of "tools/pre-execute": ${message}`),
      );
      expect(phases).toEqual(['finalize']);
    },
  );

  it('P18, E56: a listener that throws or rejects skips post-execute; a coded error keeps its name and code', async () => {
    const { host, phases } = tracedHost();
    host.on('tools/pre-execute', async () => {
      throw new ToolArgsError(['a']);
    });
    const rejected = await host.pipeline.execute(callInput());
    expect(failureParts(rejected)).toEqual(coded('ToolArgsError', 'INVALID_ARGS', 'Invalid arguments: a'));
    const synchronous = tracedHost();
    synchronous.host.on('tools/pre-execute', () => {
      throw new Error('broken policy');
    });
    const thrown = await synchronous.host.pipeline.execute(callInput());
    expect(failureParts(thrown)).toEqual(uncoded('broken policy'));
    expect([phases, synchronous.phases]).toEqual([['finalize'], ['finalize']]);
    expect([host.observed.length, synchronous.host.observed.length]).toEqual([1, 1]);
  });

  it('P12: what next() says cannot be changed for other calls', async () => {
    const { host } = tracedHost();
    const changed: boolean[] = [];
    host.on('tools/pre-execute', async (_exec, next) => {
      const decision = await next();
      changed.push(Reflect.set(decision, 'kind', 'deny'));
      return decision;
    });
    expect((await host.pipeline.execute(callInput())).value).toBe('done');
    expect((await host.pipeline.execute(callInput())).value).toBe('done');
    expect(changed).toEqual([false, false]);
  });

  it('P12: a listener that calls next() twice fails the call, and the policies behind it ran once', async () => {
    const { host, phases } = tracedHost();
    let inner = 0;
    host.on('tools/pre-execute', async (_exec, next) => {
      await next();
      return next();
    });
    host.on('tools/pre-execute', async (_exec, next) => {
      inner += 1;
      return next();
    });
    const result = await host.pipeline.execute(callInput());
    expect(result.error?.message).toContain('next()');
    expect(inner).toBe(1);
    expect(phases).toEqual(['finalize']);
  });
});

describe('policy decisions and the caller’s abort', () => {
  const LATE: readonly [string, unknown, unknown][] = [
    ['a denial', { kind: 'deny', reason: 'no' }, uncoded('no')],
    ['a throw', new Error('broken'), uncoded('broken')],
  ];
  it.each(LATE)(
    'P19, E39: %s that settles after the caller aborted stays what it is',
    async (_, outcome, expected) => {
      const { host } = tracedHost();
      const controller = new AbortController();
      host.on('tools/pre-execute', async () => {
        controller.abort();
        if (outcome instanceof Error) throw outcome;
        return outcome as PreToolDecision;
      });
      const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
      expect(failureParts(result)).toEqual(expected);
    },
  );

  it('P20, P72: the pipeline waits for a listener that ignores the abort, then ends as aborted before the body, reviewed', async () => {
    const { host, phases } = tracedHost();
    const controller = new AbortController();
    const [entered, released] = [gate(), gate()];
    host.on('tools/pre-execute', async (exec, next) => {
      entered.open();
      await released.opened;
      phases.push(`pre saw aborted: ${exec.signal.aborted}`);
      return next();
    });
    let settled = false;
    const pending = host.pipeline.execute(callInput({ signal: controller.signal })).then((result) => {
      settled = true;
      return result;
    });
    await entered.opened;
    controller.abort();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(settled).toBe(false);
    released.open();
    expect(failureParts(await pending)).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['pre saw aborted: true', 'post', 'finalize']);
  });

  it('P21: a guard’s denial beats the cancellation', async () => {
    const { host } = tracedHost();
    const controller = new AbortController();
    host.on('tools/pre-execute', async (_exec, next) => {
      controller.abort();
      return next();
    });
    host.guards.push(() => 'guarded');
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(uncoded('guarded'));
  });

  it('P21: a guard that aborts the caller and abstains ends the call as aborted before any wrapper', async () => {
    const { host, phases } = tracedHost();
    host.on('tools/execute', async (_exec, next) => {
      phases.push('around');
      return next();
    });
    const controller = new AbortController();
    host.guards.push(() => {
      controller.abort();
      return undefined;
    });
    const result = await host.pipeline.execute(callInput({ signal: controller.signal }));
    expect(failureParts(result)).toEqual(BEFORE_DISPATCH);
    expect(phases).toEqual(['post', 'finalize']);
  });
});

describe('guards', () => {
  it('P69: a guard’s reason is taken exactly like a denial’s, without info, and reviewed', async () => {
    const { host, phases } = tracedHost();
    host.guards.push(() => 'closed for today');
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(uncoded('closed for today'));
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('P69: an empty reason denies too', async () => {
    const { host, phases } = tracedHost();
    host.guards.push(() => '');
    expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(uncoded(''));
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('E13: no policy, outermost or not, can turn a guard’s denial into an allowance', async () => {
    const { host, phases } = tracedHost();
    host.guards.push(() => 'guarded');
    host.on('tools/pre-execute', async () => ({ kind: 'allow' }));
    host.on('tools/execute', async (_exec, next) => {
      phases.push('around');
      return next();
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(uncoded('guarded'));
    expect(phases).toEqual(['post', 'finalize']);
  });

  it('E121: guards see only what policy let through, and a guard that throws is no denial: post-execute is skipped', async () => {
    const denied = tracedHost();
    denied.decide({ kind: 'deny', reason: 'no' });
    denied.host.guards.push(() => {
      throw new Error('never asked');
    });
    expect(failureParts(await denied.host.pipeline.execute(callInput()))).toEqual(uncoded('no'));
    const { host, phases } = tracedHost();
    host.guards.push((exec) => {
      throw new ToolArgsError([`guard saw frozen: ${Object.isFrozen(exec.arguments)}`]);
    });
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(
      coded('ToolArgsError', 'INVALID_ARGS', 'Invalid arguments: guard saw frozen: true'),
    );
    expect(phases).toEqual(['finalize']);
  });

  it('E121: an answer that is neither a string nor nothing, such as a promise, fails the call instead of opening the way', async () => {
    const { host, phases } = tracedHost();
    host.guards.push((() => Promise.reject(new Error('nobody waits for this'))) as never);
    const result = await host.pipeline.execute(callInput());
    expect(failureParts(result)).toEqual(
      uncoded("Cannot read a guard's answer: wanted a string or undefined, received an object"),
    );
    expect(phases).toEqual(['finalize']);
  });
});
