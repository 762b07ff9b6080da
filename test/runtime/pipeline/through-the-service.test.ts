import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '#dist/runtime/contract/approval.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';
import { unknownTool } from './cancel-texts.ts';
import { agent, callInput, coded, failureParts, fakeTool, text, uncoded } from './fake-host.ts';

const modelSelection = { provider: 'p', model: 'm' };
const { signal } = new AbortController();

/** A tool made by the author's helper, whose arguments and output are checked. */
function addTool() {
  return defineTool({
    name: 'add',
    description: 'Adds two numbers',
    parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
    output: {
      schema: { type: 'number' },
      render: ({ a, b }, sum) => [text(`${a} + ${b} = ${sum}`) as never],
    },
    execute: async ({ a, b }) => a + b,
  });
}

describe('the pipeline of a service', () => {
  it('P67: a defined tool is called, checked and rendered; bad arguments are its own coded failure, reviewed', async () => {
    const tools = createTools();
    tools.register(addTool());
    const posts: string[] = [];
    tools.on('tools/post-execute', async (_exec, result, next) => {
      posts.push(result.error?.info?.code ?? 'success');
      return next();
    });
    const sum = await tools.pipeline.execute(callInput({ name: 'add', arguments: { a: 1, b: 2 } }));
    expect(sum).toEqual({ isError: false, value: 3, content: [text('1 + 2 = 3')] });
    const bad = await tools.pipeline.execute(callInput({ name: 'add', arguments: { a: 'x', b: 2 } }));
    expect(bad.error?.info).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' });
    expect(posts).toEqual(['success', 'INVALID_ARGS']);
  });

  it('P35, T8: a short-circuit for arguments that do not validate is INVALID_TOOL_OUTPUT instead of being rendered', async () => {
    const tools = createTools();
    tools.register(addTool());
    tools.on('tools/execute', async () => ({ isError: false, value: 3, content: [text('cached')] }));
    const good = await tools.pipeline.execute(callInput({ name: 'add', arguments: { a: 1, b: 2 } }));
    expect(good.content).toEqual([text('1 + 2 = 3')]);
    const bad = await tools.pipeline.execute(callInput({ name: 'add', arguments: {} }));
    expect(bad.error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
  });

  it('P32: under a resolved set, a tool replaced, restricted or unregistered after policy is unknown; without one the replacement runs', async () => {
    const caller = agent();
    const outcomes: unknown[] = [];
    for (const change of ['replace', 'restrict', 'unregister', 'dispose the set'] as const) {
      const tools = createTools();
      const remove = tools.register(fakeTool({ execute: async () => 'old' }));
      const set = await tools.resolve({ agent: caller, modelSelection, signal });
      tools.on('tools/pre-execute', async (_exec, next) => {
        if (change === 'restrict') tools.scoped(caller).restrict({ deny: ['echo'] });
        else if (change === 'dispose the set') set.dispose();
        else remove();
        if (change === 'replace') tools.register(fakeTool({ execute: async () => 'new' }));
        return next();
      });
      outcomes.push(failureParts(await tools.pipeline.execute(callInput({ agent: caller, toolSet: set }))));
    }
    expect(outcomes).toEqual(Array(4).fill(unknownTool('echo')));
    const tools = createTools();
    const remove = tools.register(fakeTool({ execute: async () => 'old' }));
    tools.on('tools/pre-execute', async (_exec, next) => {
      remove();
      tools.register(fakeTool({ execute: async () => 'new' }));
      return next();
    });
    expect((await tools.pipeline.execute(callInput())).value).toBe('new');
  });

  it('P10, E65: hidden, conditional without a set and absent names read the same, after policy has seen them', async () => {
    const tools = createTools();
    const mine = agent('mine');
    tools.scoped(mine).register(fakeTool({ name: 'private' }));
    tools.register(fakeTool({ name: 'conditional' }), { when: () => true });
    const seen: string[] = [];
    tools.on('tools/pre-execute', async (exec, next) => {
      seen.push(exec.name);
      return next();
    });
    for (const name of ['private', 'conditional', 'absent']) {
      const result = await tools.pipeline.execute(callInput({ name, agent: agent('other') }));
      expect(failureParts(result)).toEqual(unknownTool(name));
    }
    expect(seen).toEqual(['private', 'conditional', 'absent']);
  });

  it('P8: a registered tool collapses for the agent that sees it, conditional ones included, and not for others', async () => {
    const tools = createTools();
    const mine = agent('mine');
    tools.scoped(mine).register(fakeTool({ name: 'private' }), { when: () => true });
    const dispatch = { direct: 'transport-only' } as const;
    const collapsed = await tools.pipeline.execute(callInput({ name: 'private', agent: mine, dispatch }));
    expect(collapsed.error?.message).toContain('call it inside "run_code" instead');
    const absent = await tools.pipeline.execute(
      callInput({ name: 'private', agent: agent('other'), dispatch }),
    );
    expect(failureParts(absent)).toEqual(unknownTool('private'));
  });

  it('E13: a policy that is prepended later cannot turn a guard’s denial into an allowance', async () => {
    const tools = createTools();
    tools.register(fakeTool());
    tools.guard(() => 'guarded');
    tools.on('tools/pre-execute', async () => ({ kind: 'allow' }), { prepend: true });
    expect(failureParts(await tools.pipeline.execute(callInput()))).toEqual(uncoded('guarded'));
  });

  it('E122: lossy arguments still reach the result listeners of the call’s own agent, and no others', async () => {
    const tools = createTools();
    const parent = agent('parent');
    const child = agent('child', parent);
    const heard: string[] = [];
    for (const scope of [parent, child, agent('other')]) {
      tools.scoped(scope).on('tools/result', (exec) => void heard.push(`${scope.id}: ${exec.arguments}`));
    }
    tools.on('tools/result', () => void heard.push('everyone'));
    await tools.pipeline.execute(callInput({ arguments: () => {}, agent: child }));
    expect(heard).toEqual(['parent: undefined', 'child: undefined', 'everyone']);
  });

  it('P22, P24, E120: the nearest scope’s approver is asked, and where there is none the reason is the denial', async () => {
    const tools = createTools();
    tools.register(fakeTool());
    const asked: ApprovalRequest[] = [];
    const child = agent('child', agent('parent'));
    tools.on('tools/pre-execute', async () => ({ kind: 'ask', reason: 'writes' }));
    const unasked = await tools.pipeline.execute(callInput({ agent: child }));
    expect(failureParts(unasked)).toEqual(uncoded('writes'));
    tools.scoped(child.parent!).setApproval({
      request: (request) => {
        asked.push(request);
        return 'allowed-once';
      },
    });
    expect((await tools.pipeline.execute(callInput({ agent: child }))).value).toEqual({ a: 1 });
    expect(asked.map(({ agent: asker, reason }) => [asker, reason])).toEqual([[child, 'writes']]);
  });

  it('P60, E58: an observer’s hostile throw reaches the service’s reporter and changes nothing', async () => {
    const warnings: unknown[] = [];
    const tools = createTools({ onWarning: (message, cause) => void warnings.push([message, cause]) });
    tools.register(fakeTool());
    const hostile = Object.create(null);
    tools.on('tools/result', () => {
      throw hostile;
    });
    expect((await tools.pipeline.execute(callInput())).value).toEqual({ a: 1 });
    expect(warnings).toEqual([['Observer failed: [unprintable error]', hostile]]);
  });

  it('P43: an output of a published dialect is held to it', async () => {
    const tools = createTools();
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] };
    tools.register(
      fakeTool({ output: { schema: schema as never, dialect: '2020-12', render: () => [text('ok')] } }),
    );
    const fits = await tools.pipeline.execute(callInput({ arguments: { n: 3 } }));
    expect(fits.value).toEqual({ n: 3 });
    const breaks = await tools.pipeline.execute(callInput({ arguments: { n: 2 } }));
    expect(breaks.error?.info).toEqual({ name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' });
    expect(breaks.error?.message).toMatch(/^Invalid output of "echo": value\.n/);
  });

  it('P5, P67: a program’s sub-call and its outer call share the root id and the agent’s listeners', async () => {
    const tools = createTools();
    const seen: unknown[] = [];
    tools.on(
      'tools/result',
      (exec) => void seen.push([exec.name, exec.rootCallId, exec.parent?.description]),
    );
    tools.register(fakeTool({ name: 'inner' }));
    tools.register(
      fakeTool({
        name: 'outer',
        execute: async (_args, exec) => {
          const { rootCallId, token } = exec;
          const nested = callInput({ callId: 'sub' as never, rootCallId, name: 'inner', parent: token });
          return (await tools.pipeline.execute(nested)).value;
        },
      }),
    );
    await tools.pipeline.execute(callInput({ name: 'outer' }));
    expect(seen).toEqual([
      ['inner', 'call_1', 'execution'],
      ['outer', 'call_1', undefined],
    ]);
  });

  it('P39: a wrapper that throws a coded error of a host’s own keeps its name and code', async () => {
    const { PtcError } = await import('#dist/runtime/core/errors.js');
    class BudgetError extends PtcError {}
    const tools = createTools();
    tools.register(fakeTool());
    tools.on('tools/execute', async () => {
      throw new BudgetError('BUDGET', 'no calls left');
    });
    expect(failureParts(await tools.pipeline.execute(callInput()))).toEqual(
      coded('BudgetError', 'BUDGET', 'no calls left'),
    );
  });
});
