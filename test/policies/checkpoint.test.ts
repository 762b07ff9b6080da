import { describe, expect, it } from 'vitest';
import { checkpoint } from '#dist/policies/checkpoint.js';
import { recoverUnknownOutcomes } from '#dist/policies/recover-unknown-outcomes.js';
import type { Agent, AgentSession } from '#dist/runtime/contract/scope.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { flush, type Gate, gate } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

/** An agent whose session flushes when the test says so. */
function flushingAgent(agent: Agent) {
  const flushes: Gate[] = [];
  const session: AgentSession = {
    ...agent.session!,
    flush: () => {
      const one = gate();
      flushes.push(one);
      return one.promise;
    },
  };
  return { agent: { ...agent, session }, flushes };
}

describe('checkpoint', () => {
  it('Q25: the body of a direct call runs only once the session is flushed', async () => {
    const host = policyHost();
    checkpoint(host.tools);
    const tool = gatedTool('write');
    host.tools.register(tool.definition);
    const { agent, flushes } = flushingAgent(host.agent);
    const result = host.call('write', {}, { agent });
    await flush();
    expect(tool.bodies).toHaveLength(0);
    flushes[0]!.open();
    await flush();
    tool.bodies[0]!.open('done');
    expect(outcomeOf(await result)).toBe('ok');
  });

  it('Q25: an abort during the flush ends the call before dispatch', async () => {
    const host = policyHost();
    checkpoint(host.tools);
    const tool = gatedTool('write');
    host.tools.register(tool.definition);
    const { agent, flushes } = flushingAgent(host.agent);
    const result = host.call('write', {}, { agent });
    await flush();
    host.controller.abort();
    expect(outcomeOf(await result)).toBe('ABORTED_BEFORE_DISPATCH');
    flushes[0]!.fail(new Error('late'));
    await flush();
    expect(tool.bodies).toHaveLength(0);
  });

  it('Q25: a flush that fails, or throws, keeps the body from running and names the policy', async () => {
    for (const broken of [
      () => Promise.reject(new Error('disk full')),
      () => {
        throw new Error('disk full');
      },
    ]) {
      const host = policyHost();
      checkpoint(host.tools);
      const tool = gatedTool('write');
      host.tools.register(tool.definition);
      const agent = { ...host.agent, session: { ...host.agent.session!, flush: broken } };
      const result = await host.call('write', {}, { agent });
      expect(outcomeOf(result)).toBe('Policy "checkpoint" failed: disk full');
      expect(tool.bodies).toHaveLength(0);
    }
  });

  it('Q25: a program flushes once, its sub-calls do not; neither does a call without an agent or a session that cannot', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => Promise.all([tools['a']!(), tools['a']!()]) } });
    checkpoint(host.tools);
    host.tools.register(makeTool('a'));
    let flushes = 0;
    const agent = {
      ...host.agent,
      session: {
        ...host.agent.session!,
        flush: async () => {
          flushes += 1;
        },
      },
    };
    expect(outcomeOf(await host.run('main', { agent }))).toBe('ok');
    expect(flushes).toBe(1);
    const bare = policyHost();
    checkpoint(bare.tools);
    bare.tools.register(makeTool('a'));
    expect(outcomeOf(await bare.call('a'))).toBe('ok');
    expect(outcomeOf(await bare.call('a', {}, { agent: undefined }))).toBe('ok');
  });
});

/** A session that reads back what it was given. */
function readable(events: readonly (readonly [string, Record<string, JsonValue>])[]) {
  const log = events.map(([type, payload]) => ({ type, payload }));
  const session: AgentSession = {
    id: 's',
    append(type, payload) {
      log.push({ type, payload: payload as Record<string, JsonValue> });
      return { seq: log.length };
    },
    events: (type) => log.filter((event) => event.type === type).map(({ payload }) => payload),
  };
  return { session, log };
}

describe('recoverUnknownOutcomes', () => {
  const call = (callId: string, step = 1) =>
    ['tool/call', { turn: 1, step, callId, name: 'write', arguments: '{}', seq: 7 }] as const;
  const result = (callId: string, step = 1) =>
    ['tool/result', { turn: 1, step, callId, content: [], isError: false, callSeq: 7 }] as const;

  it('Q25: each call without a result gets one that says its outcome is unknown and advises to verify it', () => {
    const { session, log } = readable([call('a'), result('a'), call('b')]);
    expect(recoverUnknownOutcomes(session)).toEqual([{ callId: 'b', name: 'write' }]);
    const text =
      'The host stopped while "write" was running, so its outcome is unknown: it may have taken effect. Verify its side effects before calling it again';
    expect(log.at(-1)).toEqual({
      type: 'tool/result',
      payload: {
        turn: 1,
        step: 1,
        callId: 'b',
        callSeq: 7,
        isError: true,
        content: [{ type: 'text', text: `Error: ${text}` }],
        error: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' },
      },
    });
    expect(recoverUnknownOutcomes(session)).toEqual([]);
  });

  it('Q25: an id that was used in two steps, or twice in one, needs a result each time', () => {
    const { session, log } = readable([
      call('a'),
      result('a'),
      call('a', 2),
      call('c'),
      call('c'),
      result('c'),
    ]);
    expect(
      recoverUnknownOutcomes(session)
        .map(({ callId }) => callId)
        .sort(),
    ).toEqual(['a', 'c']);
    expect(log.filter(({ type }) => type === 'tool/result')).toHaveLength(4);
  });

  it('Q25: a sub-call that was started gets its outcome too, before that of its program', () => {
    const start = { rootCallId: 'r', parentCallId: 'r', subCallId: 'r:ptc:1', name: 'write' };
    const { session, log } = readable([
      call('r'),
      ['tool/ptc-dispatch-start', { ...start, arguments: {}, position: { line: 3, column: 7 } }],
    ]);
    expect(recoverUnknownOutcomes(session).map(({ callId }) => callId)).toEqual(['r:ptc:1', 'r']);
    expect(log[2]).toMatchObject({
      type: 'tool/ptc-dispatch',
      payload: { ...start, position: { line: 3, column: 7 }, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
    });
    expect(recoverUnknownOutcomes(session)).toEqual([]);
  });

  it('Q25: a session that cannot be read is an error, not an empty answer', () => {
    const { session } = readable([]);
    const { events: _, ...blind } = session;
    expect(() => recoverUnknownOutcomes(blind)).toThrow('"session"');
  });
});
