import { describe, expect, it } from 'vitest';
import type { ToolEvents } from '#dist/runtime/contract/events.js';
import { BEFORE_DISPATCH, unknownTool } from './cancel-texts.ts';
import { callInput, failureParts, fakeHost, fakeTool, gate, text, uncoded } from './fake-host.ts';

describe('a call in three parts', () => {
  it('P67, P68: a call that is denied is not to be dispatched; dispatching it does nothing, and it is reviewed at the end', async () => {
    const bodies: string[] = [];
    const host = fakeHost(fakeTool({ execute: async () => void bodies.push('ran') }));
    host.guards.push(() => 'closed');
    host.on('tools/post-execute', async () => ({ kind: 'accept', content: [text('reviewed')] }));
    const call = host.pipeline.stage(callInput());
    expect(await call.prepare()).toBe(false);
    await call.dispatch();
    expect(host.observed).toEqual([]);
    const result = await call.finish();
    expect(result).toMatchObject({ error: { message: 'closed' }, content: [text('reviewed')] });
    expect(bodies).toEqual([]);
    expect(host.observed.map((each) => each.result)).toEqual([result]);
  });

  it('P18, N16: a policy that throws skips post-execute, a denial does not', async () => {
    const policies: [ToolEvents['tools/pre-execute'], string[]][] = [
      [() => Promise.reject(new Error('broken')), []],
      [async () => ({ kind: 'deny', reason: 'no' }), ['post']],
    ];
    for (const [arrange, reviewed] of policies) {
      const posts: string[] = [];
      const host = fakeHost(fakeTool());
      host.on('tools/pre-execute', arrange);
      host.on('tools/post-execute', async (_exec, _result, next) => {
        posts.push('post');
        return next();
      });
      const call = host.pipeline.stage(callInput());
      expect(await call.prepare()).toBe(false);
      await call.finish();
      expect(posts).toEqual(reviewed);
    }
  });

  it('P5: its execution is known from the start: frozen, with its token and its arguments', async () => {
    const host = fakeHost(fakeTool());
    const call = host.pipeline.stage(callInput());
    expect(call.execution).toMatchObject({ callId: 'call_1', rootCallId: 'call_1', arguments: { a: 1 } });
    expect(Object.isFrozen(call.execution)).toBe(true);
    await call.prepare();
    await call.dispatch();
    await call.finish();
    expect(host.observed[0]!.exec).toBe(call.execution);
  });

  it('P56: an abort between the body and the end turns a success into ABORTED', async () => {
    const controller = new AbortController();
    const host = fakeHost(fakeTool());
    const call = host.pipeline.stage(callInput({ signal: controller.signal }));
    await call.prepare();
    await call.dispatch();
    controller.abort();
    expect((await call.finish()).error?.info?.code).toBe('ABORTED');
  });

  it('P30: an abort between policy and dispatch skips the body', async () => {
    const controller = new AbortController();
    const host = fakeHost(fakeTool());
    const call = host.pipeline.stage(callInput({ signal: controller.signal }));
    expect(await call.prepare()).toBe(true);
    controller.abort();
    await call.dispatch();
    expect(failureParts(await call.finish())).toEqual(BEFORE_DISPATCH);
  });

  it('P32: a tool that goes away between policy and dispatch is unknown', async () => {
    const host = fakeHost(fakeTool());
    const call = host.pipeline.stage(callInput());
    await call.prepare();
    host.tools.clear();
    await call.dispatch();
    expect(failureParts(await call.finish())).toEqual(unknownTool('echo'));
  });

  it('P67: finished without having been dispatched, it counts as aborted before dispatch, and is reviewed', async () => {
    const host = fakeHost(fakeTool());
    const posts: unknown[] = [];
    host.on('tools/post-execute', async (_exec, result, next) => {
      posts.push(failureParts(result));
      return next();
    });
    const call = host.pipeline.stage(callInput());
    await call.prepare();
    expect(failureParts(await call.finish())).toEqual(BEFORE_DISPATCH);
    expect(posts).toEqual([BEFORE_DISPATCH]);
    expect(host.observed).toHaveLength(1);
  });

  it('P67: each part runs once and in order; anything else is refused and changes nothing', async () => {
    const host = fakeHost(fakeTool());
    const call = host.pipeline.stage(callInput());
    await expect(call.dispatch()).rejects.toThrow('Cannot dispatch "echo": wanted prepare next');
    await expect(call.finish()).rejects.toThrow('Cannot finish "echo": wanted prepare next');
    await call.prepare();
    await expect(call.prepare()).rejects.toThrow('Cannot prepare "echo": wanted dispatch next');
    await call.dispatch();
    await expect(call.dispatch()).rejects.toThrow('Cannot dispatch "echo": wanted finish next');
    const result = await call.finish();
    await expect(call.finish()).rejects.toThrow('Cannot finish "echo"');
    expect(host.observed.map((each) => each.result)).toEqual([result]);
  });

  it('P33: a part cannot be entered while the one before it still runs', async () => {
    const [policy, body] = [gate(), gate()];
    const host = fakeHost(fakeTool({ execute: async () => (await body.opened) ?? 'done' }));
    host.on('tools/pre-execute', async (_exec, next) => (await policy.opened) ?? next());
    const call = host.pipeline.stage(callInput());
    const preparing = call.prepare();
    await expect(call.dispatch()).rejects.toThrow('wanted the running step to settle next');
    policy.open();
    await preparing;
    const dispatching = call.dispatch();
    await expect(call.finish()).rejects.toThrow('wanted the running step to settle next');
    body.open();
    await dispatching;
    expect((await call.finish()).value).toBe('done');
    expect(host.observed).toHaveLength(1);
  });

  it('P68: none of the promises rejects for what a stage throws', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    for (const event of ['tools/pre-execute', 'tools/execute', 'tools/post-execute'] as const) {
      const host = fakeHost(fakeTool());
      host.on(event, broken);
      const call = host.pipeline.stage(callInput());
      await call.prepare();
      await call.dispatch();
      expect(failureParts(await call.finish())).toEqual(uncoded('broken'));
    }
  });
});
