import { describe, expect, it } from 'vitest';
import { agent, callInput, context, fakeHost, fakeTool, text } from './fake-host.ts';

/** A call that passes every stage, each of which is written down. */
function tracedCall() {
  const order: string[] = [];
  const note = <T>(stage: string, value: T): T => {
    order.push(stage);
    return value;
  };
  const host = fakeHost(
    fakeTool({
      execute: async () =>
        note('body', {
          get rows() {
            return note('snapshot value', [1]);
          },
        }),
      output: {
        get schema() {
          return note('validate', {});
        },
        render: () => note('render', [text('r')]),
        presentationMeta: () => note('presentationMeta', null),
      },
    }),
  );
  for (const hook of ['projectContent', 'finalizeContent'] as const) {
    Object.defineProperty(host.tools.get('echo')!, hook, {
      get: () => note(`capture ${hook}`, () => note(hook, undefined)),
    });
  }
  const { executable } = host;
  host.executable = (...of) => note('resolve', executable(...of));
  host.approvals = { request: () => note('approval', 'allowed-once') };
  host.on('tools/pre-execute', async (_exec, next) => {
    order.push('pre outer');
    const decision = await next();
    return note('pre outer done', decision);
  });
  host.on('tools/pre-execute', async () => note('pre inner', { kind: 'ask' }));
  host.guards.push(() => note('guard', undefined));
  for (const level of ['outer', 'inner']) {
    host.on('tools/execute', async (_exec, next) => {
      order.push(`around ${level}`);
      return note(`around ${level} done`, await next());
    });
    host.on('tools/post-execute', async (_exec, _result, next) => {
      order.push(`post ${level}`);
      return note(`post ${level} done`, await next());
    });
  }
  host.on('tools/result', (exec) => void order.push(`result, execution frozen: ${Object.isFrozen(exec)}`));
  const input = Object.defineProperties(callInput({ agent: agent() }), {
    name: { enumerable: true, get: () => note('read name', 'echo') },
    arguments: {
      get: () =>
        note('read arguments', {
          get a() {
            return note('snapshot arguments', 1);
          },
        }),
    },
  });
  return { host, order, input };
}

const BEFORE_BODY = [
  'read name',
  'resolve',
  'capture projectContent',
  'capture finalizeContent',
  'read arguments',
  'snapshot arguments',
  'pre outer',
  'pre inner',
  'pre outer done',
  'approval',
  'guard',
];
const AROUND = [
  'around outer',
  'around inner',
  'resolve',
  'body',
  'snapshot value',
  'validate',
  'render',
  'presentationMeta',
  'around inner done',
  'around outer done',
];
const AFTER = [
  'projectContent',
  'post outer',
  'post inner',
  'post inner done',
  'post outer done',
  'finalizeContent',
  'result, execution frozen: true',
];

describe('the stages', () => {
  it('P67, P2, P32, P44, P48, P57, P60: a call that passes them all passes them in this order', async () => {
    const { host, order, input } = tracedCall();
    await host.pipeline.execute(input);
    expect(order).toEqual([...BEFORE_BODY, ...AROUND, ...AFTER]);
  });

  it('P67, N13: in three parts the same stages run, each part its own', async () => {
    const { host, order, input } = tracedCall();
    const call = host.pipeline.stage(input);
    expect(await call.prepare()).toBe(true);
    expect(order).toEqual(BEFORE_BODY);
    await call.dispatch();
    expect(order).toEqual([...BEFORE_BODY, ...AROUND]);
    await call.finish();
    expect(order).toEqual([...BEFORE_BODY, ...AROUND, ...AFTER]);
  });

  it('P53, P62: contexts of all origins come out in stage order', async () => {
    const host = fakeHost(
      fakeTool({ execute: async (_args, exec) => exec.deferContext(context('tool')) ?? 1 }),
    );
    host.on('tools/execute', async (_exec, next) => ({
      ...(await next()),
      additionalContexts: [context('wrapper')],
    }));
    host.on('tools/post-execute', async (_exec, result) => ({
      kind: 'accept',
      additionalContexts: [context(`decision after ${result.additionalContexts?.length}`)],
    }));
    expect((await host.pipeline.execute(callInput())).additionalContexts).toEqual([
      context('tool'),
      context('wrapper'),
      context('decision after 2'),
    ]);
  });
});
