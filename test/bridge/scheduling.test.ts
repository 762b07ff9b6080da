import { describe, expect, it } from 'vitest';
import { flush, gate } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost } from './ptc-host.ts';

/** A play that makes the calls at once and gives their outcomes in the order in which they settle. */
const together =
  (names: readonly string[], settled: unknown[] = []) =>
  async ({ tools }: { tools: Readonly<Record<string, (args?: unknown) => Promise<unknown>>> }) => {
    await Promise.all(
      names.map((name, i) =>
        tools[name]!({ i }).then(
          (value) => settled.push([i, value]),
          (error: Error) => settled.push([i, error.message]),
        ),
      ),
    );
    return settled.length;
  };

describe('sub-calls: starts', () => {
  it('C35, C36, E77: starts follow the submissions; a slow pre-execute of the first holds the second', async () => {
    const host = ptcHost({ plays: { main: together(['read', 'read']) } });
    const read = gatedTool('read');
    host.tools.register(read.definition);
    const policy = gate();
    const order: string[] = [];
    host.tools.on('tools/pre-execute', async (exec, next) => {
      if (exec.parent !== undefined) order.push(`pre ${exec.callId}`);
      if (exec.callId === 'outer:ptc:1') await policy.promise;
      return next();
    });
    const outcome = host.run('main');
    await flush();
    expect([order, host.lines(), read.running]).toEqual([['pre outer:ptc:1'], ['start 1 read'], 0]);
    policy.open();
    await flush();
    expect([host.lines(), read.running]).toEqual([['start 1 read', 'start 2 read'], 2]);
    for (const body of read.bodies) body.open(0);
    await outcome;
  });

  it('C36: bodies overlap up to maxParallelSubCalls, 10 by default, 1 is serial; the cap of a batch says nothing of them', async () => {
    const runningWith = async (options: { maxParallelSubCalls?: number }) => {
      const names = new Array<string>(14).fill('read');
      const host = ptcHost({ plays: { main: together(names) }, ...options });
      const read = gatedTool('read');
      host.tools.register(read.definition);
      const outcome = host.run('main', { maxParallelToolCalls: 2 });
      await flush();
      const count = read.running;
      for (let i = 0; i < names.length; i += 1) {
        read.bodies[i]!.open(i);
        await flush();
      }
      await outcome;
      return count;
    };
    expect(await runningWith({})).toBe(10);
    expect(await runningWith({ maxParallelSubCalls: 3 })).toBe(3);
    expect(await runningWith({ maxParallelSubCalls: 1 })).toBe(1);
  });

  it('C36, E76: an exclusive call waits for earlier bodies and their post-execute, runs alone, and holds the rest until its own', async () => {
    const host = ptcHost({ plays: { main: together(['read', 'write', 'read']) } });
    const read = gatedTool('read');
    const write = gatedTool('write', { isConcurrencySafe: () => false });
    host.tools.register(read.definition);
    host.tools.register(write.definition);
    const reviews = [gate(), gate(), gate()];
    host.tools.on('tools/post-execute', async (exec, _, next) => {
      if (exec.parent !== undefined) await reviews[Number(exec.callId.split(':').at(-1)) - 1]!.promise;
      return next();
    });
    const outcome = host.run('main');
    await flush();
    read.bodies[0]!.open(0);
    await flush();
    expect([read.bodies.length, write.bodies.length]).toEqual([1, 0]);
    reviews[0]!.open();
    await flush();
    expect([read.bodies.length, write.running]).toEqual([1, 1]);
    write.bodies[0]!.open(0);
    await flush();
    expect(read.bodies.length).toBe(1);
    reviews[1]!.open();
    await flush();
    expect(read.running).toBe(1);
    reviews[2]!.open();
    read.bodies[1]!.open(0);
    await outcome;
  });

  it('C36: a head call whose tool is at its own maxParallel holds the lane', async () => {
    const host = ptcHost({ plays: { main: together(['slow', 'slow', 'other']) } });
    const slow = gatedTool('slow');
    host.tools.register(slow.definition, { maxParallel: 1 });
    host.tools.register(makeTool('other', { isConcurrencySafe: () => true }));
    const outcome = host.run('main');
    await flush();
    expect(host.lines()).toEqual(['start 1 slow']);
    slow.bodies[0]!.open(0);
    await flush();
    expect(host.lines().filter((line) => line.startsWith('start'))).toEqual([
      'start 1 slow',
      'start 2 slow',
      'start 3 other',
    ]);
    slow.bodies[1]!.open(0);
    await outcome;
  });

  it('C37: a call is classified when it stands at the head, by what can be executed then', async () => {
    const host = ptcHost({ plays: { main: together(['read', 'read', 'read']) }, maxParallelSubCalls: 2 });
    const read = gatedTool('read');
    const unregister = host.tools.register(read.definition);
    const exclusive = gatedTool('read', { isConcurrencySafe: () => false });
    host.tools.on('tools/result', (exec) => {
      if (exec.callId !== 'outer:ptc:1') return;
      unregister();
      host.tools.register(exclusive.definition);
    });
    const outcome = host.run('main');
    await flush();
    read.bodies[0]!.open(0);
    await flush();
    expect([read.running, exclusive.bodies.length]).toEqual([1, 0]);
    read.bodies[1]!.open(0);
    await flush();
    expect(exclusive.running).toBe(1);
    exclusive.bodies[0]!.open(0);
    await outcome;
  });

  it('C37, R44: a conditional tool without a set is exclusive, and unknown when it starts', async () => {
    const settled: unknown[] = [];
    const host = ptcHost({ plays: { main: together(['maybe', 'maybe'], settled) } });
    host.tools.register(makeTool('maybe', { isConcurrencySafe: () => true }), { when: () => true });
    await host.run('main');
    expect(settled).toEqual([
      [0, expect.stringContaining('maybe')],
      [1, expect.stringContaining('maybe')],
    ]);
    expect(host.lines()).toEqual(['start 1 maybe', 'end 1 failed', 'start 2 maybe', 'end 2 failed']);
  });
});

describe('sub-calls: finishing', () => {
  it('C35, C38: values come as bodies settle, and finishing is one call at a time', async () => {
    const settled: unknown[] = [];
    const host = ptcHost({ plays: { main: together(['read', 'read', 'read'], settled) } });
    const read = gatedTool('read');
    host.tools.register(read.definition);
    const review = gate();
    const order: string[] = [];
    host.tools.on('tools/post-execute', async (exec, _, next) => {
      if (exec.parent === undefined) return next();
      order.push(`post ${exec.callId.at(-1)}`);
      if (exec.callId.endsWith('3')) await review.promise;
      order.push(`end ${exec.callId.at(-1)}`);
      return next();
    });
    const outcome = host.run('main');
    await flush();
    read.bodies[2]!.open('c');
    await flush();
    read.bodies[0]!.open('a');
    await flush();
    expect([order, settled]).toEqual([['post 3'], []]);
    review.open();
    await flush();
    read.bodies[1]!.open('b');
    await outcome;
    expect(order).toEqual(['post 3', 'end 3', 'post 1', 'end 1', 'post 2', 'end 2']);
    expect(settled).toEqual([
      [2, 'c'],
      [0, 'a'],
      [1, 'b'],
    ]);
  });

  it('C38: a race of a slow and a fast call gives the fast one, also while a later call waits for approval', async () => {
    const approval = gate();
    const host = ptcHost({
      plays: {
        main: ({ tools }) => Promise.race([tools['slow']!(), tools['fast']!(), tools['asks']!()]),
      },
    });
    const slow = gatedTool('slow');
    const fast = gatedTool('fast');
    host.tools.register(slow.definition);
    host.tools.register(fast.definition);
    host.tools.register(makeTool('asks', { isConcurrencySafe: () => true }));
    host.tools.on('tools/pre-execute', async (exec, next) => {
      if (exec.name === 'asks') await approval.promise;
      return next();
    });
    const outcome = host.run('main');
    await flush();
    fast.bodies[0]!.open('fast');
    await flush();
    slow.bodies[0]!.open('slow');
    approval.open();
    expect((await outcome).value).toEqual({ logs: [], result: 'fast' });
  });

  it('C39, E78: a slow log listener delays neither the value nor the place of the call', async () => {
    const settled: unknown[] = [];
    const host = ptcHost({ plays: { main: together(['read', 'read'], settled) }, maxParallelSubCalls: 1 });
    const read = gatedTool('read');
    host.tools.register(read.definition);
    const shaping = gate();
    host.tools.on('tools/ptc-dispatch-log', async (_, next) => {
      await shaping.promise;
      return next();
    });
    const outcome = host.run('main');
    await flush();
    read.bodies[0]!.open('a');
    await flush();
    expect([settled, read.running, host.lines()]).toEqual([[[0, 'a']], 1, ['start 1 read', 'start 2 read']]);
    read.bodies[1]!.open('b');
    shaping.open();
    await outcome;
    expect(host.lines()).toEqual(['start 1 read', 'start 2 read', 'end 1 ok', 'end 2 ok']);
  });

  it('C40, E78: more unrecorded outcomes than the cap hold the lane until one is recorded', async () => {
    const names = new Array<string>(6).fill('read');
    const host = ptcHost({ plays: { main: together(names) }, maxParallelSubCalls: 2 });
    const read = gatedTool('read');
    host.tools.register(read.definition);
    const shapings: ReturnType<typeof gate<void>>[] = [];
    host.tools.on('tools/ptc-dispatch-log', async (_, next) => {
      const shaping = gate();
      shapings.push(shaping);
      await shaping.promise;
      return next();
    });
    const outcome = host.run('main');
    await flush();
    for (let i = 0; i < 3; i += 1) {
      read.bodies[i]!.open(i);
      await flush();
    }
    // Three outcomes are pending, and the call that had already started runs on.
    expect([shapings.length, read.bodies.length, read.running]).toEqual([3, 4, 1]);
    read.bodies[3]!.open(3);
    await flush();
    expect([shapings.length, read.bodies.length]).toEqual([4, 4]);
    shapings[0]!.open();
    await flush();
    expect(read.bodies.length).toBe(4);
    shapings[1]!.open();
    await flush();
    expect(read.bodies.length).toBe(6);
    for (const body of read.bodies) body.open(0);
    await flush();
    for (const shaping of shapings) shaping.open();
    await outcome;
    expect(host.lines().filter((line) => line.startsWith('end')).length).toBe(6);
  });

  it('C41: calls that a program makes when it hears of a result start without another wake-up', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          let value: unknown = 0;
          for (let i = 0; i < 50; i += 1) value = await tools['next']!({ value });
          return value;
        },
      },
    });
    host.tools.register(
      makeTool('next', {
        output: { schema: {}, render: () => [] },
        execute: async (args) => (args as { value: number }).value + 1,
      }),
    );
    expect((await host.run('main')).value).toEqual({ logs: [], result: 50 });
  });

  it('C30, C36: any number of bodies may listen to the signal that they share; Node sees no leak in it', async () => {
    const names = new Array<string>(24).fill('listens');
    const host = ptcHost({ plays: { main: together(names) }, maxParallelSubCalls: 24 });
    const listens = gatedTool('listens');
    host.tools.register({
      ...listens.definition,
      execute: (args, exec) => {
        exec.signal.addEventListener('abort', () => {});
        return listens.definition.execute(args, exec);
      },
    });
    const warned: string[] = [];
    const onWarning = ({ name }: Error) => warned.push(name);
    process.on('warning', onWarning);
    const outcome = host.run('main');
    await flush();
    expect(listens.running).toBe(24);
    for (const body of listens.bodies) body.open(0);
    await outcome;
    await flush();
    process.off('warning', onWarning);
    expect(warned).toEqual([]);
  });

  it('C36: one run with a thousand queued calls does not hold up another', async () => {
    const many = new Array<string>(1000).fill('slow');
    const host = ptcHost({
      plays: { crowd: together(many), small: ({ tools }) => tools['quick']!() },
    });
    const slow = gatedTool('slow');
    host.tools.register(slow.definition);
    host.tools.register(makeTool('quick', { isConcurrencySafe: () => true }));
    const crowd = host.run('crowd');
    await flush();
    expect(slow.running).toBe(10);
    expect((await host.run('small')).value).toEqual({ logs: [], result: 'quick' });
    for (let i = 0; i < many.length; i += 1) {
      while (slow.bodies.length <= i) await flush();
      slow.bodies[i]!.open(0);
    }
    expect((await crowd).value).toEqual({ logs: [], result: 1000 });
  });
});
