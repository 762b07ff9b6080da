import { describe, expect, it } from 'vitest';
import type { ToolExecutor } from '#dist/runtime/contract/executor.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { emptyBatchResult, makeExecutor } from '../../support/make-executor.ts';
import { makeTool } from '../../support/make-tool.ts';

const signal = new AbortController().signal;
const batchOf = (agent?: { id: string }) => ({ calls: [], signal, agent });

describe('setExecutor', () => {
  it('R57: a batch goes to the nearest scope of its agent that has an executor, else to the default', async () => {
    const tools = createTools();
    const parent = { id: 'parent' };
    const child = { id: 'child', parent };
    const grandchild = { id: 'grandchild', parent: child };
    const [standard, near, own] = ['standard', 'near', 'own'].map((label) => makeExecutor(label));
    tools.setExecutor(standard!.executor);
    tools.scoped(parent).setExecutor(near!.executor);
    tools.scoped(child).setExecutor(own!.executor);
    const batches = [undefined, { id: 'stranger' }, parent, child, grandchild].map(batchOf);
    for (const batch of batches) await tools.execute(batch);
    expect(standard!.batches).toEqual(batches.slice(0, 2));
    expect(near!.batches).toEqual([batches[2]]);
    expect(own!.batches).toEqual(batches.slice(3));
    expect(own!.batches[1]).toBe(batches[4]);
  });

  it('R58: without an executor a batch rejects and describe throws', async () => {
    const tools = createTools();
    await expect(tools.execute(batchOf())).rejects.toThrow('Cannot select an executor: no executor is set');
    expect(() => tools.describe()).toThrow('Cannot select an executor: no executor is set');
    const other = { id: 'other' };
    tools.scoped(other).setExecutor(makeExecutor('x').executor);
    await expect(tools.execute(batchOf({ id: 'stranger' }))).rejects.toThrow('no executor is set');
  });

  it('R59: a batch that was accepted settles with the executor that it was given to', async () => {
    const tools = createTools();
    let finish = () => {};
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const dispose = tools.setExecutor({
      describe: () => ({ schemas: [], knownNames: [] }),
      execute: async () => {
        await running;
        return emptyBatchResult;
      },
    });
    const batch = tools.execute(batchOf());
    dispose();
    const replacement = makeExecutor('replacement');
    tools.setExecutor(replacement.executor);
    finish();
    expect(await batch).toBe(emptyBatchResult);
    expect(replacement.batches).toEqual([]);
  });

  it('R60: a removed executor leaves its scope without one until another is set there', async () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    tools.setExecutor(makeExecutor('standard').executor);
    const dispose = tools.scoped(agent).setExecutor(makeExecutor('own').executor);
    dispose();
    dispose();
    for (const viewer of [agent, { id: 'child', parent: agent }]) {
      await expect(tools.execute(batchOf(viewer))).rejects.toThrow(
        'the executor of scope "agent-1" was removed',
      );
      expect(() => tools.describe(viewer)).toThrow('the executor of scope "agent-1" was removed');
    }
    const again = makeExecutor('again');
    tools.scoped(agent).setExecutor(again.executor);
    await tools.execute(batchOf(agent));
    expect(again.batches).toHaveLength(1);
  });

  it("R60: the deployment's default is not replaced silently either", async () => {
    const tools = createTools();
    tools.setExecutor(makeExecutor('standard').executor)();
    await expect(tools.execute(batchOf())).rejects.toThrow("the deployment's executor was removed");
  });

  it('R60: setting another executor replaces the first, whose disposer then does nothing', async () => {
    const tools = createTools();
    const first = makeExecutor('first');
    const second = makeExecutor('second');
    const disposeFirst = tools.setExecutor(first.executor);
    tools.setExecutor(second.executor);
    disposeFirst();
    await tools.execute(batchOf());
    expect([first.batches.length, second.batches.length]).toEqual([0, 1]);
  });

  it('R60: disposing a scope empties its slot like any other removal', async () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    tools.setExecutor(makeExecutor('standard').executor);
    const scoped = tools.scoped(agent);
    scoped.setExecutor(makeExecutor('own').executor);
    scoped.dispose();
    await expect(tools.execute(batchOf(agent))).rejects.toThrow(
      'the executor of scope "agent-1" was removed',
    );
  });

  it('R70: describe and execute are all that an executor needs, and it may do everything on its own', async () => {
    const tools = createTools();
    const custom: ToolExecutor = {
      describe: () => ({ schemas: [], knownNames: [] }),
      execute: async () => ({ ...emptyBatchResult, concluded: true }),
    };
    tools.setExecutor(custom);
    expect(await tools.execute(batchOf())).toEqual({ ...emptyBatchResult, concluded: true });
    expect(tools.describe()).toEqual({ schemas: [], knownNames: [] });
  });

  it('R70: an executor that throws instead of rejecting still rejects the batch', async () => {
    const tools = createTools();
    const boom = new Error('broken executor');
    tools.setExecutor({
      describe: () => ({ schemas: [], knownNames: [] }),
      execute: () => {
        throw boom;
      },
    });
    await expect(tools.execute(batchOf())).rejects.toBe(boom);
  });

  it('R70: the executor gets the pipeline and the registry of the service with each batch', async () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    const own = makeTool('own');
    tools.scoped(agent).register(own, { maxParallel: 2 });
    const { executor, hosts } = makeExecutor('x');
    tools.setExecutor(executor);
    await tools.execute(batchOf(agent));
    const host = hosts[0]!;
    expect(Object.isFrozen(host)).toBe(true);
    expect(host.pipeline).toBe(tools.pipeline);
    expect(host.executable('own', agent)).toBe(own);
    expect(host.executable('own')).toBeUndefined();
    expect(host.definitions(agent)).toEqual([own]);
    expect(host.registration('own', agent)).toEqual({ maxParallel: 2 });
    expect(host.registration('own')).toBeUndefined();
  });

  it.each([
    [undefined, 'wanted an object, received undefined'],
    [{ describe: () => {} }, '"execute" wants a function, received undefined'],
    [{ execute: () => {} }, '"describe" wants a function, received undefined'],
    [{ ...makeExecutor('x').executor, sections: {} }, '"sections" wants an array, received an object'],
    [{ ...makeExecutor('x').executor, sections: [null] }, 'a section\'s "id" wants a non-empty string'],
    [
      { ...makeExecutor('x').executor, sections: [{ id: 'sdk', order: Number.NaN, render: () => '' }] },
      'the "order" of section "sdk" wants a finite number, received NaN',
    ],
    [
      { ...makeExecutor('x').executor, sections: [{ id: 'sdk', order: 1 }] },
      '"render" of section "sdk" wants a function, received undefined',
    ],
    [
      {
        ...makeExecutor('x').executor,
        sections: [1, 2].map((order) => ({ id: 'sdk', order, render: () => '' })),
      },
      'a section wants an id of its own, received "sdk"',
    ],
  ])('R70: %o is refused as an executor and changes no selection', async (executor, message) => {
    const tools = createTools();
    const current = makeExecutor('current');
    tools.setExecutor(current.executor);
    expect(() => tools.setExecutor(executor as never)).toThrow(TypeError);
    expect(() => tools.setExecutor(executor as never)).toThrow(message);
    await tools.execute(batchOf());
    expect(current.batches).toHaveLength(1);
  });
});
