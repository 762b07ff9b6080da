import { describe, expect, it } from 'vitest';
import type { ToolBatchInput } from '#dist/runtime/contract/batch.js';
import type { Agent } from '#dist/runtime/contract/scope.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { ToolBatchExecutionError } from '#dist/runtime/executor/batch-error.js';
import { nativeExecutor } from '#dist/runtime/executor/native-executor.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';
import { flush, gate } from '../../support/gate.ts';
import { gatedTool } from '../../support/gated-tools.ts';
import { makeTool } from '../../support/make-tool.ts';
import { nativeHost } from './native-host.ts';

const ABORTED = { name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' };

describe('nativeExecutor: the contract of a batch', () => {
  it('N1, N28: one result per call in input order, and a concluding one does not cut the batch short', async () => {
    const { tools, run, lines } = nativeHost();
    tools.register(
      makeTool('end', {
        execute: async (_, exec) => {
          exec.concludeTurn();
          return 'end';
        },
      }),
    );
    tools.register(makeTool('after'));
    const outcome = await run(['end', 'after', 'nobody']);
    expect(
      outcome.results.map(({ callId, result }) => [callId, result.value, result.error?.info?.code]),
    ).toEqual([
      ['c1', 'end', undefined],
      ['c2', 'after', undefined],
      ['c3', undefined, 'UNKNOWN_TOOL'],
    ]);
    expect(outcome.concluded).toBe(true);
    expect(lines()).toEqual([
      'call c1',
      'result c1 ok',
      'call c2',
      'result c2 ok',
      'call c3',
      'result c3 failed',
    ]);
  });

  it('N2: a batch does not settle while a body runs, even after an abort', async () => {
    const { tools, run, controller } = nativeHost();
    const slow = gatedTool('slow');
    tools.register(slow.definition);
    let isSettled = false;
    const outcome = run(['slow']).finally(() => {
      isSettled = true;
    });
    await flush();
    controller.abort(new Error('enough'));
    await flush();
    expect(isSettled).toBe(false);
    slow.bodies[0]!.open(1);
    expect((await outcome).results[0]!.result.error?.info?.code).toBe('ABORTED');
  });

  it('N3: "log" without an agent is refused before anything starts', async () => {
    const { tools, batch } = nativeHost();
    const echo = gatedTool('echo');
    tools.register(echo.definition);
    await expect(tools.execute(batch(['echo'], { agent: undefined }))).rejects.toThrow(
      'Cannot record a batch: "log" wants an "agent", received none',
    );
    expect(echo.bodies).toEqual([]);
  });

  it('N3: an agent without "log" keeps its tools and its session, and no call is recorded', async () => {
    const { tools, agent, run } = nativeHost();
    tools.scoped(agent).register(
      makeTool('own', {
        execute: async (_, exec) => {
          exec.agent?.session?.append('own/event', { by: exec.callId });
          return 'own';
        },
      }),
    );
    const { results } = await run(['own'], { log: undefined });
    expect(results[0]!.result.value).toBe('own');
    expect(agent.events.map(({ type }) => type)).toEqual(['own/event']);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'wanted { calls, signal }, received undefined'],
    ['no calls', { calls: undefined }, '"calls" wants an array, received undefined'],
    ['calls that are no array', { calls: { 0: {} } }, '"calls" wants an array, received an object'],
    ['a hole among the calls', { calls: [null] }, '"calls[0]" wants a call, received null'],
    [
      'a call without id',
      { calls: [{ name: 'read', arguments: '{}' }] },
      '"calls[0].callId" wants a non-empty string',
    ],
    ['no signal', { signal: undefined }, '"signal" wants an AbortSignal, received undefined'],
    [
      'a signal of its own making',
      { signal: { aborted: false } },
      '"signal" wants an AbortSignal, received an object',
    ],
    ['a null agent', { agent: null, log: undefined }, '"agent" wants an object, received null'],
    ['a set that is none', { toolSet: {} }, '"toolSet" wants what resolve(…) gave, received an object'],
    ['a log without its step', { log: { turn: 1 } }, '"log.step" wants a number, received undefined'],
    ['a null log', { log: null }, '"log.turn" wants a number, received undefined'],
  ])('N1, N3: a batch with %s is refused by name before anything starts', async (_, overrides, message) => {
    const { tools, batch, agent } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const input = overrides === undefined ? undefined : { ...batch(['read']), ...(overrides as object) };
    const error: unknown = await tools.execute(input as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(`Cannot execute a batch: ${message}`);
    expect([read.bodies, agent.events]).toEqual([[], []]);
  });

  it("N4, N5: the cap is the executor's, 10 by default, unless the batch names its own", async () => {
    const names = new Array<string>(12).fill('read');
    const running = async (options: { maxParallelToolCalls?: number } | undefined, own?: number) => {
      const { tools, run } = nativeHost(options);
      const read = gatedTool('read');
      tools.register(read.definition);
      const outcome = run(names, { maxParallelToolCalls: own });
      await flush();
      const count = read.running;
      for (let i = 0; i < names.length; i += 1) {
        read.bodies[i]!.open(i);
        await flush();
      }
      await outcome;
      return count;
    };
    expect(await running(undefined)).toBe(10);
    expect(await running({ maxParallelToolCalls: 3 })).toBe(3);
    expect(await running({ maxParallelToolCalls: 3 }, 5)).toBe(5);
    expect(await running({ maxParallelToolCalls: 3 }, 1)).toBe(1);
  });

  it('N4, N5: a cap that is no positive integer is refused, by the factory and by the batch', async () => {
    for (const bad of [0, 1.5, -1, Number.NaN, '3' as never, null as never]) {
      expect(() => nativeExecutor({ maxParallelToolCalls: bad })).toThrow('"maxParallelToolCalls"');
      const { tools, run } = nativeHost();
      const read = gatedTool('read');
      tools.register(read.definition);
      await expect(run(['read'], { maxParallelToolCalls: bad })).rejects.toThrow('"maxParallelToolCalls"');
      expect(read.bodies).toEqual([]);
    }
    expect(() => nativeExecutor({ cap: 3 } as never)).toThrow('Cannot use option "cap" of "nativeExecutor"');
  });

  it('N6: an empty batch has nothing and records nothing', async () => {
    const { run, agent } = nativeHost();
    expect(await run([])).toEqual({ results: [], additionalContexts: [], concluded: false });
    expect(agent.events).toEqual([]);
  });

  it('N27: a model is told of each given tool in order, by an allow-list schema, and of their names', () => {
    const { tools } = nativeHost();
    tools.register(makeTool('b', { timeoutMs: 5 }));
    tools.register(makeTool('a'));
    const schema = (name: string) => ({
      name,
      description: `What ${name} does.`,
      parameters: { type: 'object', properties: {} },
    });
    expect(tools.describe()).toEqual({ schemas: [schema('b'), schema('a')], knownNames: ['b', 'a'] });
  });
});

describe('nativeExecutor: arguments', () => {
  it('N7, N8, E73, E74: empty text is {}, bad JSON is passed on as text, and the log keeps the raw text', async () => {
    const { tools, agent, batch } = nativeHost();
    const seen: unknown[] = [];
    tools.register(
      makeTool('raw', {
        execute: async (args) => {
          seen.push(args);
          return 'x';
        },
      }),
    );
    tools.register(
      defineTool({
        name: 'typed',
        description: 'Wants a path.',
        parameters: { path: { type: 'string', required: true } },
        output: { schema: { type: 'string' }, render: (_, value) => [{ type: 'text', text: value }] },
        execute: async ({ path }) => path,
      }),
    );
    const texts = ['', '{"a": [1]}', '{"a": ', '{"a": '];
    const calls = texts.map((text, i) => ({
      callId: toolCallId(`c${i}`),
      name: i === 3 ? 'typed' : 'raw',
      arguments: text,
    }));
    const { results } = await tools.execute({ ...batch([]), calls });
    expect(seen).toEqual([{}, { a: [1] }, '{"a": ']);
    expect(results[3]!.result.error?.info).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' });
    expect(results[3]!.result.error?.message).toContain('arguments');
    expect(agent.of('tool/call').map((payload) => payload['arguments'])).toEqual(texts);
  });

  it('N9, E124: only an exact true of an executable tool lets its calls overlap', async () => {
    const { tools, run } = nativeHost();
    const verdicts: Record<string, unknown> = {
      yes: () => true,
      no: () => false,
      truthy: () => 1,
      throws: () => {
        throw new Error('no');
      },
      absent: undefined,
    };
    const made = new Map<string, ReturnType<typeof gatedTool>>();
    for (const [name, isConcurrencySafe] of Object.entries(verdicts)) {
      const tool = gatedTool(name, { isConcurrencySafe } as never);
      if (isConcurrencySafe === undefined) Reflect.deleteProperty(tool.definition, 'isConcurrencySafe');
      made.set(name, tool);
      tools.register(tool.definition);
    }
    const conditional = gatedTool('conditional');
    tools.register(conditional.definition, { when: () => true });
    for (const [name, tool] of made) {
      const outcome = run([name, name]);
      await flush();
      expect([name, tool.running]).toEqual([name, name === 'yes' ? 2 : 1]);
      tool.bodies[0]!.open(1);
      await flush();
      tool.bodies[1]!.open(1);
      await outcome;
    }
    // Without a set a conditional tool cannot be executed, so it neither overlaps nor runs.
    const { results } = await run(['conditional']);
    expect(results[0]!.result.error?.info?.code).toBe('UNKNOWN_TOOL');
  });

  it('N9, E124: a typed tool whose arguments do not validate is exclusive; a raw one is asked with what was parsed', async () => {
    const { tools, batch } = nativeHost();
    const asked: unknown[] = [];
    tools.register(
      makeTool('raw', {
        isConcurrencySafe: (args) => {
          asked.push(args);
          return true;
        },
      }),
    );
    tools.register(
      defineTool({
        name: 'typed',
        description: 'Wants n.',
        parameters: { n: { type: 'integer', required: true } },
        output: { schema: { type: 'integer' }, render: () => [] },
        isConcurrencySafe: (args) => {
          asked.push(args);
          return true;
        },
        execute: async ({ n }) => n,
      }),
    );
    const call = (name: string, text: string) => ({ callId: toolCallId(name + text), name, arguments: text });
    await tools.execute({ ...batch([]), calls: [call('raw', '"text"'), call('typed', '{"n":"x"}')] });
    expect(asked).toEqual(['text']);
  });
});

describe('nativeExecutor: order', () => {
  it('N12, N13, N15, E69: bodies roll, starts are in order, and a result precedes the start that follows it', async () => {
    const { tools, run, lines } = nativeHost({ maxParallelToolCalls: 2 });
    const read = gatedTool('read');
    tools.register(read.definition);
    const outcome = run(['read', 'read', 'read', 'read']);
    await flush();
    expect(lines()).toEqual(['call c1', 'call c2']);
    read.bodies[0]!.open('a');
    await flush();
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 ok', 'call c3']);
    for (const i of [1, 2]) read.bodies[i]!.open(i);
    await flush();
    read.bodies[3]!.open('d');
    expect((await outcome).results.map(({ result }) => result.value)).toEqual(['a', 1, 2, 'd']);
  });

  it('N13: a slow pre-execute delays later starts; only bodies overlap', async () => {
    const { tools, run, lines } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const policy = gate();
    tools.on('tools/pre-execute', async (exec, next) => {
      if (exec.callId === 'c1') await policy.promise;
      return next();
    });
    const outcome = run(['read', 'read']);
    await flush();
    expect([lines(), read.running]).toEqual([['call c1'], 0]);
    policy.open();
    await flush();
    expect([lines(), read.running]).toEqual([['call c1', 'call c2'], 2]);
    for (const body of read.bodies) body.open(0);
    await outcome;
  });

  it('N14, E70: a later call that settles first is recorded after the earlier one; commits do not overlap', async () => {
    const { tools, run, lines } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const post = gate();
    const order: string[] = [];
    tools.on('tools/post-execute', async (exec, _, next) => {
      order.push(`post ${exec.callId}`);
      if (exec.callId === 'c1') await post.promise;
      order.push(`end ${exec.callId}`);
      return next();
    });
    const outcome = run(['read', 'read']);
    await flush();
    read.bodies[1]!.open(2);
    await flush();
    expect(order).toEqual([]);
    read.bodies[0]!.open(1);
    await flush();
    expect(order).toEqual(['post c1']);
    post.open();
    await outcome;
    expect(order).toEqual(['post c1', 'end c1', 'post c2', 'end c2']);
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 ok', 'result c2 ok']);
  });

  it('N10: an exclusive call waits for the pool and its commits, runs alone, and later calls wait for its commit', async () => {
    const { tools, run, lines } = nativeHost();
    const read = gatedTool('read');
    const write = gatedTool('write', { isConcurrencySafe: () => false });
    tools.register(read.definition);
    tools.register(write.definition);
    const outcome = run(['read', 'read', 'write', 'read']);
    await flush();
    read.bodies[1]!.open(0);
    await flush();
    expect([read.running, write.running]).toEqual([1, 0]);
    read.bodies[0]!.open(0);
    await flush();
    expect([read.running, write.running]).toEqual([0, 1]);
    write.bodies[0]!.open(0);
    await flush();
    expect(lines().slice(4)).toEqual(['call c3', 'result c3 ok', 'call c4']);
    read.bodies[2]!.open(0);
    await outcome;
  });

  it('N11, E67, E68: a tool replaced by an exclusive one in mid-pool stops the pool and becomes the next barrier', async () => {
    const { tools, run, lines } = nativeHost({ maxParallelToolCalls: 2 });
    const read = gatedTool('read');
    const unregister = tools.register(read.definition);
    const replacement = gatedTool('read', { isConcurrencySafe: () => false });
    tools.on('tools/result', (exec) => {
      if (exec.callId !== 'c1') return;
      unregister();
      tools.register(replacement.definition);
    });
    const outcome = run(['read', 'read', 'read', 'read']);
    await flush();
    read.bodies[0]!.open(0);
    await flush();
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 ok']);
    read.bodies[1]!.open(0);
    await flush();
    expect([lines().slice(3), replacement.running]).toEqual([['result c2 ok', 'call c3'], 1]);
    replacement.bodies[0]!.open(0);
    await flush();
    expect([lines().slice(5), replacement.running]).toEqual([['result c3 ok', 'call c4'], 1]);
    replacement.bodies[1]!.open(0);
    await outcome;
  });

  it('N10: a tool at its own maxParallel holds those behind it', async () => {
    const { tools, run, lines } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition, { maxParallel: 1 });
    tools.register(makeTool('other', { isConcurrencySafe: () => true }));
    const outcome = run(['read', 'read', 'other']);
    await flush();
    expect(lines()).toEqual(['call c1']);
    read.bodies[0]!.open(0);
    await flush();
    expect(lines()).toEqual(['call c1', 'result c1 ok', 'call c2', 'call c3']);
    read.bodies[1]!.open(0);
    await outcome;
  });

  it('N16: denied calls take no place of the pool and commit in order; a throw in pre-execute skips post-execute', async () => {
    const { tools, run, lines } = nativeHost({ maxParallelToolCalls: 1 });
    const read = gatedTool('read');
    tools.register(read.definition);
    tools.register(makeTool('denied', { isConcurrencySafe: () => true }));
    tools.register(makeTool('broken', { isConcurrencySafe: () => true }));
    tools.on('tools/pre-execute', async (exec, next) => {
      if (exec.name === 'broken') throw new Error('policy broke');
      return exec.name === 'denied' ? { kind: 'deny', reason: 'not today' } : next();
    });
    const reviewed: string[] = [];
    tools.on('tools/post-execute', (exec, _, next) => {
      reviewed.push(exec.callId);
      return next();
    });
    const outcome = run(['denied', 'broken', 'read', 'denied']);
    await flush();
    expect(lines()).toEqual(['call c1', 'result c1 failed', 'call c2', 'result c2 failed', 'call c3']);
    read.bodies[0]!.open(0);
    const { results } = await outcome;
    expect(results.map(({ result }) => result.error?.message)).toEqual([
      'not today',
      'policy broke',
      undefined,
      'not today',
    ]);
    expect(reviewed).toEqual(['c1', 'c3', 'c4']);
  });

  it('N17: a result event names its place, its outcome and the call it belongs to', async () => {
    const { tools, agent, run } = nativeHost();
    tools.register(
      makeTool('good', {
        output: {
          schema: { type: 'string' },
          render: () => [{ type: 'text', text: 'fine' }],
          presentationMeta: () => ({ rows: 3 }),
        },
      }),
    );
    await run(['good', 'nobody']);
    expect(agent.events[1]).toEqual({
      seq: 2,
      type: 'tool/result',
      payload: {
        turn: 1,
        step: 2,
        callId: 'c1',
        content: [{ type: 'text', text: 'fine' }],
        isError: false,
        meta: { rows: 3 },
        callSeq: 1,
      },
    });
    expect(agent.events[3]!.payload).toEqual({
      turn: 1,
      step: 2,
      callId: 'c2',
      content: expect.any(Array),
      isError: true,
      error: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
      callSeq: 3,
    });
  });

  it('N18, E71, N19: contexts come back in call order beside the results, and nothing is appended between them', async () => {
    const { tools, run, lines } = nativeHost();
    const say = gatedTool('say', {
      execute: async (args, exec) => {
        const text = String((exec as { callId: string }).callId);
        exec.deferContext({ role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } });
        const answer = await say.bodies.push({ ...gate<unknown>(), args, exec, isOpen: true });
        return say.bodies[answer - 1]!.promise;
      },
    });
    tools.register(say.definition);
    const outcome = run(['say', 'say']);
    await flush();
    say.bodies[1]!.open(0);
    await flush();
    say.bodies[0]!.open(0);
    const { additionalContexts, concluded } = await outcome;
    expect(additionalContexts.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'c1' }],
      [{ type: 'text', text: 'c2' }],
    ]);
    expect(concluded).toBe(false);
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 ok', 'result c2 ok']);
  });

  it('N29: parallel bodies get the same frozen arguments that were classified, so a classifier cannot be misled later', async () => {
    const { tools, run } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const outcome = run(['read']);
    await flush();
    expect(Object.isFrozen(read.bodies[0]!.args)).toBe(true);
    read.bodies[0]!.open(0);
    await outcome;
  });
});

describe('nativeExecutor: abort', () => {
  it('N20, E66: an aborted batch starts nothing and records a pair for every call, in order', async () => {
    const { tools, run, controller, lines, agent } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    controller.abort();
    const { results, additionalContexts } = await run(['read', 'nobody', 'read']);
    expect(read.bodies).toEqual([]);
    expect(results.map(({ callId, result }) => [callId, result.error?.info])).toEqual([
      ['c1', ABORTED],
      ['c2', ABORTED],
      ['c3', ABORTED],
    ]);
    expect(additionalContexts).toEqual([]);
    expect(lines()).toEqual([
      'call c1',
      'result c1 failed',
      'call c2',
      'result c2 failed',
      'call c3',
      'result c3 failed',
    ]);
    expect(agent.of('tool/result').map((payload) => payload['callSeq'])).toEqual([1, 3, 5]);
  });

  it('N21: an abort during the ordered part ends that call through the pipeline and its siblings without it', async () => {
    const { tools, run, controller, lines } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const policy = gate();
    const observed: string[] = [];
    tools.on('tools/pre-execute', async (_, next) => {
      await policy.promise;
      return next();
    });
    tools.on('tools/result', (exec) => void observed.push(exec.callId));
    const outcome = run(['read', 'read']);
    await flush();
    controller.abort();
    policy.open();
    const { results } = await outcome;
    expect(results.map(({ result }) => result.error?.info)).toEqual([ABORTED, ABORTED]);
    expect(observed).toEqual(['c1']);
    expect(lines()).toEqual(['call c1', 'result c1 failed', 'call c2', 'result c2 failed']);
  });

  it('N22, N23, E66: an abort in mid-pool drains and commits what runs, then records the rest behind every barrier', async () => {
    const { tools, run, controller, lines } = nativeHost();
    const read = gatedTool('read', {
      execute: async (args, exec) => {
        const body = { ...gate<unknown>(), args, exec, isOpen: true };
        read.bodies.push(body);
        const content = [{ type: 'text', text: exec.callId }] as const;
        exec.deferContext({ role: 'user', content, source: { kind: 'user' } });
        return body.promise;
      },
    });
    tools.register(read.definition);
    tools.register(makeTool('write'));
    const outcome = run(['read', 'read', 'write', 'read']);
    await flush();
    read.bodies[0]!.fail(new Error('disk full'));
    await flush();
    controller.abort();
    await flush();
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 failed']);
    read.bodies[1]!.open(1);
    const { results, additionalContexts, concluded } = await outcome;
    expect(results.map(({ result }) => result.error?.message ?? result.value)).toEqual([
      'disk full',
      'The call was aborted after the tool had started',
      'The call was aborted before the tool started',
      'The call was aborted before the tool started',
    ]);
    expect(additionalContexts.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'c1' }],
      [{ type: 'text', text: 'c2' }],
    ]);
    expect(concluded).toBe(false);
    expect(lines().slice(3)).toEqual([
      'result c2 failed',
      'call c3',
      'result c3 failed',
      'call c4',
      'result c4 failed',
    ]);
  });

  it('N12: any number of bodies may listen to the signal of the batch; Node sees no leak in it', async () => {
    const { tools, run } = nativeHost({ maxParallelToolCalls: 20 });
    const read = gatedTool('read');
    tools.register({
      ...read.definition,
      execute: (args, exec) => {
        exec.signal.addEventListener('abort', () => {});
        return read.definition.execute(args, exec);
      },
    });
    const warned: string[] = [];
    const onWarning = ({ name }: Error) => warned.push(name);
    process.on('warning', onWarning);
    const outcome = run(new Array<string>(20).fill('read'));
    await flush();
    expect(read.running).toBe(20);
    for (const body of read.bodies) body.open(0);
    await outcome;
    await flush();
    process.off('warning', onWarning);
    expect(warned).toEqual([]);
  });

  it('N22: the batch leaves no listener on the signal', async () => {
    const { tools, run, controller } = nativeHost();
    tools.register(makeTool('read'));
    const added: unknown[] = [];
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((type: string, listener: never) => {
      added.push(listener);
      add(type, listener);
    }) as never;
    signal.removeEventListener = ((type: string, listener: never) => {
      added.splice(added.indexOf(listener), 1);
      remove(type, listener);
    }) as never;
    await run(['read', 'read']);
    expect(added).toEqual([]);
  });
});

describe('nativeExecutor: internal failure', () => {
  const failing = async (outcome: Promise<unknown>): Promise<ToolBatchExecutionError> => {
    const error: unknown = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolBatchExecutionError);
    return error as ToolBatchExecutionError;
  };

  it('N24, N25, N26, E72: a refused result event drains the pool, starts nothing more, and carries what was committed', async () => {
    const { tools, run, agent, lines } = nativeHost({ maxParallelToolCalls: 2 });
    const read = gatedTool('read', {
      execute: async (args, exec) => {
        const body = { ...gate<unknown>(), args, exec, isOpen: true };
        read.bodies.push(body);
        const content = [{ type: 'text', text: exec.callId }] as const;
        exec.deferContext({ role: 'user', content, source: { kind: 'user' } });
        return body.promise;
      },
    });
    tools.register(read.definition);
    const outcome = failing(run(['read', 'read', 'read', 'read', 'read']));
    await flush();
    read.bodies[0]!.open(1);
    await flush();
    agent.refuse('tool/result', new Error('log is full'));
    read.bodies[1]!.open(2);
    await flush();
    let isSettled = false;
    void outcome.then(() => {
      isSettled = true;
    });
    await flush();
    expect([isSettled, read.bodies.length]).toEqual([false, 3]);
    read.bodies[2]!.open(3);
    const error = await outcome;
    expect(error.message).toBe('Cannot finish the batch: log is full');
    expect(error.cause).toEqual(new Error('log is full'));
    expect(error.results.map(({ callId, result }) => [callId, result.value])).toEqual([
      ['c1', 1],
      ['c3', 3],
    ]);
    expect(error.additionalContexts.map(({ content }) => content[0])).toEqual([
      { type: 'text', text: 'c1' },
      { type: 'text', text: 'c3' },
    ]);
    expect(lines()).toEqual(['call c1', 'call c2', 'result c1 ok', 'call c3', 'result c3 ok']);
  });

  it('N24, N25: a refused call event starts nothing, and a failure while draining does not replace the first', async () => {
    const { tools, run, agent } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    const write = gatedTool('write');
    tools.register(write.definition);
    tools.on('tools/pre-execute', (exec, next) => {
      if (exec.callId === 'c1') agent.refuse('tool/call', new Error('first'));
      return next();
    });
    const outcome = failing(run(['read', 'write', 'read']));
    await flush();
    agent.refuse('tool/result', new Error('second'));
    read.bodies[0]!.open(1);
    const error = await outcome;
    expect([error.message, error.results, write.bodies]).toEqual(['Cannot finish the batch: first', [], []]);
    expect(error.name).toBe('ToolBatchExecutionError');
  });

  it('N26: a session that answers an append with a promise is refused, and what it rejects with is contained', async () => {
    const { tools, batch } = nativeHost();
    const read = gatedTool('read');
    tools.register(read.definition);
    for (const append of [async () => ({ seq: 1 }), () => Promise.reject(new Error('disk is full'))]) {
      const agent = { id: 'slow', session: { id: 'slow log', append } } as unknown as Agent;
      const error = await failing(tools.execute(batch(['read'], { agent })));
      expect(error.message).toBe(
        'Cannot finish the batch: Cannot record "tool/call": "append" of session "slow log" wants to answer { seq } at once, received a promise',
      );
      expect([error.results, read.bodies]).toEqual([[], []]);
    }
  });

  it('N24: a synthetic pair that cannot be recorded is an internal failure too', async () => {
    const { tools, run, agent, controller } = nativeHost();
    tools.register(makeTool('read'));
    controller.abort();
    agent.refuse('tool/result', new Error('log is full'));
    const error = await failing(run(['read', 'read']));
    expect(error.results).toEqual([]);
  });
});

describe('nativeExecutor: what only programs have', () => {
  it('R64: run_code is an unknown tool for an executor that presents native calls', async () => {
    const { run } = nativeHost();
    const { results } = await run(['run_code']);
    expect(results[0]!.result.error?.info?.code).toBe('UNKNOWN_TOOL');
  });

  it('N3: a batch without agent runs standalone', async () => {
    const { tools, batch } = nativeHost();
    tools.register(makeTool('read'));
    const input: ToolBatchInput = { calls: batch(['read']).calls, signal: new AbortController().signal };
    expect((await tools.execute(input)).results[0]!.result.value).toBe('read');
  });
});
