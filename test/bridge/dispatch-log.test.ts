import { describe, expect, it } from 'vitest';
import type { PtcDispatchLog } from '#dist/runtime/contract/events.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import { flush, gate } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { recordingAgent } from '../support/recording-agent.ts';
import { ptcHost } from './ptc-host.ts';

const IMAGE = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;

describe('the log of sub-calls', () => {
  it('C42, C43, C49, C68: both events say who called whom, and the second what came of it, verbatim', async () => {
    const long = 'x'.repeat(50_000);
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['show']!({ path: 'a' }, { at: { line: 2, column: 5 } });
          await tools['broken']!().catch(() => {});
        },
      },
    });
    host.tools.register(
      makeTool('show', {
        output: {
          schema: { type: 'string' },
          render: () => [{ type: 'text', text: long }, IMAGE, { type: 'chart', points: [1] }],
          presentationMeta: () => ({ rows: 1 }),
        },
        execute: async () => 'the canonical value',
      }),
    );
    host.tools.register(makeTool('broken'));
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'broken'
        ? { kind: 'deny', reason: 'no', info: { name: 'Denied', code: 'POLICY', reason: 'user detail' } }
        : next(),
    );
    await host.run('main');
    const ids = { rootCallId: 'outer', parentCallId: 'outer', subCallId: 'outer:ptc:1', name: 'show' };
    const position = { line: 2, column: 5 };
    expect(host.agent.of('tool/ptc-dispatch-start')).toEqual([
      { ...ids, arguments: { path: 'a' }, position },
      { ...ids, subCallId: 'outer:ptc:2', name: 'broken', arguments: {} },
    ]);
    expect(host.agent.of('tool/ptc-dispatch')).toEqual([
      {
        ...ids,
        isError: false,
        content: [{ type: 'text', text: long }, IMAGE, { type: 'chart', points: [1] }],
        meta: { rows: 1 },
        position,
      },
      {
        ...ids,
        subCallId: 'outer:ptc:2',
        name: 'broken',
        isError: true,
        content: [{ type: 'text', text: 'Error: no' }],
        error: { name: 'Denied', code: 'POLICY', reason: 'user detail' },
      },
    ]);
    expect(JSON.stringify(host.agent.events)).not.toMatch(/the canonical value|What show does|parameters/);
  });

  it('C42, E75: the start is recorded before policy, and only of calls that start', async () => {
    const policy = gate();
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          void tools['write']!();
          void tools['write']!();
          await tools['ask']!();
        },
      },
    });
    host.tools.register(makeTool('write'));
    host.tools.register(makeTool('ask'));
    host.tools.on('tools/pre-execute', async (exec, next) => {
      if (exec.callId === 'outer:ptc:1') {
        await policy.promise;
        host.controller.abort();
      }
      return next();
    });
    const outcome = host.run('main');
    await flush();
    expect(host.lines()).toEqual(['start 1 write']);
    policy.open();
    await outcome;
    expect(host.lines()).toEqual(['start 1 write', 'end 1 failed']);
  });

  it('C44, C46: without an agent, or without its session, there are no events and calls work all the same', async () => {
    const shaped: unknown[] = [];
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!() } });
    host.tools.register(makeTool('read'));
    host.tools.on('tools/ptc-dispatch-log', (dispatch, next) => {
      shaped.push(dispatch);
      return next();
    });
    expect((await host.run('main', { agent: undefined })).value).toEqual({ logs: [], result: 'read' });
    expect((await host.run('main', { agent: { id: 'bare' } })).value).toEqual({ logs: [], result: 'read' });
    expect([shaped, host.agent.events]).toEqual([[], []]);
  });

  it('C45, C67: listeners shape the durable copy only: not the value, the outer result, error, meta or isError', async () => {
    const seen: PtcDispatchLog[] = [];
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!() } });
    host.tools.register(
      makeTool('read', {
        output: {
          schema: {},
          render: () => [{ type: 'text', text: 'rendered' }],
          presentationMeta: () => ({ rows: 1 }),
        },
      }),
    );
    host.tools.on('tools/ptc-dispatch-log', async (dispatch, next) => {
      seen.push(dispatch);
      return [...(await next()), { type: 'text', text: 'shaped' }];
    });
    const result = await host.run('main');
    expect(
      seen.map(({ exec, agent, subCallId, name, isError, content }) => [
        exec.callId,
        agent,
        subCallId,
        name,
        isError,
        content,
      ]),
    ).toEqual([['outer', host.agent, 'outer:ptc:1', 'read', false, [{ type: 'text', text: 'rendered' }]]]);
    expect(host.agent.of('tool/ptc-dispatch')[0]).toMatchObject({
      isError: false,
      content: [
        { type: 'text', text: 'rendered' },
        { type: 'text', text: 'shaped' },
      ],
      meta: { rows: 1 },
    });
    expect(result.value).toEqual({ logs: [], result: 'read' });
    expect(JSON.stringify(result)).not.toContain('shaped');
  });

  it('C45: a listener that throws, or returns what is no content, leaves the original and one warning', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['read']!();
          await tools['read']!();
        },
      },
    });
    host.tools.register(makeTool('read'));
    host.tools.on('tools/ptc-dispatch-log', async ({ subCallId }) => {
      if (subCallId.endsWith('1')) throw new Error('store is down');
      return [new Map()] as never;
    });
    await host.run('main');
    const original = [{ type: 'text', text: 'read' }];
    expect(host.agent.of('tool/ptc-dispatch').map((payload) => payload['content'])).toEqual([
      original,
      original,
    ]);
    expect(host.warnings.length).toBe(2);
  });

  it('C45: listeners are reached by the agent of the call', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!() } });
    host.tools.register(makeTool('read'));
    const other = recordingAgent('other');
    const reached: string[] = [];
    for (const [name, scope] of [
      ['own', host.agent],
      ['other', other],
    ] as const) {
      host.tools.scoped(scope).on('tools/ptc-dispatch-log', (_, next) => {
        reached.push(name);
        return next();
      });
    }
    await host.run('main');
    expect(reached).toEqual(['own']);
  });

  it('C47: every outcome is recorded before run_code returns, however slow its listeners are', async () => {
    const host = ptcHost({
      plays: { main: ({ tools }) => Promise.all([tools['read']!(), tools['read']!()]).then(() => 'over') },
    });
    host.tools.register(makeTool('read', { isConcurrencySafe: () => true }));
    const shaping = gate();
    host.tools.on('tools/ptc-dispatch-log', async (_, next) => {
      await shaping.promise;
      return next();
    });
    let isBack = false;
    const outcome = host.run('main').finally(() => {
      isBack = true;
    });
    await flush();
    await flush();
    expect([isBack, host.lines()]).toEqual([false, ['start 1 read', 'start 2 read']]);
    shaping.open();
    await outcome;
    expect(host.lines().slice(2)).toEqual(['end 1 ok', 'end 2 ok']);
  });

  it('C48: ids are never empty, a sub-call keeps its root, and its parent is the call that made it, at any depth', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['delegate']!();
          await tools['read']!();
        },
        inner: async ({ tools }) => {
          await tools['read']!();
        },
      },
    });
    host.tools.register(makeTool('read'));
    host.tools.register(
      makeTool('delegate', {
        execute: async (_, exec) => {
          // A composite tool that runs a program of its own under the same root.
          const result = await host.tools.pipeline.execute({
            callId: `${exec.callId}/inner` as never,
            rootCallId: exec.rootCallId,
            name: 'run_code',
            arguments: { code: 'inner', description: 'inner' },
            agent: exec.agent,
            parent: exec.token,
            dispatch: outer!,
            signal: exec.signal,
          });
          return result.isError ? 'failed' : 'done';
        },
      }),
    );
    let outer: import('#dist/runtime/contract/execution.js').ToolDispatch | undefined;
    host.tools.on('tools/pre-execute', (exec, next) => {
      if (exec.callId === 'outer') outer = exec.dispatch;
      return next();
    });
    await host.run('main');
    const known = new Set<JsonValue>(['outer', 'outer:ptc:1/inner']);
    for (const { payload } of host.agent.events) {
      const { rootCallId, parentCallId, subCallId } = payload;
      expect([rootCallId, known.has(parentCallId!), String(subCallId).length > 0]).toEqual([
        'outer',
        true,
        true,
      ]);
      known.add(subCallId!);
    }
    expect(host.agent.of('tool/ptc-dispatch-start').map((payload) => payload['subCallId'])).toEqual([
      'outer:ptc:1',
      'outer:ptc:1/inner:ptc:1',
      'outer:ptc:2',
    ]);
  });

  it('C48, E127: without "log" the events of sub-calls stand in the session without a call around them', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['read']!() } });
    host.tools.register(makeTool('read'));
    await host.run('main');
    expect(host.agent.events.map(({ type }) => type)).toEqual([
      'tool/ptc-dispatch-start',
      'tool/ptc-dispatch',
    ]);
    host.agent.events.length = 0;
    await host.run('main', { log: { turn: 3, step: 4 } });
    expect(host.agent.events.map(({ type }) => type)).toEqual([
      'tool/call',
      'tool/ptc-dispatch-start',
      'tool/ptc-dispatch',
      'tool/result',
    ]);
  });

  it('C42: a call whose start cannot be recorded is not made; an outcome that cannot be recorded is a warning', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          host.agent.refuse('tool/ptc-dispatch-start', new Error('log is full'));
          const first = await tools['read']!().catch((error: Error) => error.message);
          host.agent.refuse('tool/ptc-dispatch', new Error('log is full'));
          return [first, await tools['read']!()];
        },
      },
    });
    const read = gatedTool('read', { execute: async () => 'read' });
    host.tools.register(read.definition);
    expect((await host.run('main')).value).toEqual({
      logs: [],
      result: ['The call of "read" could not be recorded: log is full', 'read'],
    });
    expect(host.lines()).toEqual(['start 2 read']);
    expect(host.warnings.map(({ message }) => message)).toEqual([
      'Cannot record the outcome of sub-call "outer:ptc:2"',
    ]);
  });

  it('C42: a session that answers an append with a promise fails the call by name, and no rejection is left behind', async () => {
    const host = ptcHost({
      plays: { main: ({ tools }) => tools['read']!().catch((error: Error) => error.message) },
    });
    host.tools.register(gatedTool('read', { execute: async () => 'read' }).definition);
    const session = { id: 'slow log', append: () => Promise.reject(new Error('disk is full')) };
    expect((await host.run('main', { agent: { id: 'slow', session } as never })).value).toEqual({
      logs: [],
      result:
        'The call of "read" could not be recorded: Cannot record "tool/ptc-dispatch-start": "append" of session "slow log" wants to answer { seq } at once, received a promise',
    });
  });
});
