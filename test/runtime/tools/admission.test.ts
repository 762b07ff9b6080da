import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ResolvedToolSet, ToolActivationContext } from '#dist/runtime/contract/scope.js';
import { createRegistry } from '#dist/runtime/tools/registry.js';
import { makeTool } from '../../support/make-tool.ts';

const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
const modelSelection = { provider: 'local', model: 'm-1' };
const live = () => new AbortController().signal;

/** A condition that answers when the test says so. */
function gate() {
  let open!: (answer: boolean) => void;
  let fail!: (error: unknown) => void;
  const answer = new Promise<boolean>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { when: () => answer, open, fail };
}

describe('resolve', () => {
  it('R34: a condition, sync or async, is told agent, a frozen model selection and the signal', async () => {
    const tools = createRegistry(() => {});
    const told: ToolActivationContext[] = [];
    const record = (context: ToolActivationContext) => {
      told.push(context);
      return true;
    };
    tools.register(undefined, makeTool('plain'));
    tools.register(undefined, makeTool('sync'), { when: record });
    tools.register(undefined, makeTool('async'), { when: async (context) => record(context) });
    const agent = { id: 'agent-1' };
    const signal = live();
    const selection = { ...modelSelection, reasoningEffort: 'high', apiKey: 'not for conditions' };
    const set = await tools.resolve({ agent, modelSelection: selection, signal });
    expect(names(tools.list(agent, set))).toEqual(['plain', 'sync', 'async']);
    expect(told).toHaveLength(2);
    for (const context of told) {
      expect(context.agent).toBe(agent);
      expect(context.signal).toBe(signal);
      expect(context.modelSelection).toStrictEqual({ ...modelSelection, reasoningEffort: 'high' });
      expect(context.modelSelection).not.toBe(selection);
      expect(Object.isFrozen(context.modelSelection)).toBe(true);
      expect(Object.isFrozen(context)).toBe(true);
    }
    const bare = await tools.resolve({ modelSelection, signal });
    expect(told.at(-1)).toStrictEqual({ modelSelection, signal });
    expect(bare.view(undefined).size).toBe(3);
  });

  it.each([false, undefined, 1, 'yes', {}])(
    'R35: a condition that answers %s keeps the tool from declarations and dispatch',
    async (answer) => {
      const tools = createRegistry(() => {});
      tools.register(undefined, makeTool('maybe'), { when: () => answer as boolean });
      tools.register(undefined, makeTool('plain'));
      const set = await tools.resolve({ modelSelection, signal: live() });
      expect(names(tools.list(undefined, set))).toEqual(['plain']);
      expect(tools.executable('maybe', undefined, set)).toBeUndefined();
      expect(tools.find('maybe', undefined, set)).toBeUndefined();
      expect([...set.view(undefined).keys()]).toEqual(['plain']);
    },
  );

  it('R35: a conditional shadow that is not admitted does not uncover the tool it shadows', async () => {
    const tools = createRegistry(() => {});
    const agent = { id: 'agent-1' };
    tools.register(undefined, makeTool('echo'));
    tools.register(agent, makeTool('echo'), { when: () => false });
    const set = await tools.resolve({ agent, modelSelection, signal: live() });
    expect(set.view(agent).size).toBe(0);
  });

  it('R36: what a condition throws rejects the resolve, while others are still pending', async () => {
    const boom = new Error('quota service is down');
    for (const when of [
      () => {
        throw boom;
      },
      async () => {
        throw boom;
      },
    ]) {
      const tools = createRegistry(() => {});
      const pending = gate();
      tools.register(undefined, makeTool('slow'), { when: pending.when });
      tools.register(undefined, makeTool('broken'), { when });
      await expect(tools.resolve({ modelSelection, signal: live() })).rejects.toBe(boom);
      pending.fail(new Error('late, and nobody listens'));
    }
  });

  it('R37: an abort rejects with its reason, without waiting for conditions that ignore it', async () => {
    const tools = createRegistry(() => {});
    const pending = gate();
    tools.register(undefined, makeTool('slow'), { when: pending.when });
    const controller = new AbortController();
    const reason = new Error('the step was given up');
    const resolved = tools.resolve({ modelSelection, signal: controller.signal });
    controller.abort(reason);
    await expect(resolved).rejects.toBe(reason);
    pending.open(true);
  });

  it('R37: an abort wins over what a condition makes of it, and over its answer', async () => {
    const reason = new Error('the step was given up');
    for (const settle of [() => true, () => Promise.reject(new Error('interrupted'))]) {
      const tools = createRegistry(() => {});
      const controller = new AbortController();
      tools.register(undefined, makeTool('observing'), {
        when: () => {
          controller.abort(reason);
          return settle();
        },
      });
      await expect(tools.resolve({ modelSelection, signal: controller.signal })).rejects.toBe(reason);
    }
  });

  it('R37, R38: an aborted signal asks no condition, a live one asks each once and all before any is awaited', async () => {
    const tools = createRegistry(() => {});
    const asked: string[] = [];
    const gates = ['a', 'b'].map((name) => {
      const { when, open } = gate();
      tools.register(undefined, makeTool(name), {
        when: () => {
          asked.push(name);
          return when();
        },
      });
      return open;
    });
    const reason = new Error('too late');
    await expect(tools.resolve({ modelSelection, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toEqual([]);
    const resolving = tools.resolve({ modelSelection, signal: live() });
    expect(asked).toEqual(['a', 'b']);
    for (const open of gates) open(true);
    const set = await resolving;
    set.view(undefined);
    tools.executable('a', undefined, set);
    expect(asked).toEqual(['a', 'b']);
  });

  it('R37: an abort at any moment before the set is handed out wins', async () => {
    const reason = new Error('the step was given up');
    for (let ticks = 0; ; ticks += 1) {
      const tools = createRegistry(() => {});
      const { when, open } = gate();
      tools.register(undefined, makeTool('maybe'), { when });
      const controller = new AbortController();
      const resolving = tools.resolve({ modelSelection, signal: controller.signal });
      open(true);
      for (let tick = 0; tick < ticks; tick += 1) await undefined;
      if (!inspect(resolving).includes('<pending>')) {
        expect(ticks).toBeGreaterThan(2);
        break;
      }
      controller.abort(reason);
      await expect(resolving).rejects.toBe(reason);
    }
  });

  it('R37: nothing is left listening on the signal, however the resolve ends', async () => {
    for (const when of [() => true, () => Promise.reject(new Error('down'))]) {
      const tools = createRegistry(() => {});
      const signal = live();
      tools.register(undefined, makeTool('maybe'), { when });
      await tools.resolve({ modelSelection, signal }).catch(() => {});
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
  });

  it('R38: resolving changes nothing that others see', async () => {
    let changes = 0;
    const tools = createRegistry(() => {
      changes += 1;
    });
    tools.register(undefined, makeTool('maybe'), { when: () => true });
    expect(changes).toBe(1);
    const first = await tools.resolve({ modelSelection, signal: live() });
    const second = await tools.resolve({ modelSelection, signal: live() });
    first.dispose();
    expect(changes).toBe(1);
    expect(names(tools.list())).toEqual(['maybe']);
    expect([...second.view(undefined).keys()]).toEqual(['maybe']);
  });

  it('R39: a registration that goes while its condition is pending is not brought back by a late true', async () => {
    const tools = createRegistry(() => {});
    const { when, open } = gate();
    const dispose = tools.register(undefined, makeTool('maybe'), { when });
    const resolving = tools.resolve({ modelSelection, signal: live() });
    dispose();
    tools.register(undefined, makeTool('maybe'), { when: () => true });
    open(true);
    const set = await resolving;
    expect(set.view(undefined).size).toBe(0);
    expect(tools.executable('maybe', undefined, set)).toBeUndefined();
  });

  it('R40: disposing the set closes it, twice is harmless', async () => {
    const tools = createRegistry(() => {});
    tools.register(undefined, makeTool('plain'));
    const set = await tools.resolve({ modelSelection, signal: live() });
    expect(tools.executable('plain', undefined, set)?.name).toBe('plain');
    set.dispose();
    set.dispose();
    expect(tools.executable('plain', undefined, set)).toBeUndefined();
    expect(tools.find('plain', undefined, set)).toBeUndefined();
    expect(tools.list(undefined, set)).toEqual([]);
    expect(set.view(undefined).size).toBe(0);
    expect(tools.executable('plain')?.name).toBe('plain');
  });

  it('R41, E15: a set admits the original definitions, and nothing for any other scope', async () => {
    const tools = createRegistry(() => {});
    const preset = { id: 'preset' };
    const agent = { id: 'a', parent: preset };
    const other = { id: 'b', parent: preset };
    const shared = makeTool('shared');
    const own = makeTool('own');
    tools.register(undefined, shared);
    tools.register(agent, own);
    const set = await tools.resolve({ agent, modelSelection, signal: live() });
    expect([...set.view(agent)]).toEqual([
      ['shared', shared],
      ['own', own],
    ]);
    expect(set.view(agent).get('own')).toBe(own);
    for (const scope of [undefined, preset, other, { ...agent }, { id: 'c', parent: agent }]) {
      expect(set.view(scope).size).toBe(0);
      expect(tools.executable('shared', scope, set)).toBeUndefined();
      expect(tools.list(scope, set)).toEqual([]);
    }
    const global = await tools.resolve({ modelSelection, signal: live() });
    expect([...global.view(undefined).keys()]).toEqual(['shared']);
    expect(global.view(agent).size).toBe(0);
  });

  it('R41: changing a view changes nothing that the set admits', async () => {
    const tools = createRegistry(() => {});
    tools.register(undefined, makeTool('plain'));
    const set = await tools.resolve({ modelSelection, signal: live() });
    (set.view(undefined) as Map<string, unknown>).clear();
    expect([...set.view(undefined).keys()]).toEqual(['plain']);
    expect(names(tools.list())).toEqual(['plain']);
  });

  it('R42, E16: a replacement, even with the same definition, is not what was admitted', async () => {
    const tools = createRegistry(() => {});
    const agent = { id: 'agent-1' };
    const definition = makeTool('echo');
    const dispose = tools.register(undefined, definition);
    const set = await tools.resolve({ agent, modelSelection, signal: live() });
    dispose();
    expect(tools.executable('echo', agent, set)).toBeUndefined();
    tools.register(undefined, definition);
    expect(tools.executable('echo', agent, set)).toBeUndefined();
    expect(tools.list(agent, set)).toEqual([]);
    expect(set.view(agent).size).toBe(0);
    expect(tools.executable('echo', agent)?.definition).toBe(definition);
  });

  it('R42, E16: a shadow registered after the resolve takes the name without being admitted', async () => {
    const tools = createRegistry(() => {});
    const agent = { id: 'agent-1' };
    tools.register(undefined, makeTool('echo'));
    const set = await tools.resolve({ agent, modelSelection, signal: live() });
    const dispose = tools.register(agent, makeTool('echo'));
    expect(tools.executable('echo', agent, set)).toBeUndefined();
    dispose();
    expect(tools.executable('echo', agent, set)?.name).toBe('echo');
  });

  it('R43, E14: without a set all registrations can be looked at and only unconditional ones executed', async () => {
    const tools = createRegistry(() => {});
    tools.register(undefined, makeTool('maybe'), { when: () => true });
    tools.register(undefined, makeTool('plain'));
    expect(tools.find('maybe')?.name).toBe('maybe');
    expect(names(tools.list())).toEqual(['maybe', 'plain']);
    expect(tools.executable('maybe')).toBeUndefined();
    expect(tools.executable('plain')?.name).toBe('plain');
    const set = await tools.resolve({ modelSelection, signal: live() });
    expect(tools.executable('maybe', undefined, set)?.name).toBe('maybe');
  });

  it('R46: a set keeps nothing alive that was unregistered or restricted since', async () => {
    const tools = createRegistry(() => {});
    const agent = { id: 'agent-1' };
    tools.register(undefined, makeTool('a'));
    const dispose = tools.register(undefined, makeTool('b'));
    const set = await tools.resolve({ agent, modelSelection, signal: live() });
    const lift = tools.restrict(agent, { deny: ['a'] });
    dispose();
    for (const name of ['a', 'b']) {
      expect(tools.executable(name, agent, set)).toBeUndefined();
      expect(tools.find(name, agent, set)).toBeUndefined();
    }
    expect(set.view(agent).size).toBe(0);
    lift();
    expect([...set.view(agent).keys()]).toEqual(['a']);
  });

  it('R67: a set holds all unconditional tools of that moment; later ones are not callable with it', async () => {
    const tools = createRegistry(() => {});
    const { when, open } = gate();
    tools.register(undefined, makeTool('plain'));
    tools.register(undefined, makeTool('maybe'), { when });
    const resolving = tools.resolve({ modelSelection, signal: live() });
    tools.register(undefined, makeTool('while-pending'));
    open(true);
    const set = await resolving;
    tools.register(undefined, makeTool('later'));
    expect(names(tools.list(undefined, set))).toEqual(['plain', 'maybe']);
    for (const name of ['while-pending', 'later']) {
      expect(tools.executable(name, undefined, set)).toBeUndefined();
      expect(tools.executable(name)?.name).toBe(name);
    }
  });

  it("R43, R46: a set of the host's own making decides too, and is checked against what is visible", () => {
    const tools = createRegistry(() => {});
    const agent = { id: 'agent-1' };
    const current = makeTool('a');
    tools.register(undefined, current);
    tools.register(undefined, makeTool('b'));
    const set: ResolvedToolSet = {
      dispose() {},
      view: () =>
        new Map([
          ['a', current],
          ['b', makeTool('b')],
          ['gone', makeTool('gone')],
        ]),
    };
    expect(tools.executable('a', agent, set)?.definition).toBe(current);
    expect(tools.executable('b', agent, set)).toBeUndefined();
    expect(tools.executable('gone', agent, set)).toBeUndefined();
    expect(names(tools.list(agent, set))).toEqual(['a']);
    tools.restrict(agent, { deny: ['a'] });
    expect(tools.executable('a', agent, set)).toBeUndefined();
  });

  it.each([
    [undefined, 'wanted { agent, modelSelection, signal }, received undefined'],
    [{ modelSelection }, '"signal" wants an AbortSignal, received undefined'],
    [{ modelSelection, signal: {} }, '"signal" wants an AbortSignal, received an object'],
    [{ signal: live() }, '"modelSelection" wants { provider, model }, received undefined'],
    [{ signal: live(), modelSelection: 'gpt' }, '"modelSelection" wants { provider, model }, received "gpt"'],
  ])('R34: the context %o rejects before a condition is asked', async (context, message) => {
    const tools = createRegistry(() => {});
    tools.register(undefined, makeTool('never'), {
      when: () => {
        throw new Error('asked');
      },
    });
    await expect(tools.resolve(context as never)).rejects.toThrow(message);
  });
});
