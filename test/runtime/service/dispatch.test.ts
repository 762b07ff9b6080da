import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolExecution, ToolExecutionInput } from '#dist/runtime/contract/execution.js';
import type { ToolExecutionResult } from '#dist/runtime/contract/result.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { emptyBatchResult, makeExecutor } from '../../support/make-executor.ts';
import { makeTool } from '../../support/make-tool.ts';

const agent = { id: 'agent-1' };
const child = { id: 'child', parent: agent };
const stranger = { id: 'stranger' };
const signal = new AbortController().signal;
const modelSelection = { provider: 'p', model: 'm' };

function call(name: string, more: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
  return { callId: toolCallId('call-1'), name, arguments: {}, signal, ...more };
}

const outcome = (result: ToolExecutionResult) =>
  result.isError ? (result.error.info?.code ?? result.error.message) : result.value;

describe('calls through the registry', () => {
  it('R2: a tool of another scope fails exactly like a name that does not exist', async () => {
    const tools = createTools();
    tools.scoped(agent).register(makeTool('mine'));
    expect(outcome(await tools.pipeline.execute(call('mine', { agent })))).toBe('mine');
    expect(outcome(await tools.pipeline.execute(call('mine', { agent: child })))).toBe('mine');
    for (const scope of [stranger, undefined]) {
      const hidden = await tools.pipeline.execute(call('mine', { agent: scope }));
      const missing = await tools.pipeline.execute(call('none', { agent: scope }));
      expect(hidden.error?.info).toEqual({ name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' });
      expect(JSON.parse(JSON.stringify(hidden).replaceAll('mine', 'none'))).toEqual(missing);
    }
  });

  it('R16: a raw tool gets its arguments as they are, whatever its parameters require', async () => {
    const tools = createTools();
    const seen: unknown[] = [];
    tools.register(
      makeTool('raw', {
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        execute: async (args) => {
          seen.push(args);
          return 'ran';
        },
      }),
    );
    for (const args of [{}, { path: 7 }, 'not an object', null]) {
      expect(outcome(await tools.pipeline.execute(call('raw', { arguments: args })))).toBe('ran');
    }
    expect(seen).toEqual([{}, { path: 7 }, 'not an object', null]);
  });

  it('R33, R46: a restricted tool is unknown to a call, also to one that holds an older set', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    const toolSet = await tools.resolve({ agent, modelSelection, signal });
    expect(outcome(await tools.pipeline.execute(call('a', { agent, toolSet })))).toBe('a');
    const lift = tools.scoped(agent).restrict({ deny: ['a'] });
    for (const more of [{ agent }, { agent, toolSet }, { agent: child }]) {
      expect(outcome(await tools.pipeline.execute(call('a', more)))).toBe('UNKNOWN_TOOL');
    }
    expect(outcome(await tools.pipeline.execute(call('a', { agent: stranger })))).toBe('a');
    lift();
    expect(outcome(await tools.pipeline.execute(call('a', { agent, toolSet })))).toBe('a');
  });

  it('R35, R44: a conditional tool runs only with a set that admits it', async () => {
    const tools = createTools();
    let isOn = true;
    tools.register(makeTool('maybe'), { when: () => isOn });
    const on = await tools.resolve({ agent, modelSelection, signal });
    isOn = false;
    const off = await tools.resolve({ agent, modelSelection, signal });
    const withSet = async (toolSet?: typeof on) =>
      outcome(await tools.pipeline.execute(call('maybe', { agent, toolSet })));
    expect([await withSet(on), await withSet(off), await withSet()]).toEqual([
      'maybe',
      'UNKNOWN_TOOL',
      'UNKNOWN_TOOL',
    ]);
    expect(tools.get('maybe')?.name).toBe('maybe');
  });

  it('R40, R41, R42, R67: a call is unknown with a disposed, a foreign or an outdated set', async () => {
    const tools = createTools();
    const definition = makeTool('a');
    const dispose = tools.register(definition);
    const own = await tools.resolve({ agent, modelSelection, signal });
    const foreign = await tools.resolve({ agent: stranger, modelSelection, signal });
    const disposed = await tools.resolve({ agent, modelSelection, signal });
    disposed.dispose();
    const withSet = async (toolSet: typeof own, name = 'a') =>
      outcome(await tools.pipeline.execute(call(name, { agent, toolSet })));
    expect([await withSet(own), await withSet(foreign), await withSet(disposed)]).toEqual([
      'a',
      'UNKNOWN_TOOL',
      'UNKNOWN_TOOL',
    ]);
    tools.register(makeTool('later'));
    expect(await withSet(own, 'later')).toBe('UNKNOWN_TOOL');
    dispose();
    tools.register(definition);
    expect(await withSet(own)).toBe('UNKNOWN_TOOL');
    expect(outcome(await tools.pipeline.execute(call('a', { agent })))).toBe('a');
  });

  it('R42, R46: what happens to a tool while policy decides holds for the body', async () => {
    const tools = createTools();
    let ran = 0;
    const definition = makeTool('a', {
      execute: async () => {
        ran += 1;
        return 'ran';
      },
    });
    let dispose = tools.register(definition);
    const toolSet = await tools.resolve({ agent, modelSelection, signal });
    tools.on('tools/pre-execute', async (_, next) => {
      dispose();
      dispose = tools.register(definition);
      return next();
    });
    expect(outcome(await tools.pipeline.execute(call('a', { agent, toolSet })))).toBe('UNKNOWN_TOOL');
    expect(ran).toBe(0);
    expect(outcome(await tools.pipeline.execute(call('a', { agent })))).toBe('ran');
  });

  it('R45: a composite that hands its set on reaches admitted tools only', async () => {
    const tools = createTools();
    tools.register(makeTool('yes'), { when: () => true });
    tools.register(makeTool('no'), { when: () => false });
    tools.register(
      makeTool('outer', {
        execute: async (_, exec) => {
          const outcomes: unknown[] = [];
          for (const name of ['yes', 'no']) {
            const { token: parent, agent: caller, toolSet, rootCallId } = exec;
            const inner = call(name, { agent: caller, toolSet, parent, rootCallId });
            outcomes.push(outcome(await tools.pipeline.execute(inner)));
          }
          return outcomes.join(' ');
        },
      }),
    );
    const toolSet = await tools.resolve({ agent, modelSelection, signal });
    expect(outcome(await tools.pipeline.execute(call('outer', { agent, toolSet })))).toBe('yes UNKNOWN_TOOL');
  });

  it('R64: where nobody presents programs, run_code is an unknown tool, whatever another agent is shown', async () => {
    const tools = createTools();
    const transport = makeTool('run_code', { execute: async () => 'ran a program' });
    const presenting = (definition?: ToolDefinition) => ({
      describe: () => ({ schemas: [], knownNames: [] }),
      execute: async () => {
        const dispatch = { direct: 'any' as const, ...(definition === undefined ? {} : { definition }) };
        const result = await tools.pipeline.execute(call('run_code', { dispatch }));
        const callId = toolCallId('call-1');
        return { ...emptyBatchResult, results: [{ callId, result }] };
      },
    });
    tools.setExecutor(presenting());
    tools.scoped(agent).setExecutor(presenting(transport));
    const run = async (scope?: typeof agent) => {
      const { results } = await tools.execute({ calls: [], signal, agent: scope });
      return outcome(results[0]!.result);
    };
    expect([await run(agent), await run(), await run(stranger)]).toEqual([
      'ran a program',
      'UNKNOWN_TOOL',
      'UNKNOWN_TOOL',
    ]);
    expect(tools.executable('run_code', agent)).toBeUndefined();
    expect(outcome(await tools.pipeline.execute(call('run_code', { agent })))).toBe('UNKNOWN_TOOL');
  });

  it('R33, R43, P8: where only programs may call tools, a tool that the scope sees is told from a name it does not', async () => {
    const tools = createTools();
    for (const name of ['a', 'b']) tools.register(makeTool(name));
    tools.register(makeTool('no'), { when: () => false });
    tools.scoped(agent).restrict({ deny: ['b'] });
    const toolSet = await tools.resolve({ agent, modelSelection, signal });
    const dispatch = { direct: 'transport-only' as const, definition: makeTool('run_code') };
    const isPointedToPrograms = async (name: string) => {
      const result = await tools.pipeline.execute(call(name, { agent, toolSet, dispatch }));
      expect(outcome(result)).toBe('UNKNOWN_TOOL');
      return result.error?.message.includes('inside "run_code"');
    };
    expect(await isPointedToPrograms('a')).toBe(true);
    for (const name of ['b', 'no', 'none']) expect(await isPointedToPrograms(name)).toBe(false);
  });

  it('R32: a filter takes names from what is described and never the transport', () => {
    const tools = createTools();
    for (const name of ['a', 'b']) tools.register(makeTool(name));
    tools.scoped(agent).setExecutor(makeExecutor('run_code').executor);
    const scoped = tools.scoped(agent);
    const lift = scoped.restrict({ deny: ['a'] });
    const described = () => tools.describe(agent).schemas.map(({ name, description }) => [name, description]);
    expect(described()).toEqual([['run_code', 'b']]);
    scoped.restrict({ allow: [] });
    expect(described()).toEqual([['run_code', '']]);
    lift();
    expect(() => scoped.restrict({ deny: ['run_code'] })).toThrow('reserved');
    expect(() => scoped.restrict({ allow: ['run_code'] })).toThrow('reserved');
  });

  it('R68: one set serves declarations, classification, root calls and sub-calls of a step until it is disposed', async () => {
    const tools = createTools();
    let asked = 0;
    tools.register(makeTool('maybe', { isConcurrencySafe: () => true }), {
      when: ({ modelSelection: { model } }) => {
        asked += 1;
        return model === 'm';
      },
    });
    tools.setExecutor(makeExecutor('shown').executor);
    const toolSet = await tools.resolve({ agent, modelSelection, signal });
    expect(tools.describe(agent, toolSet).schemas[0]?.description).toBe('maybe');
    expect(tools.executable('maybe', agent, toolSet)?.isConcurrencySafe?.({})).toBe(true);
    expect(outcome(await tools.pipeline.execute(call('maybe', { agent, toolSet })))).toBe('maybe');
    expect(asked).toBe(1);
    toolSet.dispose();
    expect(tools.describe(agent, toolSet).schemas[0]?.description).toBe('');
    expect(tools.executable('maybe', agent, toolSet)).toBeUndefined();
    expect(outcome(await tools.pipeline.execute(call('maybe', { agent, toolSet })))).toBe('UNKNOWN_TOOL');
  });
});

describe('guards in a call', () => {
  it('R51, R52, E121: they are asked after policy, with frozen arguments, and the first denial is the result', async () => {
    const tools = createTools();
    const order: string[] = [];
    let ran = 0;
    tools.register(
      makeTool('a', {
        execute: async () => {
          ran += 1;
          return 'ran';
        },
      }),
    );
    tools.on('tools/pre-execute', async (_, next) => {
      order.push('policy');
      return next();
    });
    tools.scoped(agent).guard((exec) => {
      order.push(`scoped ${Object.isFrozen(exec.arguments)}`);
      return 'scoped guard says no';
    });
    tools.guard(() => void order.push('global'));
    const denied = await tools.pipeline.execute(call('a', { agent: child, arguments: { deep: [1] } }));
    expect(denied).toMatchObject({ isError: true, error: { message: 'scoped guard says no' } });
    expect(order).toEqual(['policy', 'global', 'scoped true']);
    expect(ran).toBe(0);
    for (const scope of [stranger, undefined]) {
      expect(outcome(await tools.pipeline.execute(call('a', { agent: scope })))).toBe('ran');
    }
  });

  it('R55: a call that policy denies meets no guard, one that an approver allows meets them all', async () => {
    const tools = createTools({ approval: { request: () => 'allowed-once' } });
    tools.register(makeTool('a'));
    let asked = 0;
    tools.guard(() => {
      asked += 1;
      return 'guarded';
    });
    let decision: 'deny' | 'ask' = 'deny';
    tools.on('tools/pre-execute', async () => ({ kind: decision, reason: 'policy says no' }));
    expect(outcome(await tools.pipeline.execute(call('a', { agent })))).toBe('policy says no');
    expect(asked).toBe(0);
    decision = 'ask';
    expect(outcome(await tools.pipeline.execute(call('a', { agent })))).toBe('guarded');
    expect(asked).toBe(1);
  });

  it('R55: a guard that throws fails the call without post-execute, a denial goes through it', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    let posts = 0;
    tools.on('tools/post-execute', async (_exec, _result, next) => {
      posts += 1;
      return next();
    });
    const lift = tools.guard(() => {
      throw new Error('guard is broken');
    });
    expect(outcome(await tools.pipeline.execute(call('a')))).toBe('guard is broken');
    expect(posts).toBe(0);
    lift();
    tools.guard(() => 'no');
    expect(outcome(await tools.pipeline.execute(call('a')))).toBe('no');
    expect(posts).toBe(1);
  });

  it("E13: a listener that is put in front cannot turn a guard's denial into an allow", async () => {
    const tools = createTools();
    let ran = 0;
    tools.register(
      makeTool('a', {
        execute: async () => {
          ran += 1;
          return 'ran';
        },
      }),
    );
    tools.guard(() => 'guarded');
    tools.on('tools/pre-execute', async () => ({ kind: 'allow' }), { prepend: true });
    expect(outcome(await tools.pipeline.execute(call('a')))).toBe('guarded');
    expect(ran).toBe(0);
  });
});

describe('listeners in a call', () => {
  it('R65: the first one registered is outermost, a prepended one before it, and next takes no arguments', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    const order: string[] = [];
    const wrap = (label: string) => async (_: unknown, next: () => Promise<ToolExecutionResult>) => {
      order.push(`${label} in`);
      const result = await (next as (...args: unknown[]) => Promise<ToolExecutionResult>)('ignored');
      order.push(`${label} out`);
      return result;
    };
    tools.on('tools/execute', wrap('first'));
    tools.on('tools/execute', wrap('second'));
    const dispose = tools.on('tools/execute', wrap('prepended'), { prepend: true });
    expect(outcome(await tools.pipeline.execute(call('a')))).toBe('a');
    expect(order).toEqual([
      'prepended in',
      'first in',
      'second in',
      'second out',
      'first out',
      'prepended out',
    ]);
    dispose();
    order.length = 0;
    await tools.pipeline.execute(call('a'));
    expect(order[0]).toBe('first in');
  });

  it('R65: a listener that does not call next short-circuits, one that calls it twice fails and runs nothing twice', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    let inner = 0;
    const dispose = tools.on('tools/pre-execute', async (_, next) => {
      await next();
      return next();
    });
    tools.on('tools/pre-execute', async (_, next) => {
      inner += 1;
      return next();
    });
    const failed = await tools.pipeline.execute(call('a'));
    expect(failed.error?.message).toContain('received a second one');
    expect(inner).toBe(1);
    dispose();
    tools.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'short' }), { prepend: true });
    expect(outcome(await tools.pipeline.execute(call('a')))).toBe('short');
    expect(inner).toBe(1);
  });

  it('R66: each waterfall and the observers are filtered by the agent of the call', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    const heard: string[] = [];
    const listen = (service: typeof tools, label: string) => {
      service.on('tools/pre-execute', (_, next) => {
        heard.push(`${label} pre`);
        return next();
      });
      service.on('tools/execute', (_, next) => {
        heard.push(`${label} execute`);
        return next();
      });
      service.on('tools/post-execute', (_exec, _result, next) => {
        heard.push(`${label} post`);
        return next();
      });
      service.on('tools/result', () => void heard.push(`${label} result`));
    };
    const stages = ['pre', 'execute', 'post', 'result'];
    listen(tools, 'global');
    listen(tools.scoped(agent), 'parent');
    listen(tools.scoped(child), 'child');
    const heardFor = async (scope?: typeof agent) => {
      heard.length = 0;
      await tools.pipeline.execute(call('a', { agent: scope }));
      return [...heard];
    };
    const all = (...labels: string[]) =>
      stages.flatMap((stage) => labels.map((label) => `${label} ${stage}`));
    expect(await heardFor()).toEqual(all('global'));
    expect(await heardFor(stranger)).toEqual(all('global'));
    expect(await heardFor(agent)).toEqual(all('global', 'parent'));
    expect(await heardFor(child)).toEqual(all('global', 'parent', 'child'));
  });

  it('E122: a call whose arguments are lost still reaches the observers of its agent, once, and no others', async () => {
    const tools = createTools();
    tools.register(makeTool('a'));
    const heard: [string, ToolExecution][] = [];
    tools.on('tools/result', (exec) => void heard.push(['global', exec]));
    tools.scoped(agent).on('tools/result', (exec) => void heard.push(['scoped', exec]));
    tools.scoped(stranger).on('tools/result', (exec) => void heard.push(['stranger', exec]));
    const failed = await tools.pipeline.execute(call('a', { agent, arguments: new Map() }));
    expect(failed.isError).toBe(true);
    expect(heard.map(([label]) => label)).toEqual(['global', 'scoped']);
    expect(heard[0]?.[1].agent).toBe(agent);
    expect(heard[0]?.[1].arguments).toBeUndefined();
  });

  it('R69: the approver of the nearest scope is asked', async () => {
    const asked: string[] = [];
    const approver = (label: string) => ({
      request: () => {
        asked.push(label);
        return 'allowed-once' as const;
      },
    });
    const tools = createTools({ approval: approver('deployment') });
    tools.register(makeTool('a'));
    tools.on('tools/pre-execute', async () => ({ kind: 'ask' }));
    const dispose = tools.scoped(agent).setApproval(approver('agent'));
    for (const scope of [child, stranger]) await tools.pipeline.execute(call('a', { agent: scope }));
    dispose();
    await tools.pipeline.execute(call('a', { agent: child }));
    expect(asked).toEqual(['agent', 'deployment', 'deployment']);
  });
});
